import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { send, serveMock } from './served.ts';

const record = '/_mock/state/recordings/rec_kickoff';

/** Fills the state, so that writing it takes long enough for kills to fall into it. */
const filling = { analysis: { filling: 'x'.repeat(5_000_000) } };

/**
 * Kills a server that is changed all the time, at any moment, and starts it again on the same state.
 * @returns what went wrong: a state that cannot be read, or that lacks what was acknowledged
 */
export async function killLoop(kills: number, random: () => number, say: (text: string) => void): Promise<string[]> {
  const problems: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'attack-'));
  const file = join(folder, 'state.json');
  const beside = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.tmp'));
  let [change, acknowledged, changes, whileSaving] = [0, 0, 0, 0];
  let mock = await serveMock('--state', file);
  await send(`${mock.baseUrl}/_mock/state/recordings/rec_weekly`, 'PATCH', filling);
  for (let kill = 1; kill <= kills; kill += 1) {
    const { child, baseUrl, ended } = mock;
    const killed = sleep(200 + 1600 * random()).then(() => child.kill('SIGKILL'));
    while (child.exitCode === null && !child.killed) {
      change += 1;
      const answer = await send(baseUrl + record, 'PATCH', { title: String(change) }).catch(() => undefined);
      if (!answer?.ok) continue;
      acknowledged = change;
      changes += 1;
    }
    await killed;
    await ended.catch(() => {});
    if (beside().length > 0) whileSaving += 1;

    mock = await serveMock('--state', file);
    const title = Number(((await (await send(mock.baseUrl + record, 'GET')).json()) as { title: string }).title);
    if (!(title >= acknowledged))
      problems.push(`kill ${kill}: change ${acknowledged} was acknowledged; ${title} is there`);
  }
  await mock.stop();
  const left = readdirSync(folder).filter((name) => name !== 'state.json');
  if (left.length > 0) problems.push(`left behind by kills: ${left.join(', ')}`);
  say(`  ${kills} kills in ${changes} acknowledged changes, ${whileSaving} of them while the file was written`);
  rmSync(folder, { recursive: true });
  return problems;
}
