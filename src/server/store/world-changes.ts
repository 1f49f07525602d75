import { hasMember, memberOf, setMember } from '../../../contract-tests/values/json.ts';
import { answersFrom } from '../../core/profiles/load.ts';
import type { Seeds } from '../../core/world/seeds.ts';
import { profileState, type WorldState } from '../../core/world/state.ts';
import type { StoreChange } from '../../core/world/store.ts';
import type { World, WorldCounts } from '../../core/world/world.ts';
import type { Rest, WorldChange, WorldsChange } from '../../core/world/world-change.ts';

// Changes of a world as stored: a change that only names a member is stored with its present value.

/** Table, id and the fields that an update set; or the record as it was put, `null` where it was deleted, and `true`. */
type WrittenRecord =
  | readonly [table: string, id: string, set: object]
  | readonly [table: string, id: string, record: object | null, isWhole: true];

export type WrittenChange =
  | WrittenRecord
  | Exclude<WorldChange, string | StoreChange | { readonly answers: unknown }>
  | Pick<WorldState, 'profile'>
  | { readonly counts: Omit<WorldCounts, 'rates'> };

/** Whether a change concerns only request counters. */
export const isCount = (change: WorldsChange['change']): boolean =>
  change === 'counts' || (typeof change === 'object' && 'caller' in change);

/** Fields that are the same object or value need not be written, unless one is gone. */
function writtenRecord({ table, id, record, before }: StoreChange): WrittenRecord {
  if (!record || !before) return [table, id, record, true];
  const known = before as Readonly<Record<string, unknown>>;
  const now = record as Readonly<Record<string, unknown>>;
  const set: Record<string, unknown> = {};
  for (const name in known) if (!hasMember(record, name)) return [table, id, record, true];
  for (const name in now) if (memberOf(now, name) !== memberOf(known, name)) setMember(set, name, memberOf(now, name));
  return [table, id, set];
}

/** Applies a change to a world in the state before it. */
export function applyChange(world: World, change: WrittenChange, seeds: Seeds): void {
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
  else if ('rule' in change) world.addRoute(change.rule);
  else if ('route' in change) world.countServed(change.route, change.times);
  else if ('taken' in change) world.takeSnapshot(change.taken, change.takenAt);
  else if ('dropped' in change) world.deleteSnapshot(change.dropped);
  else if ('restored' in change) {
    const snapshot = world.snapshots.get(change.restored);
    if (snapshot) world.restore(snapshot.image);
  } else if ('profile' in change) {
    const { seed, recordings } = world;
    const answers = answersFrom(change.profile);
    world.setAnswers(answers, seeds.layer({ seed, recordings, answers }));
  } else {
    const { clock, ...others } = change.rest;
    if (clock) world.clock.restore(clock);
    world.set(others);
  }
}

const isRecord = (change: WrittenChange): change is WrittenRecord => Array.isArray(change);

/** Collects the changes of a world. */
export class Changes {
  private readonly written: WrittenChange[] = [];
  private hasCounts = false;
  private isWhole = false;
  /** Whether applying them again gives the same state at little cost: counts may be long, and the origins of answers are not stored. */
  isReplayable = true;

  add(change: WorldChange): void {
    if (change === 'whole') this.isWhole = true;
    else if (change === 'counts') this.hasCounts = true;
    else if ('table' in change) this.written.push(writtenRecord(change));
    else if ('rest' in change) this.addRest(change.rest);
    else this.written.push('answers' in change ? { profile: profileState(change.answers) } : change);
    this.isReplayable &&= typeof change === 'object' && !('answers' in change);
  }

  /** Only the last of several values is stored. */
  private addRest(rest: Partial<Rest>): void {
    const last = this.written.at(-1);
    if (last && 'rest' in last) this.written[this.written.length - 1] = { rest: { ...last.rest, ...rest } };
    else this.written.push({ rest });
  }

  get isEmpty(): boolean {
    return this.written.length === 0 && !this.hasCounts && !this.isWhole;
  }

  /** The changes in order; `whole` if only the whole state can express them. */
  of(world: World): readonly WrittenChange[] | 'whole' {
    if (this.isWhole) return 'whole';
    if (!this.hasCounts) return this.written;
    const { rates: _, ...counts } = world.counts;
    return [...this.written, { counts }];
  }
}
