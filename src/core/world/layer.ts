/** The index keys of a record: index name -> key. */
export type IndexKeys<T> = Readonly<Record<string, (record: T) => string | undefined>>;

/** Immutable records, shared by all worlds of one seed. */
export interface Layer<T> {
  readonly size: number;
  readonly invented: number;
  get(id: string): T | undefined;
  ids(): Iterable<string>;
  /** Ids of the records with `key` in the index. */
  lookup(index: string, key: string): readonly string[];
}

/** A layer of existing records. */
export class FixedLayer<T extends { readonly id: string }> implements Layer<T> {
  readonly invented = 0;
  private readonly records: ReadonlyMap<string, T>;
  private readonly indexes = new Map<string, Map<string, string[]>>();

  constructor(records: Iterable<T>, keys: IndexKeys<T> = {}) {
    this.records = new Map([...records].map((record) => [record.id, record]));
    for (const [name, keyOf] of Object.entries(keys)) this.indexes.set(name, indexBy(this.records.values(), keyOf));
  }

  get size(): number {
    return this.records.size;
  }

  get(id: string): T | undefined {
    return this.records.get(id);
  }

  ids(): Iterable<string> {
    return this.records.keys();
  }

  lookup(index: string, key: string): readonly string[] {
    return this.indexes.get(index)?.get(key) ?? [];
  }
}

function indexBy<T extends { readonly id: string }>(
  records: Iterable<T>,
  keyOf: (record: T) => string | undefined,
): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const record of records) {
    const key = keyOf(record);
    if (key === undefined) continue;
    const ids = index.get(key);
    if (ids) ids.push(record.id);
    else index.set(key, [record.id]);
  }
  return index;
}

/** Maximum number of generated records to keep: a reader of a million must not keep them all in memory. */
const maxGenerated = 20_000;

/** A layer that generates records on first access, so that 100,000 of them do not delay start-up. */
export class LazyLayer<T extends { readonly id: string }> implements Layer<T> {
  private readonly generated = new Map<string, T>();

  constructor(
    private readonly fixed: FixedLayer<T>,
    private readonly positions: ReadonlyMap<string, number>,
    private readonly create: (position: number) => T,
  ) {}

  get size(): number {
    return this.fixed.size + this.invented;
  }

  get invented(): number {
    return this.positions.size;
  }

  get(id: string): T | undefined {
    return this.fixed.get(id) ?? this.generated.get(id) ?? this.generate(id);
  }

  *ids(): Iterable<string> {
    yield* this.fixed.ids();
    yield* this.positions.keys();
  }

  /** Only hand-written records are indexed; operations look up the others by id only. */
  lookup(index: string, key: string): readonly string[] {
    return this.fixed.lookup(index, key);
  }

  private generate(id: string): T | undefined {
    const position = this.positions.get(id);
    if (position === undefined) return undefined;
    const record = this.create(position);
    const [oldest] = this.generated.keys();
    if (this.generated.size >= maxGenerated && oldest !== undefined) this.generated.delete(oldest);
    this.generated.set(id, record);
    return record;
  }
}
