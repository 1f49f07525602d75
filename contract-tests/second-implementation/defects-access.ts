/** What authentication and the token scopes can do wrong. */
import { randomUUID } from 'node:crypto';
import { type Change, changes, isByPat, kindOf, only, replaces } from './answering.ts';
import { type Defect, defect, type Hooks } from './hooks.ts';
import { type Call, type JsonObject, Refusal } from './http.ts';
import type { OperationId } from './server.ts';
import { decodePart, type Principal } from './tokens.ts';

export const PROTECTED = ['update', 'keys', 'scopes'] as const satisfies readonly OperationId[];

/** The identity that a defect gives to a caller without valid credentials. */
export const administrator = ({ app }: Call): Principal => ({ user: app.store.admin, origin: 'defect' });

/** The user that the payload of a JWT names, or else an administrator. */
function named(claims: JsonObject | undefined, call: Call): Principal {
  const user = call.app.store.users.find((one) => one.id === claims?.sub);
  return user ? { user, origin: 'defect' } : administrator(call);
}

const isJwt = (token: string): boolean => decodePart(token.split('.')[0])?.alg !== undefined;

/** In each answer of the token scopes. */
const inScopes = kindOf((change: Change<[answer: JsonObject]>) => changes('scopes', change));
const inScopesToPats = kindOf((change: JsonObject) => only(isByPat, changes('scopes', change)));

/** Replaces the token in a member of that name with one of another form that works as well. */
const disguise = (op: OperationId, name: string, form: () => string): Hooks =>
  replaces(op, (body, { app }) => {
    const text = JSON.stringify(body);
    const genuine = new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1];
    if (genuine === undefined) return body;
    const token = form();
    app.tokens.aliases.set(token, genuine);
    return JSON.parse(text.replace(genuine, token));
  });

export const ACCESS_DEFECTS = [
  ...PROTECTED.map((operation) =>
    defect(`auth-none-accepted-on-${operation}`, ['AUT-03'], `The operation ${operation} needs no credentials.`, {
      principal: (found, token, call) => (call.op === operation && token === undefined ? administrator(call) : found),
    }),
  ),
  ...PROTECTED.map((operation) =>
    defect(
      `auth-garbage-accepted-on-${operation}`,
      ['AUT-04'],
      `The operation ${operation} accepts any bearer token.`,
      {
        principal: (found, token, call) =>
          !found && call.op === operation && token !== undefined && !isJwt(token) && !call.app.tokens.findPat(token)
            ? administrator(call)
            : found,
      },
    ),
  ),
  ...PROTECTED.map((operation) =>
    defect(`auth-pat-refused-on-${operation}`, ['AUT-02'], `The operation ${operation} refuses a PAT.`, {
      principal: (found, _token, { op }) => (op === operation && found?.origin === 'pat' ? undefined : found),
    }),
  ),
  ...PROTECTED.map((operation) =>
    defect(`auth-jwt-refused-on-${operation}`, ['AUT-01'], `The operation ${operation} refuses a JWT access token.`, {
      principal: (found, _token, { op }) => (op === operation && found?.origin !== 'pat' ? undefined : found),
    }),
  ),
  defect('auth-signature-unchecked', ['AUT-05'], 'The signature of a JWT is not verified.', {
    principal: (found, token, call) => {
      const [header, payload, signature] = token?.split('.') ?? [];
      return !found && signature && decodePart(header)?.alg === 'HS256' ? named(decodePart(payload), call) : found;
    },
  }),
  defect('auth-alg-none-accepted', ['AUT-06'], 'A JWT with alg none and without a signature is accepted.', {
    principal: (found, token, call) => {
      const [header, payload] = token?.split('.') ?? [];
      const alg = decodePart(header)?.alg;
      return !found && typeof alg === 'string' && alg.toLowerCase() === 'none'
        ? named(decodePart(payload), call)
        : found;
    },
  }),
  defect('auth-pat-any-secret', ['AUT-07'], 'A PAT is accepted with any secret.', {
    principal: (found, token, { app }) => found ?? (token ? app.tokens.findPat(token)?.principal : undefined),
  }),
  defect('auth-login-token-refused', ['AUT-08'], 'Protected operations refuse the JWT of the login.', {
    principal: (found) => (found?.origin === 'login' ? undefined : found),
  }),
  defect('auth-login-token-opaque', ['AUT-08'], 'The login yields a token that works but is not a JWT.', {
    ...disguise('login', 'accessToken', randomUUID),
  }),
  defect('auth-created-pat-refused', ['AUT-09', 'AUT-02'], 'A PAT that was just created is refused.', {
    principal: (found) => (found?.origin === 'pat' ? undefined : found),
  }),
  defect('auth-pat-other-form', ['AUT-10'], 'A PAT works but has neither prefix nor dot.', {
    ...disguise('createPat', 'plain_text_token', () => `pat-${randomUUID()}`),
  }),
  defect('auth-pat-without-prefix', ['AUT-10'], 'A PAT works but has no prefix.', {
    ...disguise('createPat', 'plain_text_token', () => `${randomUUID().slice(0, 8)}.${randomUUID()}`),
  }),
  defect('scopes-not-by-get', ['SCO-01'], 'The token scopes are refused to GET.', {
    before: ({ op }) => {
      if (op === 'scopes') throw new Refusal(405, 'use POST', { Allow: 'POST' });
    },
  }),
  inScopes('scopes-without-list', ['SCO-02'], 'The answer does not list the available scopes.', { data: undefined }),
  inScopes('scopes-without-flag', ['SCO-03', 'SCO-04'], 'The answer has no administrator flag.', {
    administrator: undefined,
  }),
  inScopes('scopes-flag-always-true', ['SCO-04'], 'The flag is always true.', { administrator: true }),
  inScopes('scopes-flag-always-false', ['SCO-03'], 'The flag is always false.', { administrator: false }),
  inScopes('scopes-flag-inverted', ['SCO-03', 'SCO-04'], 'The flag is inverted.', (answer) => ({
    administrator: answer.administrator !== true,
  })),
  inScopesToPats('pat-no-flag', ['SCO-03'], 'The flag is missing where the caller has a PAT.', {
    administrator: undefined,
  }),
  inScopesToPats('pat-no-scopes', ['SCO-02'], 'The scopes are missing where the caller has a PAT.', {
    data: undefined,
  }),
] as const satisfies readonly Defect[];
