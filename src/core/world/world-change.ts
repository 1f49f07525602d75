import type { TableName } from './store.ts';

export type Keepable = 'clock' | 'faults' | 'profile';

export interface RateCount {
  readonly caller: string;
  readonly minute: number;
  readonly made: number;
}

/** A change of a world. Applied in order, changes lead from an earlier state to the present one. */
export type WorldChange =
  /** A record that was added or replaced, and what it replaced; null: deleted. */
  | {
      readonly table: TableName;
      readonly id: string;
      readonly record: object | null;
      readonly before: object | undefined;
    }
  /** A counter that ids are made from. */
  | { readonly counter: string; readonly count: number }
  | { readonly reset: readonly Keepable[] }
  /** Number of a caller's requests in a minute, for the rate limit. */
  | RateCount
  /** Of the clock, faults, planned statuses or custom routes: small, so stored as a whole. */
  | 'rest'
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
