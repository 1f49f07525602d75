/** The index keys of a record: index name -> key. */
export type IndexKeys<T> = Readonly<Record<string, (record: T) => string>>;

/** Immutable records by id, shared by all worlds of one seed: a map, or one that generates some of them on first access. */
export interface Layer<T> {
  readonly size: number;
  /** How many of them are generated. */
  readonly invented?: number;
  get(id: string): T | undefined;
  keys(): Iterable<string>;
  /** Those that are not generated: only these are indexed. */
  values(): Iterable<T>;
}

export const layerOf = <T extends { readonly id: string }>(records: readonly T[]): ReadonlyMap<string, T> =>
  new Map(records.map((record) => [record.id, record]));

/** The changes of a table, id -> record, or null if deleted; immutable, so that worlds and snapshots can share them. */
export type TableImage<T> = ReadonlyMap<string, T | null>;

export const emptyImage: TableImage<never> = new Map();

const none: readonly never[] = [];

/** Called on each change with the record before and after. */
export type TableListener<T> = (before: T | undefined, after: T | undefined) => void;

/** Records of one kind: a shared, immutable layer and this world's changes. Copying is O(1), the next change O(changes). */
export class Table<T extends { readonly id: string }> {
  private changes = emptyImage as Map<string, T | null>;
  /** The changes are shared with an image, and are copied before a write. */
  private isShared = true;
  /** index name -> key -> records, of the indexes used so far. */
  private lists = new Map<string, Map<string, readonly T[]>>();

  constructor(
    private below: Layer<T>,
    private readonly keys: IndexKeys<T> = {},
    private readonly changed: TableListener<T> = () => {},
  ) {}

  get(id: string): T | undefined {
    const change = this.changes.get(id);
    return change === undefined ? this.below.get(id) : (change ?? undefined);
  }

  put(record: T): void {
    const before = this.get(record.id);
    this.write(record.id, record);
    this.relist(before, record);
    this.changed(before, record);
  }

  delete(id: string): void {
    const before = this.get(id);
    if (!before) return;
    this.write(id, null);
    this.relist(before, undefined);
    this.changed(before, undefined);
  }

  /** The records with `key` in an index, in insertion order; the same list until one of them changes. */
  lookup(index: string, key: string): readonly T[] {
    const lists = this.lists.get(index) ?? this.makeLists(index);
    return lists.get(key) ?? none;
  }

  /** All ids, shared records first. Generates no record. */
  *ids(): Generator<string> {
    for (const id of this.below.keys()) if (this.changes.get(id) !== null) yield id;
    for (const [id, record] of this.changes) if (record && this.below.get(id) === undefined) yield id;
  }

  /** All records, shared ones first. O(records): not for requests of the API. */
  *all(): Generator<T> {
    for (const id of this.ids()) {
      const record = this.get(id);
      if (record) yield record;
    }
  }

  get size(): number {
    let size = this.below.size;
    for (const [id, record] of this.changes) {
      const isNew = this.below.get(id) === undefined;
      if (record && isNew) size += 1;
      if (!record && !isNew) size -= 1;
    }
    return size;
  }

  /** Number of records that differ from the layer below. */
  get changeCount(): number {
    return this.changes.size;
  }

  image(): TableImage<T> {
    this.isShared = true;
    return this.changes;
  }

  /** Replaces the changes by `image`, and the layer below if one is given. */
  restore(image: TableImage<T>, below: Layer<T> = this.below): void {
    this.below = below;
    this.lists.clear();
    // Never written to while shared.
    this.changes = image as Map<string, T | null>;
    this.isShared = true;
  }

  private write(id: string, change: T | null): void {
    if (this.isShared) this.changes = new Map(this.changes);
    this.isShared = false;
    // A record that the layer below lacks needs no deletion mark.
    if (change === null && this.below.get(id) === undefined) this.changes.delete(id);
    else this.changes.set(id, change);
  }

  private makeLists(index: string): Map<string, readonly T[]> {
    const records = new Map(Array.from(this.below.values(), (record) => [record.id, record]));
    for (const [id, record] of this.changes) {
      if (record) records.set(id, record);
      else records.delete(id);
    }
    const lists = new Map<string, T[]>();
    for (const record of records.values()) {
      const key = this.keyOf(index, record);
      const list = lists.get(key);
      if (list) list.push(record);
      else lists.set(key, [record]);
    }
    this.lists.set(index, lists);
    return lists;
  }

  private relist(before: T | undefined, after: T | undefined): void {
    for (const [index, lists] of this.lists) {
      const [from, to] = [before, after].map((record) => record && this.keyOf(index, record));
      if (after && to !== undefined && from === to) {
        const changed = (lists.get(to) ?? none).map((one) => (one.id === after.id ? after : one));
        lists.set(to, changed);
        continue;
      }
      if (from !== undefined)
        lists.set(
          from,
          (lists.get(from) ?? none).filter((one) => one.id !== before?.id),
        );
      if (after && to !== undefined) lists.set(to, [...(lists.get(to) ?? none), after]);
    }
  }

  private keyOf = (index: string, record: T): string => this.keys[index]?.(record) ?? '';
}
