import { type CustomJson, customImage, customJson } from '../../core/world/custom-state.ts';
import type { WorldImage } from '../../core/world/image.ts';
import type { World, WorldCounts } from '../../core/world/world.ts';
import type { WorldChange, WorldsChange } from '../../core/world/world-change.ts';

// Changes of a world as stored: a change that only names a member is stored with its present value.

/** Parts that are not stored change by change. */
type Rest = Pick<WorldImage, 'clock' | 'arms' | 'planned' | 'draws'> & { readonly own?: CustomJson };

/** A change as JSON. */
export type WrittenChange =
  | Exclude<WorldChange, string>
  | { readonly rest: Rest }
  | { readonly counts: Omit<WorldCounts, 'rates'> };

/** Whether a change concerns only request counters. */
export const isCount = (change: WorldsChange['change']): boolean =>
  change === 'counts' || (typeof change === 'object' && 'caller' in change);

/** The parts of a world that are not stored change by change. */
export function restOf(world: World): { readonly rest: Rest } {
  const { clock, arms, planned, draws, custom } = world.image();
  const own = customJson(custom);
  return { rest: { clock, arms, planned, draws, ...(own && { own }) } };
}

function countsOf({ counts: { rates: _, ...counts } }: World): WrittenChange {
  return { counts };
}

/**
 * Applies a change to a world in the state before it.
 * @param moved converts a record that was written under other answers
 */
export function applyChange(
  world: World,
  change: WrittenChange,
  moved: (table: string, record: object) => object = (_table, record) => record,
): void {
  if ('counter' in change) world.ids.resume(change.counter, change.count);
  else if ('reset' in change) world.reset(change.reset);
  else if ('caller' in change) world.rates.set(change);
  else if ('counts' in change) world.counts = { ...change.counts, rates: world.rates.image() };
  else if ('rest' in change) {
    // Restoring an image restarts the counters.
    const { counts } = world;
    const { own, ...rest } = change.rest;
    world.restore({ ...world.image(), ...rest, custom: customImage(own) });
    world.counts = counts;
  } else {
    const { table, id, record } = change;
    world.store.apply({ [table]: { [id]: record && moved(table, record) } });
  }
}

/** Collects the changes of a world. */
export class Changes {
  private written: WrittenChange[] = [];
  private hasRest = false;
  private hasCounts = false;
  private isWhole = false;

  add(change: WorldChange): void {
    if (change === 'whole') this.isWhole = true;
    else if (change === 'counts') this.hasCounts = true;
    else if (change === 'rest') this.hasRest = true;
    else this.written.push(change);
  }

  get isEmpty(): boolean {
    return this.written.length === 0 && !this.hasRest && !this.hasCounts && !this.isWhole;
  }

  /** The changes in order; `whole` if only the whole state can express them. */
  of(world: World): readonly WrittenChange[] | 'whole' {
    if (this.isWhole) return 'whole';
    return [...this.written, ...(this.hasRest ? [restOf(world)] : []), ...(this.hasCounts ? [countsOf(world)] : [])];
  }

  clear(): void {
    this.written = [];
    this.hasRest = false;
    this.hasCounts = false;
    this.isWhole = false;
  }
}
