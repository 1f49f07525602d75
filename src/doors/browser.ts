// `platform-mock` in a browser: exports only what works without Node, under the same names.

export type {
  RouteCall,
  RouteDefinition,
  RouteFunction,
  RouteModule,
  RouteWorld,
} from '../core/custom-routes/route.ts';
export { defineRoutes } from '../core/custom-routes/route.ts';
export * from './client.ts';
export { ConfigError, createPortableMock as createMock, type PortableMock as Mock } from './portable.ts';
