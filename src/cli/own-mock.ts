import { Worker } from 'node:worker_threads';
import type { Target } from '../../contract-tests/session/target-file.ts';

/** A mock that a command has started for itself. */
export interface OwnMock {
  /** As the mock describes itself. */
  readonly target: Target;
  /** Lets milliseconds pass on its clock. */
  pass(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/** What the thread of a mock tells: its target once it listens, and each time that has passed. */
export type Told = { readonly target: Target } | 'passed';

/**
 * Starts a mock on any free port, in a thread of its own: vitest keeps this one busy for as long as the mock takes to load.
 * From the sources, which a thread of Node does not read, it runs in this thread.
 * @param profile a shipped profile's name, or a file
 */
export async function startOwnMock(profile: string | undefined): Promise<OwnMock> {
  if (import.meta.url.endsWith('.ts')) return (await import('./own-mock-here.ts')).startHere(profile);
  const thread = new Worker(new URL('./own-mock-thread.js', import.meta.url), { workerData: profile });
  const told = (): Promise<Told> =>
    new Promise((resolve, reject) => {
      const failed = (error: Error) => reject(error);
      thread.once('error', failed);
      thread.once('message', (message: Told) => {
        thread.off('error', failed);
        resolve(message);
      });
    });
  const first = await told();
  if (first === 'passed') throw new Error('The mock passed time before it listened.');
  let last: Promise<unknown> = Promise.resolve();
  return {
    target: first.target,
    // One after the other: each answer belongs to the oldest request.
    pass: async (milliseconds) => {
      last = last.then(() => {
        thread.postMessage(milliseconds);
        return told();
      });
      await last;
    },
    close: async () => void (await thread.terminate()),
  };
}
