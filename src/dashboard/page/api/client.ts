// The control plane of this page's world. Calls are relative to the page's address: it works below a sandbox's prefix.
import type { components } from '../../../core/spec/control-types.ts';
import { controlClient } from '../../../doors/control-client.ts';

export type Schemas = components['schemas'];
export type Minted = Schemas['MintedToken'];

/** Base URL of this world's control plane, e.g. `http://127.0.0.1:4010/~test-1/_mock/`. */
export const controlUrl = new URL('./', window.location.href);

const [, sandboxPrefix] = /\/~([^/]+)\/_mock\/$/.exec(controlUrl.pathname) ?? [];

/** Name of the sandbox that the page belongs to; undefined for the main world. */
export const currentSandbox = sandboxPrefix && decodeURIComponent(sandboxPrefix);

export function dashboardPath(sandbox?: string): string {
  const root = controlUrl.pathname.replace(/(\/~[^/]+)?\/_mock\/$/, '');
  return `${root}${sandbox === undefined ? '' : `/~${encodeURIComponent(sandbox)}`}/_mock/`;
}

const tokenKey = 'platform-mock control token';

// What the control plane requires of this page: the control token, or the key that tells the mock's own pages from those of an
// upstream at the same origin.
let inMemory = document.querySelector<HTMLMetaElement>('meta[name="page-key"]')?.content;
// Pages of an upstream could read what a tab stores.
const isShared = inMemory !== undefined;

/** Keeps the token: for this tab or, where an upstream shares the origin, for this page only. */
export function storeControlToken(token: string): void {
  if (isShared) inMemory = token;
  else sessionStorage.setItem(tokenKey, token);
}

function clientAt(path: string) {
  const client = controlClient(controlUrl.origin + path.replace(/\/_mock\/$/, ''));
  client.use({
    onRequest: ({ request }) => {
      const token = inMemory ?? sessionStorage.getItem(tokenKey);
      if (token) request.headers.set('Authorization', `Bearer ${token}`);
    },
  });
  return client;
}

export const control = clientAt(controlUrl.pathname);

export const sandboxControl = (sandbox: string) => clientAt(dashboardPath(sandbox));

export const unwrap = async <T>(call: Promise<{ readonly data: T }>): Promise<T> => (await call).data;

export const patName = 'Created in the dashboard';

/** Mints a token for a user. Changes no record but the token's own. `lifetime` is in seconds; default: the profile's. */
export const mint = (user: string, kind: Minted['kind'] = 'access', lifetime?: number): Promise<Minted> =>
  unwrap(
    control.POST('/tokens', {
      body: { user, kind, ...(lifetime && { lifetime }), ...(kind === 'pat' && { name: patName }) },
    }),
  );

export const defaultPersona = (personas: readonly Schemas['Persona'][]): Schemas['Persona'] | undefined =>
  personas.find(({ actor }) => actor === 'admin') ?? personas[0];
