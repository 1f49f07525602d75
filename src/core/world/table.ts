import type { IndexKeys, Layer } from './layer.ts';

/** The changes of a table; immutable, so that worlds and snapshots can share them. */
export interface TableImage<T> {
  readonly changes: ReadonlyMap<string, T | null>;
  readonly indexChanges: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
}

export const emptyImage: TableImage<never> = { changes: new Map(), indexChanges: new Map() };

const maxFound = 100;

/** Called on each change with the record before and after. */
export type TableListener<T> = (before: T | undefined, after: T | undefined) => void;

/** Records of one kind: a shared, immutable layer and this world's changes. Copying is O(1), the next change O(changes). */
export class Table<T extends { readonly id: string }> {
  private changes = new Map<string, T | null>();
  /** index name -> key -> ids; complete lists, only of changed keys. */
  private indexChanges = new Map<string, Map<string, readonly string[]>>();
  /** Lookups since the last change: index name -> key -> records. */
  private found: Record<string, Map<string, readonly T[]>> = {};
  /** The maps are shared with an image, and are copied before a write. */
  private isShared = false;

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
    this.copyIfShared();
    const before = this.get(record.id);
    this.reindex(before, record);
    this.changes.set(record.id, record);
    this.found = {};
    this.changed(before, record);
  }

  delete(id: string): void {
    const before = this.get(id);
    if (!before) return;
    this.copyIfShared();
    this.reindex(before, undefined);
    // A record that the layer below lacks needs no deletion mark.
    if (this.below.get(id) === undefined) this.changes.delete(id);
    else this.changes.set(id, null);
    this.found = {};
    this.changed(before, undefined);
  }

  /** The records with `key` in an index, in insertion order; the same list until a change. */
  lookup(index: string, key: string): readonly T[] {
    this.found[index] ??= new Map();
    const known = this.found[index].get(key);
    if (known) return known;
    const records = this.idsUnder(index, key).flatMap((id) => this.get(id) ?? []);
    // Keys come from clients.
    if (this.found[index].size >= maxFound) this.found[index].clear();
    this.found[index].set(key, records);
    return records;
  }

  /** All ids, shared records first. Generates no record. */
  *ids(): Generator<string> {
    for (const id of this.below.ids()) if (this.changes.get(id) !== null) yield id;
    for (const [id, record] of this.changes) if (record && this.below.get(id) === undefined) yield id;
  }

  /** All records, shared ones first. O(records): not for requests of the API. */
  *all(): Generator<T> {
    for (const id of this.ids()) {
      const record = this.get(id);
      if (record) yield record;
    }
  }

  /** The records that this world added or changed. */
  *changedRecords(): Generator<T> {
    for (const record of this.changes.values()) if (record) yield record;
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
    return { changes: this.changes, indexChanges: this.indexChanges };
  }

  /** Whether nothing was written since this image was taken or restored. */
  isAt(image: TableImage<T>): boolean {
    return this.changes === image.changes;
  }

  /** Replaces the changes by `image`, and the layer below if one is given. */
  restore(image: TableImage<T>, below: Layer<T> = this.below): void {
    this.below = below;
    this.found = {};
    // Never written to while shared.
    this.changes = image.changes as Map<string, T | null>;
    this.indexChanges = image.indexChanges as Map<string, Map<string, readonly string[]>>;
    this.isShared = true;
  }

  reset(): void {
    this.restore(emptyImage);
  }

  /** Applies the changes of a state file: id -> record, or null if deleted. */
  apply(changes: Readonly<Record<string, T | null>>): void {
    for (const [id, record] of Object.entries(changes)) {
      if (record) this.put(record);
      else this.delete(id);
    }
  }

  private copyIfShared(): void {
    if (!this.isShared) return;
    this.changes = new Map(this.changes);
    this.indexChanges = new Map([...this.indexChanges].map(([name, index]) => [name, new Map(index)]));
    this.isShared = false;
  }

  private idsUnder(index: string, key: string): readonly string[] {
    return this.indexChanges.get(index)?.get(key) ?? this.below.lookup(index, key);
  }

  private reindex(before: T | undefined, after: T | undefined): void {
    for (const [name, keyOf] of Object.entries(this.keys)) {
      const from = before && keyOf(before);
      const to = after && keyOf(after);
      if (from === to) continue;
      const index = this.indexChanges.get(name) ?? new Map<string, readonly string[]>();
      this.indexChanges.set(name, index);
      if (before && from !== undefined)
        index.set(
          from,
          this.idsUnder(name, from).filter((id) => id !== before.id),
        );
      if (after && to !== undefined) index.set(to, [...this.idsUnder(name, to), after.id]);
    }
  }
}
