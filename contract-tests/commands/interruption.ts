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

/** Where titles are restored, and what may be written there. */
type Place = Pick<SessionConfig, 'target' | 'loopbackOnly'>;

/** Sends what restores the titles, and says how that went. */
export async function restore(place: Place, undos: readonly Undo[]): Promise<string> {
  if (undos.length === 0) return 'There was nothing to restore.';
  const lines: string[] = [];
  for (const undo of undos) lines.push(await restoreOne(place, undo));
  return [...new Set(lines)].join(' ');
}

async function restoreOne({ target, loopbackOnly = false }: Place, undo: Undo): Promise<string> {
  const writes = new Set([requestKey({ method: 'PATCH', path: undo.path })]);
  const client = new Client(
    target,
    { ...readOnly(), allowWrites: true, loopbackOnly, writes },
    () => {},
    new Pace({}, RESTORE_BUDGET),
  );
  try {
    const { response } = await client.send({ method: 'PATCH', ...undo }, true);
    if (response.status < 300) return 'The title of the recording was put back.';
    return `The title of the recording could not be put back: the target answered ${response.status}.`;
  } catch {
    return 'The title of the recording could not be put back: the target did not answer.';
  } finally {
    client.close();
  }
}
