import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { send, serveMock } from './served.ts';

const record = '/_mock/state/recordings/rec_kickoff';

/** What is promised is 200 ms and the time of writing; a machine that does other things as well takes its time. */
const savedWithin = 1000;

/** Fills the state, so that writing it takes long enough for kills to fall into it. */
const filling = { analysis: { filling: 'x'.repeat(5_000_000) } };

/**
 * Kills a server that is changed all the time, at any moment, and starts it again on the same state.
 * @returns what went wrong: a state that cannot be read, or that lacks what was acknowledged in time
 */
export async function killLoop(kills: number, random: () => number, say: (text: string) => void): Promise<string[]> {
  const problems: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'attack-'));
  const file = join(folder, 'state.json');
  const beside = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.tmp'));
  let [change, changes, mostLost, whileSaving] = [0, 0, 0, 0];
  let mock = await serveMock('--state', file);
  await send(`${mock.baseUrl}/_mock/state/recordings/rec_weekly`, 'PATCH', filling);
  for (let kill = 1; kill <= kills; kill += 1) {
    const acknowledged: { readonly change: number; readonly at: number }[] = [];
    const { child, baseUrl, ended } = mock;
    const killed = sleep(200 + 1600 * random()).then(() => {
      child.kill('SIGKILL');
      return performance.now();
    });
    while (child.exitCode === null && !child.killed) {
      change += 1;
      const answer = await send(baseUrl + record, 'PATCH', { title: String(change) }).catch(() => undefined);
      if (answer?.ok) acknowledged.push({ change, at: performance.now() });
    }
    const killedAt = await killed;
    await ended.catch(() => {});
    if (beside().length > 0) whileSaving += 1;

    mock = await serveMock('--state', file);
    const title = Number(((await (await send(mock.baseUrl + record, 'GET')).json()) as { title: string }).title);
    const inTime = acknowledged.filter(({ at }) => at <= killedAt - savedWithin).at(-1)?.change ?? 0;
    changes += acknowledged.length;
    if (!(title >= inTime)) problems.push(`kill ${kill}: change ${inTime} was acknowledged in time; ${title} is there`);
    mostLost = Math.max(mostLost, lostMilliseconds(acknowledged, title, acknowledged.at(-1)?.at ?? 0));
  }
  await mock.stop();
  const left = readdirSync(folder).filter((name) => name !== 'state.json');
  if (left.length > 0) problems.push(`left behind by kills: ${left.join(', ')}`);
  say(
    `  ${kills} kills in ${changes} acknowledged changes, ${whileSaving} of them while the file was written; at most the last ${mostLost.toFixed(0)} ms were lost`,
  );
  rmSync(folder, { recursive: true });
  return problems;
}

/** Between the first change that is lost and the last one. */
function lostMilliseconds(acknowledged: readonly { change: number; at: number }[], kept: number, last: number): number {
  const lost = acknowledged.find(({ change }) => change > kept);
  return lost === undefined ? 0 : last - lost.at;
}
