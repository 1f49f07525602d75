import { apiFor } from '../../core/api.ts';
import { routesOf, servedBy } from '../../core/custom-routes/compile.ts';
import type { Route, RouteRule } from '../../core/custom-routes/route.ts';
import type { components } from '../../core/spec/control-types.ts';
import type { World } from '../../core/world/world.ts';
import { invalid, invalidField, Refusal } from '../refusal.ts';
import { routeProblems } from './check.ts';
import { shadowsOf } from './shadows.ts';

type ServedRoute = components['schemas']['ServedRoute'];

/** Maximum number of added routes in a world: each request is compared with all of them. */
const maxAdHoc = 1000;

/** The routes of a world, in the order in which they are tried. */
export const listedRoutes = (world: World): ServedRoute[] => routesOf(world).map((route) => describe(world, route));

/** Adds a route to a world; throws Refusal naming each mistake, or that there are too many. */
export async function addedRoute(world: World, rule: RouteRule): Promise<ServedRoute> {
  const problems = await routeProblems(rule);
  if (problems.length > 0)
    throw invalid(problems.map(({ path, text }) => ({ field: path.join('.') || 'body', message: text })));
  if (world.routes.adHoc.length >= maxAdHoc)
    throw new Refusal(
      'limit',
      `There are ${maxAdHoc} such routes in this world, which is the limit; DELETE /_mock/routes/all removes them.`,
    );
  const [reason] = shadowsOf({ method: 'GET', override: false, ...rule }, await apiFor(world.answers));
  if (reason !== undefined) throw invalidField('override', reason, { allowed: 'true', example: true });
  const { id } = world.addRoute(rule);
  const route = routesOf(world).find(({ key }) => key === id);
  if (!route) throw new Error(`The route ${id} was not added.`);
  return describe(world, route);
}

function describe(world: World, { key, method, path, source, auth, override, times }: Route): ServedRoute {
  const served = servedBy(world, key);
  return {
    id: key,
    method,
    path,
    source,
    auth,
    override,
    served,
    ...(times !== undefined && { left: Math.max(0, times - served) }),
  };
}
