import { memberOf } from '../../../contract-tests/values/json.ts';
/** The index keys of a record: index name -> key. */
export type IndexKeys<T> = Readonly<Record<string, (record: T) => string>>;

/** Immutable records by id, shared by all worlds of one seed: a map, or one that generates some of them on first access. */
export interface Layer<T> {
  readonly size: number;
  /** How many of them are generated. */
  readonly invented?: number;
  get(id: string): T | undefined;
  has(id: string): boolean;
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

/** An index of a layer: the ids by key, and the keys by id. */
interface LayerIndex {
  readonly ids: ReadonlyMap<string, readonly string[]>;
  readonly keys: ReadonlyMap<string, string>;
}

const layerIndexes = new WeakMap<object, Map<string, LayerIndex>>();

/** Made once for all worlds that share the layer. */
function layerIndexOf<T extends { readonly id: string }>(layer: Layer<T>, name: string, keyOf: (record: T) => string) {
  const all = layerIndexes.get(layer) ?? new Map<string, LayerIndex>();
  layerIndexes.set(layer, all);
  const known = all.get(name);
  if (known) return known;
  const keys = new Map(Array.from(layer.values(), (record) => [record.id, keyOf(record)]));
  const ids = new Map<string, string[]>();
  for (const [id, key] of keys) {
    const list = ids.get(key);
    if (list) list.push(id);
    else ids.set(key, [id]);
  }
  const index = { ids, keys };
  all.set(name, index);
  return index;
}

const maxFound = 100;

/** Records of one kind: a shared, immutable layer and this world's changes. Copying is O(1), the next change O(changes). */
export class Table<T extends { readonly id: string }> {
  private changes = emptyImage as Map<string, T | null>;
  /** The changes are shared with an image, and are copied before a write. */
  private isShared = true;
  /** index name -> key -> ids, of the indexes used so far: only the keys under which there are others than in the layer. */
  private moved = new Map<string, Map<string, readonly string[]>>();
  /** Lookups since the last change. */
  private found = new Map<string, readonly T[]>();

  constructor(
    private below: Layer<T>,
    private readonly keys: IndexKeys<T> = {},
    private readonly changed: (id: string, before: T | undefined, after: T | undefined) => void = () => {},
  ) {}

  get(id: string): T | undefined {
    const change = this.changes.get(id);
    return change === undefined ? this.below.get(id) : (change ?? undefined);
  }

  put(record: T): void {
    const before = this.get(record.id);
    this.write(record.id, record);
    this.relist(before, record);
    this.changed(record.id, before, record);
  }

  delete(id: string): void {
    const before = this.get(id);
    if (!before) return;
    this.write(id, null);
    this.relist(before, undefined);
    this.changed(id, before, undefined);
  }

  /** The records with `key` in an index, in insertion order; the same list until a change. */
  lookup(index: string, key: string): readonly T[] {
    const question = `${index} ${key}`;
    const known = this.found.get(question);
    if (known) return known;
    const records = this.idsUnder(index, key).flatMap((id) => this.get(id) ?? []);
    // Keys come from clients.
    if (this.found.size >= maxFound) this.found.clear();
    this.found.set(question, records);
    return records;
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
    this.moved.clear();
    this.found = new Map();
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

  private idsUnder(index: string, key: string): readonly string[] {
    const moved = this.moved.get(index) ?? this.movedIn(index);
    return moved.get(key) ?? this.layerIndex(index).ids.get(key) ?? none;
  }

  private layerIndex = (index: string): LayerIndex =>
    layerIndexOf(this.below, index, (record) => this.keyOf(index, record));

  /** What the changes so far come to in an index. */
  private movedIn(index: string): Map<string, readonly string[]> {
    const moved = new Map<string, readonly string[]>();
    this.moved.set(index, moved);
    for (const [id, record] of this.changes)
      this.move(index, moved, id, this.layerIndex(index).keys.get(id), record ?? undefined);
    return moved;
  }

  private relist(before: T | undefined, after: T | undefined): void {
    if (this.found.size > 0) this.found = new Map();
    for (const [index, moved] of this.moved)
      this.move(index, moved, (before ?? after)?.id ?? '', before && this.keyOf(index, before), after);
  }

  private move(
    index: string,
    moved: Map<string, readonly string[]>,
    id: string,
    from: string | undefined,
    after: T | undefined,
  ): void {
    const to = after && this.keyOf(index, after);
    // Generated ones are found by their ids only.
    if (from === to || (this.below.has(id) && !this.layerIndex(index).keys.has(id))) return;
    if (from !== undefined)
      moved.set(
        from,
        this.idsUnder(index, from).filter((one) => one !== id),
      );
    if (to !== undefined) moved.set(to, [...this.idsUnder(index, to), id]);
  }

  private keyOf = (index: string, record: T): string => memberOf(this.keys, index)?.(record) ?? '';
}
