// `platform-mock` in a browser: what of it needs neither a port nor files, under the names that it has in Node.
export { defineRoutes } from '../core/yours/define.ts';
export type { RouteCall, RouteDefinition, RouteFunction, RouteModule, RouteWorld } from '../core/yours/route.ts';
export * from './client.ts';
export { ConfigError, createPortableMock as createMock, type PortableMock as Mock } from './portable.ts';
