import { FixedLayer, type IndexKeys, type Layer } from './layer.ts';
import type { ApiKey, EndedToken, Pat, Recording, RefreshToken, Tenant, User } from './records.ts';
import { emptyImage, Table, type TableImage } from './table.ts';

/** The initial records of every world of one seed. Built once, shared, immutable. */
export interface SeedLayer {
  readonly tenants: Layer<Tenant>;
  readonly users: Layer<User>;
  readonly recordings: Layer<Recording>;
  readonly apiKeys: Layer<ApiKey>;
}

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

/** The changes of a store, as in a state file. */
export type StoreChanges = Record<TableName, Record<string, unknown>>;

/** The changes of a store; immutable and shared. */
export type StoreImage = Readonly<Record<TableName, TableImage<never>>>;

export interface StoreChange {
  /** Of the API, or of custom routes. */
  readonly table: string;
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
  readonly endedTokens: Table<EndedToken>;

  constructor(seed: SeedLayer, changed: (change: StoreChange) => void = () => {}) {
    const notify =
      (table: TableName) =>
      (before: object | undefined, after: object | undefined): void =>
        changed({ table, before, after });
    this.tenants = new Table(seed.tenants, indexes.tenants, notify('tenants'));
    this.users = new Table(seed.users, indexes.users, notify('users'));
    this.recordings = new Table(seed.recordings, indexes.recordings, notify('recordings'));
    this.apiKeys = new Table(seed.apiKeys, indexes.apiKeys, notify('apiKeys'));
    this.refreshTokens = new Table(none<RefreshToken>(), {}, notify('refreshTokens'));
    this.pats = new Table(none<Pat>(), {}, notify('pats'));
    this.endedTokens = new Table(none<EndedToken>(), {}, notify('endedTokens'));
  }

  get changeCount(): number {
    return tableNames.reduce((sum, name) => sum + this[name].changeCount, 0);
  }

  image(): StoreImage {
    return Object.fromEntries(tableNames.map((name) => [name, this[name].image()])) as unknown as StoreImage;
  }

  /** Whether nothing was written since this image was taken or restored. */
  isAt(image: StoreImage): boolean {
    return tableNames.every((name) => this[name].isAt(image[name]));
  }

  /** Replaces the changes by an image, over its seed. O(1). */
  restore(image: StoreImage, seed: SeedLayer): void {
    for (const name of tableNames)
      (this[name] as unknown as Table<User>).restore(
        image[name],
        (seed as unknown as Partial<Record<TableName, Layer<User>>>)[name],
      );
  }

  apply(changes: Partial<StoreChanges>): void {
    for (const name of tableNames)
      (this[name] as unknown as Table<User>).apply((changes[name] ?? {}) as Record<string, User>);
  }
}

/** A store without changes. */
export const emptyStore = Object.fromEntries(tableNames.map((name) => [name, emptyImage])) as unknown as StoreImage;
