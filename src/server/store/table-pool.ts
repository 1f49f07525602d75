import type { TableName } from '../../core/world/store.ts';

/** The changes of a table as they were at one moment; never written to. */
export type Changes = ReadonlyMap<string, object | null>;

/** A table of the pool as JSON: whole, or what differs from an earlier one of the pool. */
export interface PooledTable {
  readonly records: Readonly<Record<string, object | null>>;
  /** Position of the one that it is based on, and ids that are not in this one. */
  readonly base?: number | undefined;
  readonly gone?: readonly string[];
}

/**
 * The tables of several images, each once. Snapshots of one world have most of their records in common: a table is
 * written as what differs from the one of that name before it, where that is less.
 */
export class TablePool {
  readonly tables: PooledTable[] = [];
  private readonly positions = new Map<Changes, number>();
  private readonly latest = new Map<TableName, Changes>();

  /** @returns its position */
  add(name: TableName, changes: Changes): number {
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

/** What makes the table out of its base; `undefined` where that is not less, or would change the order of the records. */
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

/** The tables of a pool, whole again. They share the records that they have in common. */
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
