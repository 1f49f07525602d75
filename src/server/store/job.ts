import { StoreUnavailable } from '../../core/world/world-store.ts';
import type { Addressed } from './addressed.ts';

/** A request that runs one or more times, until its changes are committed. */
export interface Job {
  readonly addressed: Addressed;
  readonly isOver: boolean;
  /** Whether its last run changed nothing. */
  readonly isRead: boolean;
  /** Runs it; its outcome counts after `done`. `noted`: number of changes so far. */
  attempt(noted: () => number): Promise<void>;
  /** Its changes are undone, for certain. */
  lost(): void;
  done(): void;
  fail(error: unknown): void;
}

interface Ends<T> {
  readonly resolve: (outcome: T) => void;
  readonly reject: (error: unknown) => void;
  readonly discard: ((outcome: T) => void) | undefined;
}

/** Milliseconds that a request may wait for the store, its turn, and other replicas. */
const longest = 5000;

export function jobOf<T>(addressed: Addressed, run: () => Promise<T>, { resolve, reject, discard }: Ends<T>): Job {
  let outcome: { readonly value: T } | undefined;
  let left = longest;
  let since = performance.now();
  const undo = (): void => {
    if (outcome) discard?.(outcome.value);
    outcome = undefined;
  };
  const end = (): boolean => {
    clearTimeout(timer);
    const isFirst = !job.isOver;
    job.isOver = true;
    return isFirst;
  };
  // After a run, its changes may have been sent.
  const giveUp = (): void =>
    job.fail(new StoreUnavailable(`its world was busy for ${longest} ms`, outcome !== undefined && !job.isRead));
  let timer = setTimeout(giveUp, longest);
  const job = {
    addressed,
    isOver: false,
    isRead: true,
    attempt: async (noted: () => number) => {
      // It may have been given up since its turn began: its client was told that nothing was changed.
      if (job.isOver) return;
      undo();
      const before = noted();
      // The time of the run itself does not count: a function of a route may take long.
      clearTimeout(timer);
      left -= performance.now() - since;
      try {
        outcome = { value: await run() };
      } finally {
        since = performance.now();
        timer = setTimeout(giveUp, left);
      }
      job.isRead = noted() === before;
    },
    lost: undo,
    done: () => {
      if (end() && outcome) resolve(outcome.value);
    },
    fail: (error: unknown) => {
      if (!end()) return;
      undo();
      reject(error);
    },
  };
  return job;
}
