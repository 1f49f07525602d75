/** What authentication and the token scopes can do wrong. */
import { randomUUID } from 'node:crypto';
import { type Defect, defect, type Hooks } from './hooks.ts';
import { type Call, isObject, type JsonObject, type OperationId, Refusal } from './http.ts';
import { decodePart, type Principal } from './tokens.ts';

const PROTECTED = ['update', 'keys', 'scopes'] as const satisfies readonly OperationId[];

const administrator = ({ app }: Call): Principal => ({ user: app.store.admin, origin: 'defect' });

/** Takes whoever the payload of a JWT names, or else an administrator. */
function named(claims: JsonObject | undefined, call: Call): Principal {
  const user = call.app.store.users.find((one) => one.id === claims?.sub);
  return user ? { user, origin: 'defect' } : administrator(call);
}

const isJwt = (token: string): boolean => decodePart(token.split('.')[0])?.alg !== undefined;

/** Changes the answer of the token scopes. */
function onScopes(change: (answer: JsonObject) => JsonObject): Hooks {
  return {
    reply: (reply, { op }) =>
      op === 'scopes' && isObject(reply.body) ? { ...reply, body: { ...reply.body, ...change(reply.body) } } : reply,
  };
}

/** The value of a field somewhere inside of an answer. */
function tokenIn(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined;
  return (
    value[name] ??
    Object.values(value)
      .map((inner) => tokenIn(inner, name))
      .find((found) => found !== undefined)
  );
}

/** The same answer with another token in it. */
function withToken(value: unknown, name: string, token: string): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === name ? token : withToken(inner, name, token)]),
  );
}

/** Hands out another form of the token, one that works as well. */
function disguise(operation: OperationId, name: string, form: () => string): Hooks {
  return {
    reply: (reply, { op, app }) => {
      const genuine = op === operation ? tokenIn(reply.body, name) : undefined;
      if (typeof genuine !== 'string') return reply;
      const token = form();
      app.tokens.aliases.set(token, genuine);
      return { ...reply, body: withToken(reply.body, name, token) };
    },
  };
}

export const ACCESS_DEFECTS = [
  ...PROTECTED.map((operation) =>
    defect(`auth-none-accepted-on-${operation}`, ['AUT-03'], `The operation ${operation} needs no credentials.`, {
      principal: (found, token, call) => (call.op === operation && token === undefined ? administrator(call) : found),
    }),
  ),
  ...PROTECTED.map((operation) =>
    defect(`auth-garbage-accepted-on-${operation}`, ['AUT-04'], `The operation ${operation} takes any bearer token.`, {
      principal: (found, token, call) =>
        !found && call.op === operation && token !== undefined && !isJwt(token) && !call.app.tokens.findPat(token)
          ? administrator(call)
          : found,
    }),
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
  defect('auth-pat-any-secret', ['AUT-07'], 'A PAT is accepted whatever its secret.', {
    principal: (found, token, { app }) => found ?? (token ? app.tokens.findPat(token)?.principal : undefined),
  }),
  defect('auth-login-token-refused', ['AUT-08'], 'Protected operations refuse the JWT of the login.', {
    principal: (found) => (found?.origin === 'login' ? undefined : found),
  }),
  defect('auth-login-token-opaque', ['AUT-08'], 'The login yields a token that works but is no JWT.', {
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
  defect('scopes-without-list', ['SCO-02'], 'The answer does not say which scopes are available.', {
    ...onScopes(() => ({ data: undefined })),
  }),
  defect(
    'scopes-without-flag',
    ['SCO-03', 'SCO-04'],
    'The answer does not say whether the caller is an administrator.',
    {
      ...onScopes(() => ({ administrator: undefined })),
    },
  ),
  defect('scopes-flag-always-true', ['SCO-04'], 'Everybody is said to be an administrator.', {
    ...onScopes(() => ({ administrator: true })),
  }),
  defect('scopes-flag-always-false', ['SCO-03'], 'Nobody is said to be an administrator.', {
    ...onScopes(() => ({ administrator: false })),
  }),
  defect('scopes-flag-inverted', ['SCO-03', 'SCO-04'], 'Administrators are said to be none, and others to be.', {
    ...onScopes((answer) => ({ administrator: answer.administrator !== true })),
  }),
] as const satisfies readonly Defect[];
