import createClient from 'openapi-fetch';
import type { components, paths } from '../../../control/control-types.ts';
import { asFailure, failureOf } from './failure.ts';
import { controlUrl } from './place.ts';
import { credentials } from './token.ts';

export type Schemas = components['schemas'];

const typed = createClient<paths>({
  baseUrl: controlUrl.href.replace(/\/$/, ''),
  fetch: (request: Request) => {
    for (const [name, value] of Object.entries(credentials())) request.headers.set(name, value);
    return fetch(request);
  },
});

/** The control plane of the world that this page belongs to, typed by spec/control.yaml. */
export const control = typed;

interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * The answer's body.
 * @throws Failure when the server refuses or does not answer
 */
export async function told<T>(call: Promise<Answered<T>>): Promise<T> {
  let answer: Answered<T>;
  try {
    answer = await call;
  } catch (error) {
    throw asFailure(error);
  }
  if (!answer.response.ok) throw failureOf(answer.response.status, answer.error);
  return answer.data as T;
}

/**
 * Calls another world's control plane, of which the server is the same: `path` is an absolute path.
 * @throws Failure as `told`
 */
export async function callPath(method: string, path: string): Promise<void> {
  const response = await fetch(path, { method, headers: credentials() }).catch((error: unknown) => {
    throw asFailure(error);
  });
  if (!response.ok) throw failureOf(response.status, await response.json().catch(() => undefined));
}
