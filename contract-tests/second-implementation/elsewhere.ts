import type { Reply } from './http.ts';
import type { Style } from './style.ts';

/** What a deployment answers at an undocumented path; undefined where it has none. */
export function answerElsewhere({ elsewhere }: Style, method: string | undefined, path: string): Reply | undefined {
  if (method !== 'GET') return undefined;
  const token = /^\/v1\/(?:api-tokens|tokens)\/([^/]+)$/.exec(path)?.[1];
  if (elsewhere === 'other-scopes' && /^\/v1\/(auth\/)?scopes$/.test(path))
    return { status: 200, body: { scopes: ['openid', 'email'] } };
  if (elsewhere === 'tokens-by-id' && token !== undefined)
    return { status: 200, body: { id: token, name: 'A token', scopes: ['recordings:write'] } };
  if (elsewhere === 'welcome') return { status: 200, body: { message: 'Welcome to the platform.' } };
  if (elsewhere === 'something-everywhere')
    return { status: 200, body: { items: [], scopes: ['openid', 'email'], admin: false } };
  return undefined;
}
