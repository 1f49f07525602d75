import type { TableName } from './store.ts';
import type { Keepable } from './world.ts';

/** A change of what a state file holds. Those of a world in their order lead from a saved state to the present one. */
export type WorldChange =
  /** A record that was added or replaced; null: deleted. */
  | { readonly table: TableName; readonly id: string; readonly record: object | null }
  /** A counter that ids are made from. */
  | { readonly counter: string; readonly count: number }
  | { readonly reset: readonly Keepable[] }
  /** Of the clock, the faults, planned statuses or your routes: small, and told as a whole. */
  | 'rest'
  /** Of so much that only the whole state tells it. */
  | 'whole';

/** A change of one of the worlds. */
export interface WorldsChange {
  /** The sandbox; '' for the main world. */
  readonly world: string;
  /** `made`: a sandbox as the main world started; `deleted`: it is gone. */
  readonly change: WorldChange | 'made' | 'deleted';
}
