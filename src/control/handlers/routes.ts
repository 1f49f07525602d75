import type { RouteRule } from '../../core/custom-routes/route.ts';
import type { Handlers } from '../call.ts';
import { notFound } from '../refusal.ts';

/** Loaded by the first call: most mocks have no custom routes. */
const manage = () => import('../routes/manage.ts');

export const routeHandlers: Handlers<'listRoutes' | 'addRoute' | 'removeRoutes' | 'removeRoute'> = {
  listRoutes: async ({ world }) => ({
    routes: (await manage()).listedRoutes(world),
    tables: Object.fromEntries(world.custom.tableNames().map((name) => [name, world.custom.table(name).size])),
  }),
  addRoute: async ({ world, body }) => (await manage()).addedRoute(world, body as RouteRule),
  removeRoutes: ({ world }) => void world.custom.remove(),
  removeRoute: ({ world, params }) => {
    if (!world.custom.adHoc.some(({ id }) => id === params.route))
      throw notFound(
        `No route ${params.route} was added to this world; GET /_mock/routes lists them. Those of files stay.`,
      );
    world.custom.remove(params.route);
    return undefined;
  },
};
