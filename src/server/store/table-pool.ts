/** An immutable copy of a table's changes. */
export type Changes = ReadonlyMap<string, object | null>;

/** A table of the pool as JSON: whole, or as a difference from an earlier one. */
export interface PooledTable {
  readonly records: Readonly<Record<string, object | null>>;
  /** Position of its base, and the ids that it lacks. */
  readonly base?: number | undefined;
  readonly gone?: readonly string[];
}

/**
 * The tables of several images, each stored once. Snapshots of one world share most of their records: a table is written as the
 * difference from the previous one of the same name, if that is shorter.
 */
export class TablePool {
  readonly tables: PooledTable[] = [];
  private readonly positions = new Map<Changes, number>();
  private readonly latest = new Map<string, Changes>();

  /** @returns its position */
  add(name: string, changes: Changes): number {
    const known = this.positions.get(changes);
    if (known !== undefined) return known;
    const before = this.latest.get(name);
    const delta = before && deltaOf(before, changes);
    this.positions.set(changes, this.tables.length);
    this.latest.set(name, changes);
    if (!delta) return this.tables.push({ records: Object.fromEntries(changes) }) - 1;
    const { records, gone } = delta;
    return this.tables.push({ records, gone, base: this.positions.get(before) }) - 1;
  }
}

/** The difference of a table from its base; `undefined` if it is not shorter, or would change the order of records. */
function deltaOf(base: Changes, table: Changes): Required<Pick<PooledTable, 'records' | 'gone'>> | undefined {
  const gone: string[] = [];
  const kept: string[] = [];
  for (const id of base.keys()) (table.has(id) ? kept : gone).push(id);
  const changes: [string, object | null][] = [];
  let at = 0;
  for (const [id, record] of table) {
    if (at < kept.length && kept[at] !== id) return undefined;
    at += 1;
    if (base.get(id) !== record) changes.push([id, record]);
  }
  return 2 * (changes.length + gone.length) < table.size ? { records: Object.fromEntries(changes), gone } : undefined;
}

/** The tables of a pool, restored. They share equal records. */
export function tablesOf(pool: readonly PooledTable[]): Changes[] {
  const tables: Changes[] = [];
  for (const { records, base, gone = [] } of pool) {
    const table = new Map(base === undefined ? undefined : tables[base]);
    for (const id of gone) table.delete(id);
    for (const [id, record] of Object.entries(records)) table.set(id, record);
    tables.push(table);
  }
  return tables;
}
