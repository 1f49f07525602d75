// `platform-mock` in a browser: what of it needs neither a port nor files, under the names that it has in Node.
export * from './client.ts';
export { ConfigError, createPortableMock as createMock, type PortableMock as Mock } from './portable.ts';
