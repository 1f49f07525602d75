import { setTimeout as sleep } from 'node:timers/promises';
import { printable } from '../report/text.ts';
import type { Session } from '../session/session.ts';
import { outlet } from './outlet.ts';
import { EXIT_CODES, onInterruption, type Signal } from './signals.ts';

/** How long an interrupted run waits for a request that is under way, and then for those that restore titles. */
const HALT_MS = 5_000;

/** Runs a command. SIGINT and SIGTERM put titles back; a second one ends at once. However it ends, it says what stays at the target. */
export async function interruptible<T>(session: Session, run: () => Promise<T>): Promise<T> {
  const say = (text: string): boolean => outlet.print('stderr', session.secrets.scrub(text));
  const tellLeft = (): unknown => say(leftAt(session.leftovers));
  const end = async (signal: Signal): Promise<void> => {
    stop();
    await Promise.race([session.client.halt(), sleep(HALT_MS)]);
    const { isChanged } = session;
    const isRestored = await Promise.race([session.restore(), sleep(HALT_MS, false)]);
    const restored = `The title of the recording ${isRestored ? 'was' : 'could not be'} put back.`;
    say(`\nInterrupted. ${isChanged ? restored : 'There was nothing to restore.'}\n`);
    await session.tearDown();
    process.exit(EXIT_CODES[signal]);
  };
  const stop = onInterruption(end);
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
