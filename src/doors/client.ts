import type { Client } from 'openapi-fetch';
import type { paths as SharedPaths } from '../core/spec/shared-types.ts';
import { type ClientFetch, lateClient } from './control-client.ts';

export { faultPresets, presetFault } from '../control/fault-presets.ts';
export type { components, operations, paths } from '../core/spec/api-types.ts';
export type { paths as ControlPaths } from '../core/spec/control-types.ts';
export {
  type Call,
  type CallCount,
  type CallPattern,
  CallsError,
  type CallsOptions,
  type ExpectedCalls,
  type WaitForCalls,
} from './calls/index.ts';
export { callMatchers } from './calls/matchers.ts';
export { connectMock, type MockConnection, type Sandbox, type SandboxOptions } from './connect.ts';
export { type ControlClient, ControlRefusal, controlClient } from './control-client.ts';

/**
 * The API, typed by an OpenAPI document: `paths` of this module has the default profile, `platform-mock spec --profile …` writes any.
 * By default error bodies, and members that differ between the shipped profiles, are `unknown`.
 */
export type ApiClient<Paths extends object = SharedPaths> = Client<Paths>;

export interface ApiClientOptions {
  /** An access token or a PAT; a function is called before each request. */
  readonly token?: string | undefined | (() => string | undefined | Promise<string | undefined>);
  /** Replaces the global fetch, e.g. by that of a mock without a port. */
  readonly fetch?: ClientFetch | undefined;
}

/** A client of the API at `baseUrl`, the mock's or a deployment's: `api.PATCH('/v1/echo/recordings/{recordingId}', …)`. */
export function apiClient<Paths extends object = SharedPaths>(
  baseUrl: string,
  { token, fetch }: ApiClientOptions = {},
): ApiClient<Paths> {
  const client = lateClient<Paths>(baseUrl.replace(/\/$/, ''), fetch);
  if (token === undefined) return client;
  client.use({
    async onRequest({ request }) {
      const value = typeof token === 'function' ? await token() : token;
      if (value !== undefined && !request.headers.has('Authorization'))
        request.headers.set('Authorization', `Bearer ${value}`);
    },
  });
  return client;
}
