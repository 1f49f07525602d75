import type { ApiKey, EndedToken, Pat, Recording, RefreshToken, Tenant, User } from './records.ts';
import { emptyImage, type IndexKeys, type Layer, Table, type TableImage } from './table.ts';

/** The initial records of every world of one seed. Built once, shared, immutable. */
export interface SeedLayer {
  readonly tenants: Layer<Tenant>;
  readonly users: Layer<User>;
  readonly recordings: Layer<Recording>;
  readonly apiKeys: Layer<ApiKey>;
}

interface Rows {
  readonly tenants: Tenant;
  readonly users: User;
  readonly recordings: Recording;
  readonly apiKeys: ApiKey;
  readonly refreshTokens: RefreshToken;
  readonly pats: Pat;
  readonly endedTokens: EndedToken;
}

export type TableName = keyof Rows;

const indexes: { readonly [Name in TableName]: IndexKeys<Rows[Name]> } = {
  tenants: { tid: ({ tid }) => tid },
  users: {
    email: ({ email }) => email.toLowerCase(),
    username: ({ username }) => username,
    oid: ({ sso }) => sso.oid,
    tid: ({ sso }) => sso.tid,
    upn: ({ sso }) => sso.upn,
  },
  recordings: { user: ({ user_id }) => user_id },
  apiKeys: { tenant: ({ tenant }) => tenant },
  refreshTokens: {},
  pats: {},
  endedTokens: {},
};

export const tableNames = Object.keys(indexes) as readonly TableName[];

/** The changes of a store, as in a state file. */
export type StoreChanges = Record<TableName, Record<string, unknown>>;

/** The changes of a store; immutable and shared. */
export type StoreImage = { readonly [Name in TableName]: TableImage<Rows[Name]> };

export interface StoreChange {
  /** Of the API, or of custom routes. */
  readonly table: string;
  readonly before: object | undefined;
  readonly after: object | undefined;
}

const eachTable = <T>(make: (name: TableName) => T): Record<TableName, T> =>
  Object.fromEntries(tableNames.map((name) => [name, make(name)])) as Record<TableName, T>;

/** The changes of a store without changes. */
export const emptyStore: StoreImage = eachTable(() => emptyImage);

/** The changes from those of a state file. */
export const storeImageFrom = (changes: Partial<StoreChanges>): StoreImage =>
  eachTable((name) => new Map(Object.entries(changes[name] ?? {}))) as StoreImage;

/** All records of a world. */
export type Store = { readonly [Name in TableName]: Table<Rows[Name]> };

/** An empty store, to be restored from an image. */
export const newStore = (changed: (change: StoreChange) => void): Store =>
  eachTable(
    (table) =>
      new Table(new Map<string, User>(), indexes[table] as IndexKeys<User>, (before, after) =>
        changed({ table, before, after }),
      ),
  ) as unknown as Store;

export const imageOfStore = (store: Store): StoreImage => eachTable((name) => store[name].image()) as StoreImage;

/** Replaces the changes by an image, over its seed. O(1). */
export function restoreStore(store: Store, image: StoreImage, seed: SeedLayer): void {
  for (const name of tableNames)
    (store[name] as unknown as Table<User>).restore(
      image[name] as TableImage<User>,
      (seed as unknown as Partial<Record<TableName, Layer<User>>>)[name],
    );
}
