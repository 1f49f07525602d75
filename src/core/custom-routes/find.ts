import { pathMatcher } from '../routes.ts';
import type { AdHocRoute } from '../world/custom-state.ts';
import type { World } from '../world/world.ts';
import { compileRule } from './compile.ts';
import type { RouteSet } from './loaded-routes.ts';
import type { Route } from './route.ts';

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

const placed = (route: Route): Placed => ({ route, paramsOf: pathMatcher(route.path) });

const parameters = ({ route }: Placed): number => route.path.split('{').length - 1;

/** Those without parameters first, and overriding ones before others; the sort is stable. */
const bySpecificity = (routes: readonly Placed[]): Placed[] =>
  routes.toSorted((a, b) => parameters(a) - parameters(b) || Number(b.route.override) - Number(a.route.override));

const sorted = new WeakMap<RouteSet, readonly Placed[]>();

function placedIn(set: RouteSet): readonly Placed[] {
  const known = sorted.get(set) ?? bySpecificity(set.routes.map(placed));
  sorted.set(set, known);
  return known;
}

const compiled = new WeakMap<AdHocRoute, Placed>();

function placedAdHoc(route: AdHocRoute): Placed {
  const known = compiled.get(route) ?? placed(compileRule(route.rule, { key: route.id, source: route.id }));
  compiled.set(route, known);
  return known;
}

/** Those of a world in the order of trial: added routes first, newest first. */
const placedOf = ({ services, custom }: World): Placed[] => [
  ...custom.adHoc.map(placedAdHoc).reverse(),
  ...placedIn(services.routes.set),
];

/** All routes of a world, in the order in which they are tried. */
export const routesOf = (world: World): Route[] => placedOf(world).map(({ route }) => route);

/** The routes of a world with that path, in the order in which they are tried. */
export const candidatesFor = (world: World, path: string): Candidate[] =>
  placedOf(world).flatMap(({ route, paramsOf }) => {
    const params = paramsOf(path);
    return params === undefined ? [] : [{ route, params }];
  });
