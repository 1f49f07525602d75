import { setTimeout as sleep } from 'node:timers/promises';
import { printable } from '../report/printable.ts';
import type { SessionConfig } from '../session/connection.ts';
import type { Undo } from '../session/disposable-recording.ts';
import type { Session } from '../session/session.ts';
import { Client } from '../wire/client.ts';
import { Pace } from '../wire/pace.ts';
import { readOnly, requestKey } from '../wire/write-guard.ts';
import { EXIT_CODES, SIGNALS, type Signal } from './signals.ts';

/** Timeout for a request that is under way when the run is interrupted. */
const HALT_MS = 5_000;

/** How long a restoring request waits for a target that limits requests: a user who interrupts does not want to wait. */
const RESTORE_BUDGET = { waitMs: 5_000, reserveMs: 0 };

/**
 * Runs the checks of a command. SIGINT and SIGTERM restore the titles and end the process; a second one ends it at once.
 * However the process ends meanwhile, it says what stays at the target.
 */
export async function interruptible<T>(session: Session, run: () => Promise<T>): Promise<T> {
  let isRestored = false;
  const undos = (): Undo[] => (isRestored ? [] : session.undos);
  const say = (text: string): boolean => process.stderr.write(session.secrets.scrub(text));
  const tellLeft = (): void => {
    say(leftAt([...session.leftovers, ...undos().map(({ path }) => `the title at ${path}: it was not put back`)]));
  };
  const end = async (signal: Signal): Promise<void> => {
    stop();
    await Promise.race([session.client.halt(), sleep(HALT_MS)]);
    const left = undos();
    isRestored = true;
    say(`\nInterrupted. ${await restore(session.config, left)}\n`);
    for (const line of (await session.config.tearDown?.()) ?? []) session.leftovers.add(line);
    process.exit(EXIT_CODES[signal]);
  };
  const stop = (): void => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  process.on('exit', tellLeft);
  try {
    return await run();
  } catch (error) {
    // Without a report, nothing else says what stays.
    tellLeft();
    throw error;
  } finally {
    stop();
    process.off('exit', tellLeft);
  }
}

/** The lines about what a run left at the target; none where it left nothing. */
export const leftAt = (leftovers: readonly string[]): string =>
  leftovers.length === 0 ? '' : printable(`Left at the target:\n${leftovers.map((line) => `  - ${line}\n`).join('')}`);

/** Sends what restores the titles, where that may be written, and says how that went. */
export async function restore(
  { target, loopbackOnly = false }: Pick<SessionConfig, 'target' | 'loopbackOnly'>,
  undos: readonly Undo[],
): Promise<string> {
  const lines = new Set<string>();
  for (const undo of undos) {
    const writes = new Set([requestKey({ method: 'PATCH', path: undo.path })]);
    const guard = { ...readOnly(), allowWrites: true, loopbackOnly, writes };
    const client = new Client(target, guard, () => {}, new Pace({}, RESTORE_BUDGET));
    const sent = await client.send({ method: 'PATCH', ...undo }, true).catch(() => undefined);
    client.close();
    const isDone = sent && sent.response.status < 300;
    const why = sent ? `answered ${sent.response.status}` : 'did not answer';
    lines.add(`The title of the recording ${isDone ? 'was put back' : `could not be put back: the target ${why}`}.`);
  }
  return [...lines].join(' ') || 'There was nothing to restore.';
}
