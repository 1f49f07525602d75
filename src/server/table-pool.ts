import type { TableName } from '../core/world/store.ts';

/** The changes of a table as they were at one moment; never written to. */
export type Changes = ReadonlyMap<string, object | null>;

/** A table of the pool as JSON: whole, or what differs from an earlier one of the pool. */
export interface PooledTable {
  readonly changes: Readonly<Partial<Record<TableName, Readonly<Record<string, object | null>>>>>;
  /** Position of the one that it is based on, and ids that are not in this one. */
  readonly base?: number;
  readonly gone?: readonly string[];
}

interface Written {
  /** The table before it when it was written. */
  readonly before: Changes | undefined;
  /** Without its end, which says where the base stands. */
  readonly text: string;
  readonly isDelta: boolean;
}

/** Tables never change once they are shared, so that what was written of them before need not be written anew. */
const written = new WeakMap<Changes, Written>();

/**
 * The tables of several images, each once. Snapshots of one world have most of their records in common: a table is
 * written as what differs from the one of that name before it, where that is less.
 */
export class TablePool {
  private readonly tables: { readonly name: TableName; readonly changes: Changes; readonly before?: Changes }[] = [];
  private readonly positions = new Map<Changes, number>();
  private readonly latest = new Map<TableName, Changes>();

  /** @returns its position */
  add(name: TableName, changes: Changes): number {
    const known = this.positions.get(changes);
    if (known !== undefined) return known;
    const position = this.tables.length;
    const before = this.latest.get(name);
    this.tables.push({ name, changes, ...(before && { before }) });
    this.positions.set(changes, position);
    this.latest.set(name, changes);
    return position;
  }

  /** The JSON of all, in pieces: what a piece costs is bounded, whatever a table holds. */
  *pieces(): Generator<string> {
    let separator = '[';
    for (const { name, changes, before } of this.tables) {
      yield separator;
      separator = ',';
      const known = written.get(changes);
      const isDelta = known?.before === before ? known?.isDelta : undefined;
      if (known && isDelta !== undefined) yield known.text;
      yield this.endOf((isDelta ?? (yield* write(name, changes, before))) ? before : undefined);
    }
    yield this.tables.length === 0 ? '[]' : ']';
  }

  private endOf(base: Changes | undefined): string {
    return base === undefined ? '}' : `,"base":${this.positions.get(base)}}`;
  }
}

/** @returns whether it is written as what differs from the one before it */
function* write(name: TableName, changes: Changes, before: Changes | undefined): Generator<string, boolean> {
  const delta = before && deltaOf(before, changes);
  const pieces: string[] = [];
  for (const piece of membersOf(name, delta?.changes ?? changes, delta?.gone ?? [])) {
    pieces.push(piece);
    yield piece;
  }
  written.set(changes, { before, text: pieces.join(''), isDelta: delta !== undefined });
  return delta !== undefined;
}

/** `{"changes":{"users":{…}},"gone":[…]`, without its end. */
function* membersOf(name: TableName, changes: Changes, gone: readonly string[]): Generator<string> {
  let separator = `{"changes":{"${name}":{`;
  if (changes.size === 0) yield separator;
  for (const [id, record] of changes) {
    yield `${separator}${JSON.stringify(id)}:${JSON.stringify(record)}`;
    separator = ',';
  }
  yield '}}';
  if (gone.length > 0) yield `,"gone":${JSON.stringify(gone)}`;
}

/** What makes the table out of its base; `undefined` where that is not less, or would change the order of the records. */
function deltaOf(base: Changes, table: Changes): { changes: Changes; gone: readonly string[] } | undefined {
  const gone: string[] = [];
  const kept: string[] = [];
  for (const id of base.keys()) (table.has(id) ? kept : gone).push(id);
  const changes = new Map<string, object | null>();
  let at = 0;
  for (const [id, record] of table) {
    if (at < kept.length && kept[at] !== id) return undefined;
    at += 1;
    if (base.get(id) !== record) changes.set(id, record);
  }
  return 2 * (changes.size + gone.length) < table.size ? { changes, gone } : undefined;
}

/** The tables of a pool, whole again. They share the records that they have in common. */
export function tablesOf(pool: readonly PooledTable[]): Changes[] {
  const tables: Changes[] = [];
  for (const { changes, base, gone = [] } of pool) {
    const table = new Map(base === undefined ? undefined : tables[base]);
    for (const id of gone) table.delete(id);
    for (const [id, record] of Object.values(changes).flatMap((records) => Object.entries(records)))
      table.set(id, record);
    tables.push(table);
  }
  return tables;
}
