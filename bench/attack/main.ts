// npm run attack: bounded attacks on the built mock and on the suite, from this machine to its loopback interface only.

import { randomFrom } from '../../src/testing/malformed.ts';
import { noRedis } from '../../src/testing/redis.ts';
import { fuzz } from '../fuzz.ts';
import { killLoop } from './kills.ts';
import { replicaFaults } from './replicas.ts';
import { costlyRequests } from './requests.ts';
import { hostileTargets } from './targets.ts';
import { hostileUpstream } from './upstream.ts';

/** CI does a share of the long run, `ATTACK_KILLS=500 npm run attack`. */
const kills = Number(process.env.ATTACK_KILLS ?? 12);
/** `ATTACK_ROUNDS=120` for the long run. */
const rounds = Number(process.env.ATTACK_ROUNDS ?? 12);
const seed = 20_261_121;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const problems: string[] = [];
say('Malformed bytes over raw connections');
if ((await fuzz(1500, seed, say)) !== 0) problems.push('malformed bytes: see above');
say('\nRequests that are made to cost much');
problems.push(...(await costlyRequests(say)));
say('\nServers that mean harm, judged by the suite');
problems.push(...(await hostileTargets(say)));
say('\nAn upstream that answers anything and never closes');
problems.push(...(await hostileUpstream(randomFrom(seed), say)));
say('\nKilled while it writes');
problems.push(...(await killLoop(kills, randomFrom(seed), say)));
say('\nReplicas on one store, while all of them are disturbed');
if (noRedis === undefined) problems.push(...(await replicaFaults(rounds, randomFrom(seed), say)));
else say(`  skipped: ${noRedis}`);

say(problems.length === 0 ? '\nNothing hung, nothing leaked, nothing was lost.' : `\n${problems.join('\n')}`);
process.exitCode = problems.length === 0 ? 0 : 1;
