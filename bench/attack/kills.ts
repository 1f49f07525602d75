import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { send, serveMock } from './served.ts';

const record = '/_mock/state/recordings/rec_kickoff';

/** What is promised is 200 ms and the time of writing; a machine that does other things as well takes its time. */
const savedWithin = 1000;

/**
 * Kills a server that is changed all the time, at any moment, and starts it again on the same state.
 * @returns what went wrong: a state that cannot be read, or that lacks what was acknowledged in time
 */
export async function killLoop(rounds: number, random: () => number, say: (text: string) => void): Promise<string[]> {
  const problems: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'attack-'));
  const file = join(folder, 'state.json');
  let change = 0;
  let [mostLost, changes] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const mock = await serveMock('--state', file);
    const acknowledged: { readonly change: number; readonly at: number }[] = [];
    const killed = sleep(1200 + 800 * random()).then(() => {
      mock.child.kill('SIGKILL');
      return performance.now();
    });
    while (mock.child.exitCode === null && !mock.child.killed) {
      const next = change + 1;
      const answer = await send(mock.baseUrl + record, 'PATCH', { title: String(next) }).catch(() => undefined);
      if (answer?.ok) acknowledged.push({ change: next, at: performance.now() });
      change = next;
    }
    const killedAt = await killed;
    await mock.ended.catch(() => {});

    const again = await serveMock('--state', file);
    const title = Number(((await (await send(again.baseUrl + record, 'GET')).json()) as { title: string }).title);
    const inTime = acknowledged.filter(({ at }) => at <= killedAt - savedWithin).at(-1)?.change ?? 0;
    const last = acknowledged.at(-1);
    changes += acknowledged.length;
    if (title < inTime) problems.push(`kill ${round}: change ${inTime} was acknowledged in time; ${title} is there`);
    mostLost = Math.max(mostLost, lostMilliseconds(acknowledged, title, last?.at ?? 0));
    await again.stop();
    const left = readdirSync(folder).filter((name) => name !== 'state.json');
    if (left.length > 0) problems.push(`kill ${round}: left behind: ${left.join(', ')}`);
  }
  say(`  ${rounds} kills in ${changes} acknowledged changes; at most the last ${mostLost.toFixed(0)} ms were lost`);
  rmSync(folder, { recursive: true });
  return problems;
}

/** Between the first change that is lost and the last one. */
function lostMilliseconds(acknowledged: readonly { change: number; at: number }[], kept: number, last: number): number {
  const lost = acknowledged.find(({ change }) => change > kept);
  return lost === undefined ? 0 : last - lost.at;
}
