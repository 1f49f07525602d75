import type { Handlers } from '../call.ts';
import { notFound } from '../refusal.ts';

/** Loaded by the first call: most mocks have no custom routes. */
const manage = () => import('../routes/manage.ts');

export const routeHandlers = {
  listRoutes: async ({ world }) => ({
    routes: (await manage()).listedRoutes(world),
    tables: Object.fromEntries(world.tables.customNames().map((name) => [name, world.tables.custom(name).size])),
  }),
  addRoute: async ({ world, body }) => (await manage()).addedRoute(world, body),
  removeRoute: async ({ world, params }) => {
    const isAll = params.route === 'all';
    const adHoc = world.routes.adHoc.filter(({ id }) => !isAll && id !== params.route);
    if (!isAll && adHoc.length === world.routes.adHoc.length)
      throw notFound(
        `No route ${params.route} was added to this world; GET /_mock/routes lists them. Those of files stay.`,
      );
    world.set({ routes: { ...world.routes, adHoc } });
  },
} satisfies Partial<Handlers>;
