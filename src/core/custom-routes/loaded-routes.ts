import type { CustomSeeds } from '../world/custom-state.ts';
import type { LoadFaker } from '../world/fill.ts';
import type { Route } from './route.ts';

/** The compiled content of routes files and modules. */
export interface RouteSet {
  readonly routes: readonly Route[];
  /** Custom tables, with their initial records. */
  readonly tables: CustomSeeds;
}

/** No routes. */
export const noRoutes: RouteSet = { routes: [], tables: new Map() };

/** The routes of one mock, shared by all worlds: loaded once, and again when their files change. */
export class LoadedRoutes {
  /** Routes in force. */
  set = noRoutes;
  /** Loads faker for templates and functions that use it. */
  loadFaker: LoadFaker = () => {
    throw new Error('Faker is not loaded.');
  };
}
