import type { AdHocRoute } from '../world/custom-state.ts';
import type { World } from '../world/world.ts';
import { compileRoute } from './compile.ts';
import type { Route } from './route.ts';

/** A route whose path is that of a request. */
export interface Candidate {
  readonly route: Route;
  readonly params: NonNullable<ReturnType<Route['paramsOf']>>;
}

const parameters = ({ path }: Route): number => path.split('{').length - 1;

/** Those without parameters first, and overriding ones before others; the sort is stable. */
export const bySpecificity = (routes: readonly Route[]): Route[] =>
  routes.toSorted((a, b) => parameters(a) - parameters(b) || Number(b.override) - Number(a.override));

const compiled = new WeakMap<AdHocRoute, Route>();

function compiledAdHoc(added: AdHocRoute): Route {
  const route = compiled.get(added) ?? compileRoute(added.rule, { key: added.id, source: added.id });
  compiled.set(added, route);
  return route;
}

/** All routes of a world, in the order in which they are tried: added routes first, newest first. */
export const routesOf = ({ services, custom }: World): Route[] => [
  ...custom.adHoc.map(compiledAdHoc).reverse(),
  ...services.routes.set.routes,
];

/** The routes of a world with that path, in the order in which they are tried. */
export const candidatesFor = (world: World, path: string): Candidate[] =>
  routesOf(world).flatMap((route) => {
    const params = route.paramsOf(path);
    return params === undefined ? [] : [{ route, params }];
  });
