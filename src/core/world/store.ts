import { memberOf } from '../../../contract-tests/values/json.ts';
import type { ApiKey, CustomRecord, EndedToken, Pat, Recording, RefreshToken, Tenant, User } from './records.ts';
import { emptyImage, type IndexKeys, type Layer, layerOf, Table, type TableImage } from './table.ts';

interface Rows {
  readonly tenants: Tenant;
  readonly users: User;
  readonly recordings: Recording;
  readonly apiKeys: ApiKey;
  readonly refreshTokens: RefreshToken;
  readonly pats: Pat;
  readonly endedTokens: EndedToken;
}

/** The initial records of every world of one seed. Built once, shared, immutable. */
export type SeedLayer = {
  readonly [Name in 'tenants' | 'users' | 'recordings' | 'apiKeys']: Layer<Rows[Name]>;
};

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

const tableNames = Object.keys(indexes) as readonly TableName[];

/** The records of the API, by table. */
export type Store = { readonly [Name in TableName]: Table<Rows[Name]> };

/** The changes of the tables that have some, by name; immutable and shared. */
export type StoreImage = ReadonlyMap<string, TableImage<CustomRecord>>;

export const emptyStore: StoreImage = new Map();

/** A record that was added or replaced, and what it replaced; null: deleted. */
export interface StoreChange {
  readonly table: string;
  readonly id: string;
  readonly record: object | null;
  readonly before: object | undefined;
}

/** Custom tables with their initial records. */
export type CustomSeeds = ReadonlyMap<string, readonly CustomRecord[]>;

/** The names of custom tables start with it: a user may give them those of the API's. */
const custom = 'tables.';

/** The name of a table, as its user knows it. */
export const plainName = (table: string): string => (table.startsWith(custom) ? table.slice(custom.length) : table);

/** All tables of a world: those of the API, and those of custom routes, which are created on first use. */
export class Tables {
  readonly store: Store;
  private readonly byName = new Map<string, Table<CustomRecord>>();
  private seed: Partial<Record<string, Layer<CustomRecord>>> = {};

  /** @param customSeeds of the loaded routes: read after each restore */
  constructor(
    private readonly customSeeds: () => CustomSeeds,
    private readonly changed: (change: StoreChange) => void,
  ) {
    this.store = Object.fromEntries(tableNames.map((name) => [name, this.of(name)])) as unknown as Store;
  }

  of(name: string): Table<CustomRecord> {
    const known = this.byName.get(name);
    if (known) return known;
    const keys = memberOf(indexes as unknown as Partial<Record<string, IndexKeys<CustomRecord>>>, name);
    const table = new Table<CustomRecord>(this.layer(name), keys, (id, before, after) =>
      this.changed({ table: name, id, record: after ?? null, before }),
    );
    this.byName.set(name, table);
    return table;
  }

  custom(name: string): Table<CustomRecord> {
    return this.of(`${custom}${name}`);
  }

  customNames(): string[] {
    const used = [...this.byName.keys()].filter((name) => name.startsWith(custom)).map(plainName);
    return [...new Set([...this.customSeeds().keys(), ...used])];
  }

  get changeCount(): number {
    return [...this.byName.values()].reduce((sum, table) => sum + table.changeCount, 0);
  }

  /** O(tables). */
  image(): StoreImage {
    const changed = [...this.byName].filter(([, table]) => table.changeCount > 0);
    return changed.length === 0 ? emptyStore : new Map(changed.map(([name, table]) => [name, table.image()]));
  }

  /** Replaces the changes by an image, over its seed. O(tables). */
  restore(image: StoreImage, seed: SeedLayer): void {
    this.seed = seed as Partial<Record<string, Layer<CustomRecord>>>;
    for (const name of image.keys()) this.of(name);
    for (const [name, table] of this.byName) table.restore(image.get(name) ?? emptyImage, this.layer(name));
  }

  private layer(name: string): Layer<CustomRecord> {
    const records = name.startsWith(custom) ? this.customSeeds().get(plainName(name)) : undefined;
    return memberOf(this.seed, name) ?? layerOf(records ?? []);
  }
}
