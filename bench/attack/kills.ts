import { existsSync, mkdtempSync, readdirSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { send, serveMock } from './served.ts';

const record = '/_mock/state/recordings/rec_kickoff';

/** How long after a change saving begins, as SECURITY.md promises; and what a busy machine adds to it. */
const quietMilliseconds = 200;
const busyMilliseconds = 300;

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
  const saves = watchSaves(folder);
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
    const savedWithin = quietMilliseconds + 2 * saves.longest(killedAt) + busyMilliseconds;

    mock = await serveMock('--state', file);
    const title = Number(((await (await send(mock.baseUrl + record, 'GET')).json()) as { title: string }).title);
    const inTime = acknowledged.filter(({ at }) => at <= killedAt - savedWithin).at(-1)?.change ?? 0;
    changes += acknowledged.length;
    if (!(title >= inTime)) problems.push(`kill ${kill}: change ${inTime} was acknowledged in time; ${title} is there`);
    mostLost = Math.max(mostLost, lostMilliseconds(acknowledged, title, acknowledged.at(-1)?.at ?? 0));
  }
  await mock.stop();
  saves.stop();
  const left = readdirSync(folder).filter((name) => name !== 'state.json');
  if (left.length > 0) problems.push(`left behind by kills: ${left.join(', ')}`);
  say(
    `  ${kills} kills in ${changes} acknowledged changes, ${whileSaving} of them while the file was written; saving took up to ${saves.longest(0).toFixed(0)} ms, and at most the last ${mostLost.toFixed(0)} ms were lost`,
  );
  rmSync(folder, { recursive: true });
  return problems;
}

/** How long saving takes: for so long there is a temporary file. */
function watchSaves(folder: string): { longest(now: number): number; stop(): void } {
  const begun = new Map<string, number>();
  let longest = 0;
  const watcher = watch(folder, (_event, name) => {
    if (!name?.endsWith('.tmp')) return;
    const now = performance.now();
    const begin = begun.get(name);
    if (existsSync(join(folder, name))) begun.set(name, begin ?? now);
    else if (begun.delete(name)) longest = Math.max(longest, now - (begin ?? now));
  });
  return {
    // One that was killed took no longer than until then.
    longest(now) {
      const killed = [...begun.values()].filter((begin) => begin < now).map((begin) => now - begin);
      longest = Math.max(longest, ...killed);
      begun.clear();
      return longest;
    },
    stop: () => watcher.close(),
  };
}

/** Between the first change that is lost and the last one. */
function lostMilliseconds(acknowledged: readonly { change: number; at: number }[], kept: number, last: number): number {
  const lost = acknowledged.find(({ change }) => change > kept);
  return lost === undefined ? 0 : last - lost.at;
}
