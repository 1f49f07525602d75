/** What can go wrong with tokens: how long they are good, what else is taken for one, and what a forged one can do. */
import { createHmac } from 'node:crypto';
import { administrator } from './defects-access.ts';
import { writesTitle } from './defects-update.ts';
import { type Defect, defect, type Hooks } from './hooks.ts';
import type { App, Call } from './http.ts';
import { decodePart } from './tokens.ts';

/** State that starts anew with each running implementation. */
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

/** Takes what the conforming code refuses, where it is of some kind. */
const takes = (isOne: (token: string, call: Call) => boolean): Hooks => ({
  principal: (found, token, call) => found ?? (token !== undefined && isOne(token, call) ? administrator(call) : found),
});

const isSignedWith = (key: string) => (token: string) => {
  const [header, payload, signature, ...more] = token.split('.');
  const expected = createHmac('sha256', key).update(`${header}.${payload}`).digest('base64url');
  return signature === expected && more.length === 0;
};

const OWN_HEADER = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT', kid: 'second-1' })).toString('base64url');

export const TOKEN_DEFECTS = [
  defect('token-wears-out', ['AUT-01'], 'A JWT is refused after its thirtieth use, long before its lifetime is over.', {
    principal: (found, token, { app }) =>
      found && found.origin !== 'pat' && token && usesOf(token, app) > 30 ? undefined : found,
  }),
  defect('token-pat-wears-out', ['AUT-02'], 'A PAT is refused after its fourth use.', {
    principal: (found, token, { app }) =>
      found?.origin === 'pat' && token && usesOf(token, app) > 4 ? undefined : found,
  }),
  defect('token-refresh-accepted', ['AUT-04'], 'A refresh token is taken for an access token.', {
    ...takes((token) => token.startsWith('rt.')),
  }),
  defect('token-null-accepted', ['AUT-04'], 'The words null and undefined are taken for a token.', {
    ...takes((token) => token === 'null' || token === 'undefined'),
  }),
  defect('token-empty-accepted', ['AUT-04'], 'A header without a token in it is let through.', {
    principal: (found, token, call) =>
      found ?? (token === undefined && call.headers.authorization !== undefined ? administrator(call) : undefined),
  }),
  defect('token-of-two-parts', ['AUT-06'], 'A JWT of two parts is not verified.', {
    ...takes((token) => token.split('.').length === 2 && decodePart(token.split('.')[0])?.alg !== undefined),
  }),
  defect('token-empty-key', ['AUT-05'], 'A JWT that is signed with an empty key is accepted.', {
    ...takes(isSignedWith('')),
  }),
  defect('token-known-key', ['AUT-05'], 'A JWT that is signed with the key "secret" is accepted.', {
    ...takes(isSignedWith('secret')),
  }),
  defect('token-header-unbound', ['AUT-05'], 'The signature of a JWT does not cover its header.', {
    ...takes((token, { app }) => app.tokens.verify([OWN_HEADER, ...token.split('.').slice(1)].join('.')) !== undefined),
  }),
  defect('token-pat-caseless', ['AUT-07'], 'The letter case of the secret of a PAT says nothing.', {
    principal: (found, token, { app }) => {
      if (found?.origin === 'pat' && token) seenPats(app).add(token);
      const alike = [...seenPats(app)].find((pat) => pat.toLowerCase() === token?.toLowerCase());
      return found ?? (alike === undefined ? undefined : app.tokens.verify(alike));
    },
  }),
  defect('token-unsigned-writes', ['AUT-11'], 'An update with an unsigned JWT is refused, and made all the same.', {
    ...writesTitle(({ headers }) => headers.authorization?.endsWith('.')),
  }),
  defect('token-wrong-pat-writes', ['AUT-11'], 'An update with a wrong PAT is refused, and made all the same.', {
    ...writesTitle(({ headers }) => headers.authorization?.startsWith('Bearer echo_')),
  }),
] as const satisfies readonly Defect[];
