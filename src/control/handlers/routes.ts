import { apiFor } from '../../core/api.ts';
import type { World } from '../../core/world/world.ts';
import { routesOf } from '../../core/yours/own-routes.ts';
import type { Route, RouteRule } from '../../core/yours/route.ts';
import type { Handlers } from '../call.ts';
import type { components } from '../control-types.ts';
import { invalid, notFound, Refusal } from '../refusal.ts';

/** Maximum number of ad-hoc routes in a world: each request is compared with all of them. */
const maxAdHoc = 1000;

/** Routes of your own: those of files, and those that are added while the mock runs. */
export const routeHandlers: Handlers<'listRoutes' | 'addRoute' | 'removeRoutes' | 'removeRoute'> = {
  listRoutes: ({ world }) => ({
    routes: routesOf(world).map((route) => describe(world, route)),
    tables: Object.fromEntries(world.own.tableNames().map((name) => [name, world.own.table(name).size])),
  }),
  addRoute: async ({ world, body }) => {
    const rule = body as RouteRule;
    // Loaded by the first route that is added.
    const [{ routeProblems }, { shadowsOf }] = await Promise.all([
      import('../routes/check.ts'),
      import('../routes/shadows.ts'),
    ]);
    const problems = await routeProblems(rule);
    if (problems.length > 0)
      throw invalid(problems.map(({ path, text }) => ({ field: path.join('.') || 'body', message: text })));
    if (world.own.adHoc.length >= maxAdHoc)
      throw new Refusal(
        'limit',
        `There are ${maxAdHoc} such routes in this world, which is the limit; DELETE /_mock/routes removes them.`,
      );
    const api = await apiFor(world.answers);
    const [reason] = shadowsOf({ method: 'GET', override: false, ...rule }, api);
    if (reason !== undefined) throw invalid([{ field: 'override', message: reason, allowed: 'true', example: true }]);
    const { id } = world.own.add(rule);
    const [route] = routesOf(world);
    if (route?.key !== id) throw new Error(`The route ${id} is not the first one.`);
    return describe(world, route);
  },
  removeRoutes: ({ world }) => {
    world.own.remove();
    return undefined;
  },
  removeRoute: ({ world, params }) => {
    if (!world.own.adHoc.some(({ id }) => id === params.route))
      throw notFound(
        `No route ${params.route} was added to this world; GET /_mock/routes lists them. Those of files stay.`,
      );
    world.own.remove(params.route);
    return undefined;
  },
};

function describe(
  world: World,
  { key, method, path, source, auth, override, times }: Route,
): components['schemas']['ServedRoute'] {
  const served = world.own.servedBy(key);
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
