import { once } from 'node:events';
import { attackFrom, randomFrom } from '../src/testing/malformed.ts';
import { sendAttack, statusesIn } from '../src/testing/raw-client.ts';
import { memoryOf, type Running, startProcess } from './processes.ts';
import { short, table } from './table.ts';

/** The state of the attacked process. */
export interface FuzzedState {
  readonly port: number;
  readonly token: string;
  /** A hash of its state. */
  readonly state: string;
  readonly sandboxes: number;
  readonly ownViolations: number;
}

const atOnce = 32;

/**
 * Attacks the mock with malformed requests over raw connections: same seed, same bytes.
 * @returns the exit code: 1 if it crashed, responded with 5xx, or changed state
 */
export async function fuzz(attacks: number, seed: number, say: (text: string) => void): Promise<number> {
  const server = startProcess([new URL('servers/fuzzed-mock.js', import.meta.url).pathname], {}, true);
  const before = await ask(server);
  const random = randomFrom(seed);
  const statuses = new Map<number, number>();
  const memory: number[] = [];
  let sent = 0;
  const from = performance.now();
  const attacker = async (): Promise<void> => {
    while (sent < attacks && server.child.exitCode === null) {
      sent += 1;
      if (sent === Math.ceil(attacks / 10) || sent === Math.ceil(attacks / 2)) memory.push(memoryOf(server.child.pid));
      for (const status of statusesIn(await sendAttack(before.port, attackFrom(random, before.token))))
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, attacker));
  const crashed = server.child.exitCode !== null || server.child.signalCode !== null;
  memory.push(crashed ? Number.NaN : memoryOf(server.child.pid));
  const after = crashed ? undefined : await ask(server);
  if (!crashed) await server.stop();

  const failures = [...statuses].filter(([status]) => status >= 500).reduce((sum, [, count]) => sum + count, 0);
  const isUnchanged = after?.state === before.state && after.sandboxes === 0;
  const rows = [...statuses].sort(([left], [right]) => left - right);
  say(table([['answered', 'times'], ...rows.map(([status, count]) => [String(status), String(count)])]));
  say(`${sent} attacks, seed ${seed}, ${short((performance.now() - from) / 1000)} s`);
  say(
    `crashed: ${crashed ? 'YES' : 'no'} · 5xx: ${failures} · answers that break the spec: ${after?.ownViolations ?? '?'}`,
  );
  say(
    `state: ${isUnchanged ? 'unchanged' : 'CHANGED'} · memory at 10 / 50 / 100 %: ${memory.map(short).join(' / ')} MiB`,
  );
  return crashed || failures > 0 || !isUnchanged || after.ownViolations > 0 ? 1 : 0;
}

async function ask({ child }: Running): Promise<FuzzedState> {
  const answer = once(child, 'message');
  child.send('how do you do?');
  const [state] = (await answer) as [FuzzedState];
  return state;
}
