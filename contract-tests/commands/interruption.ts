import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { printable } from '../report/text.ts';
import type { Session } from '../session/session.ts';
import { outlet } from './outlet.ts';
import { EXIT_CODES, onInterruption, type Signal } from './signals.ts';

/** What ends a run before its end. */
export type Interruption = Signal | '--time-limit';

/** How long an interrupted run waits for a request that is under way, and then for those that restore titles. */
const HALT_MS = 5_000;

/**
 * Runs a command. SIGINT and SIGTERM put titles back; a second one ends at once. However it ends, it says what stays at the target.
 * @param seenUntil gives the result of a run that was interrupted; without it, the process ends
 * @param deadline when the time limit is over, by `performance.now()`
 */
export async function interruptible<T>(
  session: Session,
  run: () => Promise<T>,
  seenUntil?: (interruption: Interruption) => T,
  deadline?: number,
): Promise<T> {
  const say = (text: string): boolean => outlet.print('stderr', session.secrets.scrub(text));
  const tellLeft = (): unknown => say(leftAt(session.leftovers));
  let stop = (): void => {};
  const interrupted = new Promise<Interruption>((resolve) => {
    const unlisten = onInterruption(resolve);
    const timer =
      deadline === undefined ? undefined : setTimeout(() => resolve('--time-limit'), deadline - performance.now());
    stop = () => {
      unlisten();
      clearTimeout(timer);
    };
  });
  const end = async (interruption: Interruption): Promise<T> => {
    stop();
    await Promise.race([session.client.halt(), sleep(HALT_MS)]);
    const { isChanged } = session;
    const isRestored = await Promise.race([session.restore(), sleep(HALT_MS, false)]);
    const restored = `The title of the recording ${isRestored ? 'was' : 'could not be'} put back.`;
    say(
      `\n${interruption === '--time-limit' ? 'The time is over' : 'Interrupted'}. ${isChanged ? restored : 'There was nothing to restore.'}\n`,
    );
    await session.tearDown();
    if (!seenUntil) return process.exit(interruption === '--time-limit' ? undefined : EXIT_CODES[interruption]);
    // At once: who interrupts does not wait for the report.
    tellLeft();
    return seenUntil(interruption);
  };
  process.on('exit', tellLeft);
  try {
    return await Promise.race([run(), interrupted.then(end)]);
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
