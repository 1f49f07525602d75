import type { RouteRule } from '../custom-routes/route.ts';
import type { Answers } from '../profiles/answers.ts';
import type { WorldImage } from './state.ts';
import type { StoreChange } from './store.ts';

export type Keepable = 'clock' | 'faults' | 'profile';

export interface RateCount {
  readonly caller: string;
  readonly minute: number;
  readonly made: number;
}

/** Parts of an image that are replaced one by one. */
export type Rest = Pick<WorldImage, 'clock' | 'arms' | 'planned' | 'draws' | 'routes'>;

/** A change of a world. Applied in order, changes lead from an earlier state to the present one. */
export type WorldChange =
  | StoreChange
  /** A counter that ids are made from. */
  | { readonly counter: string; readonly count: number }
  | { readonly reset: readonly Keepable[] }
  /** Number of a caller's requests in a minute, for the rate limit. */
  | RateCount
  | { readonly rest: Partial<Rest> }
  /** A custom route that was added. */
  | { readonly rule: RouteRule }
  /** Answers of a custom route: one more, or one less. */
  | { readonly route: string; readonly times: 1 | -1 }
  /** Other answers to gaps; changed records are translated. */
  | { readonly answers: Answers }
  /** Names of snapshots. */
  | { readonly taken: string; readonly takenAt: number }
  | { readonly dropped: string }
  | { readonly restored: string }
  /** Too large: only the whole state expresses it. */
  | 'whole'
  /** Of request counters: hits and turns of faults, violations. Not part of an image. */
  | 'counts';

export interface WorldsChange {
  /** The sandbox; '' for the main world. */
  readonly world: string;
  /** `made`: a sandbox as the main world started; `deleted`: it is gone. */
  readonly change: WorldChange | 'made' | 'deleted';
}

/** Counts requests per minute and caller on the world's clock, in fixed windows. */
export class RateCounter {
  private minute = -1;
  private counts = new Map<string, number>();

  /** @param counted called after each counted request */
  constructor(private readonly counted: (count: RateCount) => void = () => {}) {}

  /** Counts a request at `now` (ms since 1970): requests of this minute with this one, and the seconds that are left of it. */
  count(caller: string, now: number): { made: number; secondsLeft: number } {
    const minute = Math.floor(now / 60_000);
    const made = this.minute === minute ? (this.counts.get(caller) ?? 0) + 1 : 1;
    this.set({ caller, minute, made });
    return { made, secondsLeft: Math.max(1, Math.ceil(((minute + 1) * 60_000 - now) / 1000)) };
  }

  /** Sets a caller's count for a minute; forgets other minutes. */
  set(count: RateCount): void {
    const { caller, minute, made } = count;
    if (minute !== this.minute) {
      this.minute = minute;
      this.counts = new Map();
    }
    this.counts.set(caller, made);
    this.counted(count);
  }

  image(): RateCount[] {
    return [...this.counts].map(([caller, made]) => ({ caller, minute: this.minute, made }));
  }

  reset(): void {
    this.minute = -1;
    this.counts = new Map();
  }
}
