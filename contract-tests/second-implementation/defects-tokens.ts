/** What can go wrong with tokens: their lifetime, what else is accepted as one, and what a forged one can do. */
import { createHmac } from 'node:crypto';
import { administrator } from './defects-access.ts';
import { writesTitle } from './defects-update.ts';
import { type Defect, defect, type Hooks } from './hooks.ts';
import type { App, Call } from './http.ts';
import { decodePart } from './tokens.ts';

/** State of its own for each running implementation. */
function perApp<T>(make: () => T): (app: App) => T {
  const made = new WeakMap<App, T>();
  return (app) => {
    const value = made.get(app) ?? make();
    made.set(app, value);
    return value;
  };
}

const uses = perApp(() => new Map<string, number>());
const seenPats = perApp(() => new Set<string>());

/** Counts one more use of a token. */
function usesOf(token: string, app: App): number {
  const count = (uses(app).get(token) ?? 0) + 1;
  uses(app).set(token, count);
  return count;
}

/** Accepts tokens that the conforming code refuses, where they are of some kind. */
const accepts = (isOne: (token: string, call: Call) => boolean): Hooks => ({
  principal: (found, token, call) => found ?? (token !== undefined && isOne(token, call) ? administrator(call) : found),
});

const isSignedWith = (key: string) => (token: string) => {
  const [header, payload, signature, ...more] = token.split('.');
  const expected = createHmac('sha256', key).update(`${header}.${payload}`).digest('base64url');
  return signature === expected && more.length === 0;
};

const OWN_HEADER = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT', kid: 'second-1' })).toString('base64url');

export const TOKEN_DEFECTS = [
  defect('token-wears-out', ['AUT-01'], 'A JWT is refused after its thirtieth use, long before it expires.', {
    principal: (found, token, { app }) =>
      found && found.origin !== 'pat' && token && usesOf(token, app) > 30 ? undefined : found,
  }),
  defect('token-pat-wears-out', ['AUT-02'], 'A PAT is refused after its fourth use.', {
    principal: (found, token, { app }) =>
      found?.origin === 'pat' && token && usesOf(token, app) > 4 ? undefined : found,
  }),
  defect('token-refresh-accepted', ['AUT-04'], 'A refresh token is accepted as an access token.', {
    ...accepts((token) => token.startsWith('rt.')),
  }),
  defect('token-null-accepted', ['AUT-04'], 'The words null and undefined are accepted as tokens.', {
    ...accepts((token) => token === 'null' || token === 'undefined'),
  }),
  defect('token-empty-accepted', ['AUT-04'], 'An Authorization header without a token is accepted.', {
    principal: (found, token, call) =>
      found ?? (token === undefined && call.headers.authorization !== undefined ? administrator(call) : undefined),
  }),
  defect('token-of-two-parts', ['AUT-06'], 'A JWT of two parts is not verified.', {
    ...accepts((token) => token.split('.').length === 2 && decodePart(token.split('.')[0])?.alg !== undefined),
  }),
  defect('token-empty-key', ['AUT-05'], 'A JWT that is signed with an empty key is accepted.', {
    ...accepts(isSignedWith('')),
  }),
  defect('token-known-key', ['AUT-05'], 'A JWT that is signed with the key "secret" is accepted.', {
    ...accepts(isSignedWith('secret')),
  }),
  defect('token-header-unbound', ['AUT-05'], 'The signature of a JWT does not cover its header.', {
    ...accepts(
      (token, { app }) => app.tokens.verify([OWN_HEADER, ...token.split('.').slice(1)].join('.')) !== undefined,
    ),
  }),
  defect('token-pat-caseless', ['AUT-07'], 'The secret of a PAT is compared without regard to case.', {
    principal: (found, token, { app }) => {
      if (found?.origin === 'pat' && token) seenPats(app).add(token);
      const alike = [...seenPats(app)].find((pat) => pat.toLowerCase() === token?.toLowerCase());
      return found ?? (alike === undefined ? undefined : app.tokens.verify(alike));
    },
  }),
  defect('token-unsigned-writes', ['AUT-11'], 'An update with an unsigned JWT is refused, yet applied.', {
    ...writesTitle(({ headers }) => headers.authorization?.endsWith('.')),
  }),
  defect('token-wrong-pat-writes', ['AUT-11'], 'An update with a wrong PAT is refused, yet applied.', {
    ...writesTitle(({ headers }) => headers.authorization?.startsWith('Bearer echo_')),
  }),
] as const satisfies readonly Defect[];
