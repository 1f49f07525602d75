import { traceOf } from '../../../contract-tests/values/json.ts';
import type { LoadFaker } from '../world/seeds.ts';
import type { CustomSeeds } from '../world/store.ts';
import type { Route } from './route.ts';

export interface RouteSet {
  /** In the order in which they are tried. */
  readonly routes: readonly Route[];
  readonly tables: CustomSeeds;
  /** What they were made from. */
  readonly sources: readonly unknown[];
  /** Ends what answers in other processes. */
  close(): void;
}

export const noRoutes: RouteSet = { routes: [], tables: new Map(), sources: [], close: () => {} };

/** The routes of one mock, shared by all worlds: loaded once, and again when their files change. */
export class LoadedRoutes {
  set = noRoutes;
  loadFaker: LoadFaker = () => {
    throw new Error('Faker is not loaded.');
  };
}

/** A custom route failed because of a mistake in its file. The client gets a 500 without the reason. */
export class RouteFailure extends Error {
  override readonly name = 'RouteFailure';

  constructor({ source }: Route, error: unknown) {
    const reason = traceOf(error);
    super(`your route ${source} failed: ${reason}`);
  }
}
