import type { WorldImage } from '../../core/world/image.ts';
import { type OwnState, ownImage, ownState } from '../../core/world/own.ts';
import type { World, WorldCounts } from '../../core/world/world.ts';
import type { WorldChange, WorldsChange } from '../../core/world/world-change.ts';

// Changes of a world as they are written down: what is told as a name only comes with its present value.

/** What is not told change by change. */
type Rest = Pick<WorldImage, 'clock' | 'arms' | 'planned' | 'draws'> & { readonly own?: OwnState };

/** A change as JSON. */
export type WrittenChange =
  | Exclude<WorldChange, string>
  | { readonly rest: Rest }
  | { readonly counts: Omit<WorldCounts, 'rates'> };

/** Whether a change is only of what is counted of requests. */
export const isCount = (change: WorldsChange['change']): boolean =>
  change === 'counts' || (typeof change === 'object' && 'caller' in change);

/** What a world has that is not told change by change. */
export function restOf(world: World): { readonly rest: Rest } {
  const { clock, arms, planned, draws, own } = world.image();
  const yours = ownState(own);
  return { rest: { clock, arms, planned, draws, ...(yours && { own: yours }) } };
}

function countsOf({ counts: { rates: _, ...counts } }: World): WrittenChange {
  return { counts };
}

/**
 * Applies a change to the world that it came from, as that was before it.
 * @param moved changes a record that was written under other answers
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
    // Restoring an image begins counting anew.
    const { counts } = world;
    const { own, ...rest } = change.rest;
    world.restore({ ...world.image(), ...rest, own: ownImage(own) });
    world.counts = counts;
  } else {
    const { table, id, record } = change;
    world.store.apply({ [table]: { [id]: record && moved(table, record) } });
  }
}

/** Collects what changes in a world. */
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

  /** The changes in their order; `whole` where only the whole state tells them. */
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
