import { FixedLayer, type IndexKeys, type Layer } from './layer.ts';
import type { ApiKey, EndedToken, Pat, Recording, RefreshToken, Tenant, User } from './records.ts';
import { emptyImage, Table, type TableImage } from './table.ts';

/** What every world of one seed starts from. Built once, shared, never changed. */
export interface SeedLayer {
  readonly tenants: Layer<Tenant>;
  readonly users: Layer<User>;
  readonly recordings: Layer<Recording>;
  readonly apiKeys: Layer<ApiKey>;
}

/** How operations look records up, other than by id. */
export const indexes = {
  tenants: { tid: (tenant: Tenant) => tenant.tid },
  users: {
    email: (user: User) => user.email.toLowerCase(),
    username: (user: User) => user.username,
    oid: (user: User) => user.sso.oid,
    tid: (user: User) => user.sso.tid,
    upn: (user: User) => user.sso.upn,
  },
  recordings: { user: (recording: Recording) => recording.user_id },
  apiKeys: { tenant: (key: ApiKey) => key.tenant },
} satisfies {
  tenants: IndexKeys<Tenant>;
  users: IndexKeys<User>;
  recordings: IndexKeys<Recording>;
  apiKeys: IndexKeys<ApiKey>;
};

export const tableNames = [
  'tenants',
  'users',
  'recordings',
  'apiKeys',
  'refreshTokens',
  'pats',
  'endedTokens',
] as const;
export type TableName = (typeof tableNames)[number];

/** The changes of a store, as a state file keeps them. */
export type StoreChanges = Record<TableName, Record<string, unknown>>;

/** What was changed in a store; immutable, shared by whoever holds it. */
export type StoreImage = Readonly<Record<TableName, TableImage<never>>>;

/** One change of a record. */
export interface StoreChange {
  readonly table: TableName;
  readonly before: object | undefined;
  readonly after: object | undefined;
}

const none = <T extends { readonly id: string }>() => new FixedLayer<T>([]);

/** All records of a world. */
export class Store {
  readonly tenants: Table<Tenant>;
  readonly users: Table<User>;
  readonly recordings: Table<Recording>;
  readonly apiKeys: Table<ApiKey>;
  readonly refreshTokens: Table<RefreshToken>;
  readonly pats: Table<Pat>;
  /** Access tokens that were ended before their time. */
  readonly endedTokens: Table<EndedToken>;

  constructor(seed: SeedLayer, changed: (change: StoreChange) => void = () => {}) {
    const told =
      (table: TableName) =>
      (before: object | undefined, after: object | undefined): void =>
        changed({ table, before, after });
    this.tenants = new Table(seed.tenants, indexes.tenants, told('tenants'));
    this.users = new Table(seed.users, indexes.users, told('users'));
    this.recordings = new Table(seed.recordings, indexes.recordings, told('recordings'));
    this.apiKeys = new Table(seed.apiKeys, indexes.apiKeys, told('apiKeys'));
    this.refreshTokens = new Table(none<RefreshToken>(), {}, told('refreshTokens'));
    this.pats = new Table(none<Pat>(), {}, told('pats'));
    this.endedTokens = new Table(none<EndedToken>(), {}, told('endedTokens'));
  }

  /** How many records differ from the seed. */
  get changeCount(): number {
    return tableNames.reduce((sum, name) => sum + this[name].changeCount, 0);
  }

  /** What was changed, as it is now. O(1). */
  image(): StoreImage {
    return Object.fromEntries(tableNames.map((name) => [name, this[name].image()])) as unknown as StoreImage;
  }

  /** Whether nothing was written since this image was taken or restored. */
  isAt(image: StoreImage): boolean {
    return tableNames.every((name) => this[name].isAt(image[name]));
  }

  /** Replaces what was changed by an image, over the seed that it was taken over. O(1). */
  restore(image: StoreImage, seed: SeedLayer): void {
    for (const name of tableNames)
      (this[name] as unknown as Table<User>).restore(
        image[name],
        (seed as unknown as Partial<Record<TableName, Layer<User>>>)[name],
      );
  }

  toJSON(): StoreChanges {
    return Object.fromEntries(tableNames.map((name) => [name, this[name].toJSON()])) as StoreChanges;
  }

  /** Applies changes that toJSON gave. */
  apply(changes: Partial<StoreChanges>): void {
    for (const name of tableNames)
      (this[name] as unknown as Table<User>).apply((changes[name] ?? {}) as Record<string, User>);
  }
}

/** A store in which nothing was changed. */
export const emptyStore = Object.fromEntries(tableNames.map((name) => [name, emptyImage])) as unknown as StoreImage;
