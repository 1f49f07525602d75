import type { Addressed } from './addressed.ts';

/** A request that runs one or more times, until its changes are committed. */
export interface Job {
  readonly addressed: Addressed;
  /** Runs it; its outcome counts after `done`. */
  attempt(): Promise<void>;
  done(): void;
  fail(error: unknown): void;
}

interface Ends<T> {
  readonly resolve: (outcome: T) => void;
  readonly reject: (error: unknown) => void;
  /** Called for an outcome that does not count. */
  readonly discard: ((outcome: T) => void) | undefined;
}

export function jobOf<T>(addressed: Addressed, run: () => Promise<T>, { resolve, reject, discard }: Ends<T>): Job {
  let outcome: { readonly value: T } | undefined;
  const undo = (): void => {
    if (outcome) discard?.(outcome.value);
    outcome = undefined;
  };
  return {
    addressed,
    attempt: async () => {
      undo();
      outcome = { value: await run() };
    },
    done: () => outcome && resolve(outcome.value),
    fail: (error) => {
      undo();
      reject(error);
    },
  };
}
