import { StoreUnavailable } from '../../core/world/world-store.ts';
import type { Addressed } from './addressed.ts';

interface Ends<T> {
  resolve(outcome: T): void;
  reject(error: unknown): void;
  readonly discard: ((outcome: T) => void) | undefined;
}

/** Milliseconds that a request may wait for the store, its turn, and other replicas. */
const longest = 4900;
/** Interval of looking for those that waited for longer, in milliseconds: a timer for each would cost more. */
const lookEvery = 100;

/**
 * The requests that are not answered yet. In an array: a set that shrinks leaves tables that point to later ones, so that one that
 * got old keeps all of them, and their requests, from being collected while they are young.
 */
export class Jobs {
  private readonly pending: Job[] = [];
  private readonly timer = setInterval(() => {
    const now = performance.now();
    for (const job of [...this.pending]) if (now > job.until) job.giveUp();
  }, lookEvery).unref();

  add<T>(addressed: Addressed, run: () => Promise<T>, ends: Ends<T>): Job {
    const job = new Job(addressed, run, ends as Ends<unknown>, this.pending);
    this.pending.push(job);
    return job;
  }

  close(): void {
    clearInterval(this.timer);
  }
}

/** A request that runs one or more times, until its changes are committed. */
export class Job {
  isOver = false;
  /** Whether its last run changed nothing. */
  isRead = true;
  /** When it is given up, by `performance.now()`. */
  until = performance.now() + longest;
  private outcome: { readonly value: unknown } | undefined;
  private place: number;

  constructor(
    readonly addressed: Addressed,
    private readonly run: () => Promise<unknown>,
    private readonly ends: Ends<unknown>,
    private readonly pending: Job[],
  ) {
    this.place = pending.length;
  }

  /** Runs it; its outcome counts after `done`. `noted`: number of changes so far. */
  async attempt(noted: () => number): Promise<void> {
    // It may have been given up since its turn began: its client was told that nothing was changed.
    if (this.isOver) return;
    this.lost();
    const before = noted();
    // The time of the run itself does not count: a function of a route may take long.
    const left = this.until - performance.now();
    this.until = Number.POSITIVE_INFINITY;
    try {
      this.outcome = { value: await this.run() };
    } finally {
      this.until = performance.now() + left;
    }
    this.isRead = noted() === before;
  }

  /** Its changes are undone, for certain. */
  lost(): void {
    if (this.outcome) this.ends.discard?.(this.outcome.value);
    this.outcome = undefined;
  }

  done(): void {
    if (this.end() && this.outcome) this.ends.resolve(this.outcome.value);
  }

  fail(error: unknown): void {
    if (!this.end()) return;
    this.lost();
    this.ends.reject(error);
  }

  giveUp(): void {
    // After a run, its changes may have been sent.
    const isUncertain = this.outcome !== undefined && !this.isRead;
    this.fail(new StoreUnavailable('its world was busy for 5 s', isUncertain));
  }

  private end(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    const last = this.pending.pop();
    if (last && last !== this) this.pending[this.place] = last;
    if (last) last.place = this.place;
    return true;
  }
}
