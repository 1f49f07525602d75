import createClient from 'openapi-fetch';
import type { components, paths } from '../../../control/control-types.ts';
import { authorization } from './control-token.ts';
import { responseFailure, toFailure } from './failure.ts';
import { controlUrl, dashboardPath } from './location.ts';

export type Schemas = components['schemas'];

const clientAt = (url: URL) =>
  createClient<paths>({
    baseUrl: url.href.replace(/\/$/, ''),
    fetch: (request: Request) => {
      for (const [name, value] of Object.entries(authorization())) request.headers.set(name, value);
      return fetch(request);
    },
  });

/** The control plane of the world that this page belongs to, typed by spec/control.yaml. */
export const control = clientAt(controlUrl);

/** The control plane of a sandbox on the same server. */
export const sandboxControl = (sandbox: string) => clientAt(new URL(dashboardPath(sandbox), controlUrl));

/** A call's result, as openapi-fetch returns it. */
export interface CallResult<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * The body of a successful response.
 * @throws Failure when the server rejects the call or does not respond
 */
export async function unwrap<T>(call: Promise<CallResult<T>>): Promise<T> {
  let result: CallResult<T>;
  try {
    result = await call;
  } catch (error) {
    throw toFailure(error);
  }
  if (!result.response.ok) throw responseFailure(result.response.status, result.error);
  return result.data as T;
}

/**
 * Makes a call that changes the world, and returns the message that reports the change.
 * @throws Failure as `unwrap`
 */
export async function perform(call: Promise<CallResult<unknown>>, message: string): Promise<string> {
  await unwrap(call);
  return message;
}
