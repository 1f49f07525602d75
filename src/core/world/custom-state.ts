import type { RouteRule } from '../custom-routes/route.ts';
import type { CustomRecord } from './records.ts';
import type { StoreChange } from './store.ts';
import { emptyImage, layerOf, Table, type TableImage } from './table.ts';

export interface AdHocRoute {
  readonly id: string;
  readonly rule: RouteRule;
}

interface AddedRoutes {
  readonly adHoc: readonly AdHocRoute[];
  readonly made: number;
  /** How often each route has answered, by its key. */
  readonly served: ReadonlyMap<string, number>;
}

/** Immutable, shared state of the custom routes in a world at one moment. */
export interface CustomImage {
  readonly routes: AddedRoutes;
  readonly tables: ReadonlyMap<string, TableImage<CustomRecord>>;
}

/** No added route, no answer, no written record. */
export const emptyCustom: CustomImage = { routes: { adHoc: [], made: 0, served: new Map() }, tables: new Map() };

export interface CustomJson {
  readonly adHoc: readonly AdHocRoute[];
  readonly made: number;
  readonly served: Readonly<Record<string, number>>;
  /** Table -> id -> record, or null if deleted. */
  readonly tables: Readonly<Record<string, Readonly<Record<string, CustomRecord | null>>>>;
}

/** The image as JSON; undefined if there is nothing to keep. */
export function customJson({ routes, tables }: CustomImage): CustomJson | undefined {
  const changed = [...tables].filter(([, changes]) => changes.size > 0);
  if (routes === emptyCustom.routes && changed.length === 0) return undefined;
  return {
    adHoc: routes.adHoc,
    made: routes.made,
    served: Object.fromEntries(routes.served),
    tables: Object.fromEntries(changed.map(([name, changes]) => [name, Object.fromEntries(changes)])),
  };
}

/** The image from that JSON. */
export function customImage(state: CustomJson | undefined): CustomImage {
  if (!state) return emptyCustom;
  const { adHoc, made, served, tables } = state;
  return {
    routes: { adHoc, made, served: new Map(Object.entries(served)) },
    tables: new Map(Object.entries(tables).map(([name, changes]) => [name, new Map(Object.entries(changes))])),
  };
}

export type CustomSeeds = ReadonlyMap<string, readonly CustomRecord[]>;

/** State of the custom routes in a world: added routes, answer counts, and custom tables. */
export class CustomState {
  private state = emptyCustom.routes;
  private readonly tables = new Map<string, Table<CustomRecord>>();

  /** `seeds`: tables of the loaded routes, read after each restore; `touched` is called after each change of routes. */
  constructor(
    private readonly seeds: () => CustomSeeds,
    private readonly changed: (change: StoreChange) => void,
    private readonly touched: () => void,
  ) {}

  get adHoc(): readonly AdHocRoute[] {
    return this.state.adHoc;
  }

  add(rule: RouteRule): AdHocRoute {
    const made = this.state.made + 1;
    const route = { id: `route-${made}`, rule };
    this.set({ ...this.state, made, adHoc: [...this.state.adHoc, route] });
    return route;
  }

  /** Removes the route of that id, or all added ones. */
  remove(id?: string): void {
    this.set({ ...this.state, adHoc: id === undefined ? [] : this.state.adHoc.filter((one) => one.id !== id) });
  }

  servedBy(key: string): number {
    return this.state.served.get(key) ?? 0;
  }

  /** Counts an answer of a route, or undoes that (-1); returns the count before. */
  serve(key: string, times: 1 | -1 = 1): number {
    const before = this.servedBy(key);
    this.set({ ...this.state, served: new Map(this.state.served).set(key, before + times) });
    return before;
  }

  /** The table of that name; created on first use. */
  table(name: string): Table<CustomRecord> {
    const known = this.tables.get(name);
    if (known) return known;
    const table = new Table<CustomRecord>(this.seedOf(name), {}, (before, after) =>
      this.changed({ table: name, before, after }),
    );
    this.tables.set(name, table);
    return table;
  }

  tableNames(): string[] {
    return [...new Set([...this.seeds().keys(), ...this.tables.keys()])];
  }

  /** The current state. O(tables). */
  image(): CustomImage {
    if (this.tables.size === 0 && this.state === emptyCustom.routes) return emptyCustom;
    return { routes: this.state, tables: new Map([...this.tables].map(([name, table]) => [name, table.image()])) };
  }

  restore({ routes, tables }: CustomImage): void {
    this.state = routes;
    for (const name of tables.keys()) this.table(name);
    for (const [name, table] of this.tables) table.restore(tables.get(name) ?? emptyImage, this.seedOf(name));
  }

  private seedOf = (name: string) => layerOf(this.seeds().get(name) ?? []);

  private set(state: AddedRoutes): void {
    this.state = state;
    this.touched();
  }
}
