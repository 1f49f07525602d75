import type { WorldImage } from '../../core/world/state.ts';
import type { StoreChange } from '../../core/world/store.ts';
import type { World, WorldCounts } from '../../core/world/world.ts';
import type { WorldChange, WorldsChange } from '../../core/world/world-change.ts';

// Changes of a world as stored: a change that only names a member is stored with its present value.

/** Parts that are not stored change by change. */
type Rest = Pick<WorldImage, 'clock' | 'arms' | 'planned' | 'draws' | 'routes'>;

/** Table, id and the fields that an update set; or the record as it was put, `null` where it was deleted, and `true`. */
type WrittenRecord =
  | readonly [table: string, id: string, set: object]
  | readonly [table: string, id: string, record: object | null, isWhole: true];

export type WrittenChange =
  | WrittenRecord
  | Exclude<WorldChange, string | StoreChange>
  | { readonly rest: Rest }
  | { readonly counts: Omit<WorldCounts, 'rates'> };

/** Whether a change concerns only request counters. */
export const isCount = (change: WorldsChange['change']): boolean =>
  change === 'counts' || (typeof change === 'object' && 'caller' in change);

function restOf(world: World): { readonly rest: Rest } {
  const { clock, arms, planned, draws, routes } = world.image();
  return { rest: { clock, arms, planned, draws, routes } };
}

/** Fields that are the same object or value need not be written, unless one is gone. */
function writtenRecord({ table, id, record, before }: StoreChange): WrittenRecord {
  if (!record || !before) return [table, id, record, true];
  const known = before as Readonly<Record<string, unknown>>;
  const now = record as Readonly<Record<string, unknown>>;
  const set: Record<string, unknown> = {};
  for (const name in known) if (!(name in record)) return [table, id, record, true];
  for (const name in now) if (now[name] !== known[name]) set[name] = now[name];
  return [table, id, set];
}

/** Applies a change to a world in the state before it. */
export function applyChange(world: World, change: WrittenChange): void {
  if (isRecord(change)) {
    const [name, id, fields, isWhole] = change;
    const table = world.tables.of(name);
    const record = isWhole ? fields : { ...table.get(id), ...fields };
    if (record) table.put(record as never);
    else table.delete(id);
  } else if ('counter' in change) world.ids.resume(change.counter, change.count);
  else if ('reset' in change) world.reset(change.reset);
  else if ('caller' in change) world.rates.set(change);
  else if ('counts' in change) world.counts = { ...change.counts, rates: world.rates.image() };
  else {
    // Restoring an image restarts the counters.
    const { counts } = world;
    world.restore({ ...world.image(), ...change.rest });
    world.counts = counts;
  }
}

const isRecord = (change: WrittenChange): change is WrittenRecord => Array.isArray(change);

/** Collects the changes of a world. */
export class Changes {
  private readonly written: WrittenChange[] = [];
  private hasRest = false;
  private hasCounts = false;
  private isWhole = false;

  add(change: WorldChange): void {
    if (change === 'whole') this.isWhole = true;
    else if (change === 'counts') this.hasCounts = true;
    else if (change === 'rest') this.hasRest = true;
    else this.written.push('table' in change ? writtenRecord(change) : change);
  }

  get isEmpty(): boolean {
    return this.written.length === 0 && !this.hasRest && !this.hasCounts && !this.isWhole;
  }

  /** Whether all are of records or counters, which are as small as their requests. */
  get areRecords(): boolean {
    return !this.hasRest && !this.hasCounts;
  }

  /** The changes in order; `whole` if only the whole state can express them. */
  of(world: World): readonly WrittenChange[] | 'whole' {
    if (this.isWhole) return 'whole';
    if (this.areRecords) return this.written;
    const { rates: _, ...counts } = world.counts;
    return [...this.written, ...(this.hasRest ? [restOf(world)] : []), ...(this.hasCounts ? [{ counts }] : [])];
  }
}
