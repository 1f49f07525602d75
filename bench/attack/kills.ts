import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { send, serveMock } from './served.ts';

const record = '/_mock/state/recordings/rec_kickoff';

/** Fills a line, so that writing it takes long enough for kills to fall into it. */
const filling = { filling: 'x'.repeat(5_000_000) };

/**
 * Kills a server that is changed all the time, at any moment, and starts it again on the same state.
 * @returns what went wrong: a state that cannot be read, or that lacks what was acknowledged
 */
export async function killLoop(kills: number, random: () => number, say: (text: string) => void): Promise<string[]> {
  const problems: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'attack-'));
  const file = join(folder, 'state.json');
  let [change, acknowledged, changes, halfLines] = [0, 0, 0, 0];
  let mock = await serveMock('--state', file);
  for (let kill = 1; kill <= kills; kill += 1) {
    const { child, baseUrl, ended } = mock;
    const killed = sleep(200 + 1600 * random()).then(() => child.kill('SIGKILL'));
    while (child.exitCode === null && !child.killed) {
      change += 1;
      const analysis = change % 2 === 0 ? filling : {};
      const answer = await send(baseUrl + record, 'PATCH', { title: String(change), analysis }).catch(() => undefined);
      if (!answer?.ok) continue;
      acknowledged = change;
      changes += 1;
    }
    await killed;
    await ended.catch(() => {});
    if (readFileSync(file).at(-1) !== 10) halfLines += 1;

    mock = await serveMock('--state', file);
    const title = Number(((await (await send(mock.baseUrl + record, 'GET')).json()) as { title: string }).title);
    if (!(title >= acknowledged))
      problems.push(`kill ${kill}: change ${acknowledged} was acknowledged; ${title} is there`);
  }
  await mock.stop();
  const left = readdirSync(folder).filter((name) => name !== 'state.json');
  if (left.length > 0) problems.push(`left behind by kills: ${left.join(', ')}`);
  say(`  ${kills} kills in ${changes} acknowledged changes, ${halfLines} of them in the middle of a line`);
  rmSync(folder, { recursive: true });
  return problems;
}
