import { FixedLayer, type IndexKeys, type Layer } from './layer.ts';
import type { ApiKey, Pat, Recording, RefreshToken, Tenant, User } from './records.ts';
import { Table } from './table.ts';

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

const tableNames = ['tenants', 'users', 'recordings', 'apiKeys', 'refreshTokens', 'pats'] as const;

/** The changes of a store, as a state file keeps them. */
export type StoreChanges = Record<(typeof tableNames)[number], Record<string, unknown>>;

/** All records of a world. */
export class Store {
  readonly tenants: Table<Tenant>;
  readonly users: Table<User>;
  readonly recordings: Table<Recording>;
  readonly apiKeys: Table<ApiKey>;
  readonly refreshTokens: Table<RefreshToken>;
  readonly pats: Table<Pat>;

  constructor(seed: SeedLayer, changed: () => void = () => {}) {
    this.tenants = new Table(seed.tenants, indexes.tenants, changed);
    this.users = new Table(seed.users, indexes.users, changed);
    this.recordings = new Table(seed.recordings, indexes.recordings, changed);
    this.apiKeys = new Table(seed.apiKeys, indexes.apiKeys, changed);
    this.refreshTokens = new Table(new FixedLayer<RefreshToken>([]), {}, changed);
    this.pats = new Table(new FixedLayer<Pat>([]), {}, changed);
  }

  /** Forgets every change. */
  reset(): void {
    for (const name of tableNames) this[name].reset();
  }

  /** Starts from other seed records from now on; what was changed here stays changed. */
  rebase(seed: SeedLayer): void {
    this.tenants.rebase(seed.tenants);
    this.users.rebase(seed.users);
    this.recordings.rebase(seed.recordings);
    this.apiKeys.rebase(seed.apiKeys);
  }

  toJSON(): StoreChanges {
    return Object.fromEntries(tableNames.map((name) => [name, this[name].toJSON()])) as StoreChanges;
  }

  /** Takes up changes that toJSON gave. */
  restore(changes: Partial<StoreChanges>): void {
    for (const name of tableNames)
      (this[name] as unknown as Table<User>).restore((changes[name] ?? {}) as Record<string, User>);
  }
}
