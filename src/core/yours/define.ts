import type { RouteModule } from './route.ts';

/** For modules of routes: the same value, typed. `export default defineRoutes({ routes: [{ path: '/v1/x', answer() { … } }] })` */
export const defineRoutes = (module: RouteModule): RouteModule => module;
