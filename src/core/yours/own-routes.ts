import { pathMatcher } from '../routes.ts';
import type { LoadFaker } from '../world/fill.ts';
import type { AdHocRoute, OwnSeeds } from '../world/own.ts';
import type { World } from '../world/world.ts';
import { compileRule } from './compile.ts';
import type { Route } from './route.ts';

/** What routes files and modules hold, compiled. */
export interface RouteSet {
  readonly routes: readonly Route[];
  readonly tables: OwnSeeds;
}

/** No routes. */
export const noRoutes: RouteSet = { routes: [], tables: new Map() };

interface Placed {
  readonly route: Route;
  readonly paramsOf: ReturnType<typeof pathMatcher>;
}

/** A route whose path is that of a request. */
export interface Candidate {
  readonly route: Route;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>> | 'bad-escape';
}

/** The routes of one mock: loaded once, and again when their files change. All worlds share them. */
export class OwnRoutes {
  private set = noRoutes;
  private placed: readonly Placed[] = [];
  /** For templates and functions that ask for it. */
  loadFaker: LoadFaker = () => {
    throw new Error('Faker is not loaded.');
  };

  /** Replaces them all. */
  use(set: RouteSet): void {
    this.set = set;
    this.placed = bySpecificity(set.routes.map(placed));
  }

  get routes(): readonly Route[] {
    return this.set.routes;
  }

  /** Tables of your own, with the records that they start with. */
  get tables(): OwnSeeds {
    return this.set.tables;
  }

  /** The routes with that path: those without parameters first, then in the order of the files. */
  at(path: string): Candidate[] {
    return candidatesIn(this.placed, path);
  }
}

const placed = (route: Route): Placed => ({ route, paramsOf: pathMatcher(route.path) });

const parameters = ({ route }: Placed): number => route.path.split('{').length - 1;

/** Those without parameters first, and those that override others; a sort keeps the order of equal ones. */
const bySpecificity = (routes: readonly Placed[]): Placed[] =>
  routes.toSorted((a, b) => parameters(a) - parameters(b) || Number(b.route.override) - Number(a.route.override));

function candidatesIn(routes: readonly Placed[], path: string): Candidate[] {
  return routes.flatMap(({ route, paramsOf }) => {
    const params = paramsOf(path);
    return params === undefined ? [] : [{ route, params }];
  });
}

const compiled = new WeakMap<AdHocRoute, Placed>();

function placedAdHoc(route: AdHocRoute): Placed {
  const known = compiled.get(route) ?? placed(compileRule(route.rule, { key: route.id, source: route.id }));
  compiled.set(route, known);
  return known;
}

/** Whether a world has routes beyond the API's. */
export const hasRoutes = ({ services, own }: World): boolean =>
  own.adHoc.length > 0 || services.routes.routes.length > 0;

/** All routes of a world, those that were added while it runs first, latest first. */
export const routesOf = ({ services, own }: World): Route[] => [
  ...own.adHoc.map((route) => placedAdHoc(route).route).reverse(),
  ...services.routes.routes,
];

/** The routes of a world with that path, in the order in which they are tried. */
export const candidatesFor = ({ services, own }: World, path: string): Candidate[] => [
  ...candidatesIn(own.adHoc.map(placedAdHoc).reverse(), path),
  ...services.routes.at(path),
];
