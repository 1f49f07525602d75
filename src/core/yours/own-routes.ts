import type { LoadFaker } from '../world/fill.ts';
import type { OwnSeeds } from '../world/own.ts';
import type { World } from '../world/world.ts';
import type { Route } from './route.ts';

/** What routes files and modules hold, compiled. */
export interface RouteSet {
  readonly routes: readonly Route[];
  /** Tables of your own, with the records that they start with. */
  readonly tables: OwnSeeds;
}

/** No routes. */
export const noRoutes: RouteSet = { routes: [], tables: new Map() };

/** The routes of one mock: loaded once, and again when their files change. All worlds share them. */
export class OwnRoutes {
  /** Those in force. */
  set = noRoutes;
  /** For templates and functions that ask for it. */
  loadFaker: LoadFaker = () => {
    throw new Error('Faker is not loaded.');
  };
}

/** Whether a world has routes beyond the API's. What serves them is loaded where there are some. */
export const hasRoutes = ({ services, own }: World): boolean =>
  own.adHoc.length > 0 || services.routes.set.routes.length > 0;
