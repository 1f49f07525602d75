import type { RouteModule } from './route.ts';

/** Types a module of routes. `export default defineRoutes({ routes: [{ path: '/v1/x', answer() { … } }] })` */
export const defineRoutes = (module: RouteModule): RouteModule => module;
