import { decodeJwt, portableJwt } from '../jwt.ts';
import { claimsOf, issueAccessToken } from '../operations/tokens.ts';
import type { OperationId } from '../spec/document.ts';
import type { World } from '../world/world.ts';
import { inBody, inUser } from './bodies.ts';
import { accepting, administratorOf, callerById, refuseToken } from './credentials.ts';
import type { FaultRow } from './fault.ts';
import type { Body, Hooks } from './hooks.ts';
import { counter, delivery, errorText, on } from './tools.ts';

const accessTokens = (operation: OperationId, change: (token: string, world: World) => string): Hooks =>
  inBody(operation, (body, { world }) => ({ ...body, access_token: change(String(body.access_token), world) }));

const reSigned = (token: string, key: string): string => portableJwt.sign(decodeJwt(token)?.claims ?? {}, key);

/** Tokens that are opaque to clients, and accepted. */
const opaqueTokens = (wrap: (token: string) => string, unwrap: (token: string) => string): Hooks => ({
  receive: (arrival) => {
    const [scheme, token = ''] = String(arrival.headers.authorization ?? '').split(' ');
    const known = unwrap(token);
    return known === token
      ? undefined
      : { ...arrival, headers: { ...arrival.headers, authorization: `${scheme} ${known}` } };
  },
  ...accessTokens('ssoLogin', wrap),
});

const patTokens = (change: (token: string) => string | undefined): Hooks =>
  inBody('createApiToken', (body) => ({ ...body, token: change(String(body.token)) }));

const notFoundAt = (path: string): Hooks => ({
  intercept: ({ url }) => (url === path ? delivery(404, errorText('not_found', 'Not found.')) : undefined),
});

/** Hooks that return another user id on sign-in. */
const asUser = (pick: (world: World, user: Body, logins: number) => unknown): Hooks => {
  const count = counter();
  return inUser((user, { world }) => ({ id: pick(world, user, count(world)) }));
};

/** Faults of sign-in and of the tokens that it issues. */
export const signInFaults: readonly FaultRow[] = [
  [
    'sso-token-opaque',
    ['SSO-04'],
    'The access token of the SSO login is opaque.',
    opaqueTokens(
      (token) => `opaque~${token.replaceAll('.', '~')}`,
      (token) => token.replace(/^opaque~/, '').replaceAll('~', '.'),
    ),
  ],
  [
    'sso-token-two-parts',
    ['SSO-04', 'SSO-15'],
    'The access token of the SSO login lacks its signature.',
    accessTokens('ssoLogin', (token) => token.split('.').slice(0, 2).join('.')),
  ],
  [
    'sso-token-with-scheme',
    ['SSO-04', 'SSO-15'],
    'The access token of the SSO login starts with Bearer.',
    accessTokens('ssoLogin', (token) => `Bearer ${token}`),
  ],
  [
    'sso-token-of-another-key',
    ['SSO-15'],
    'The access token of the SSO login is signed with another key and never accepted.',
    accessTokens('ssoLogin', (token) => reSigned(token, 'another key')),
  ],
  [
    'sso-token-over-at-once',
    ['SSO-15', 'SSO-08'],
    'The access token of the SSO login has already expired.',
    accessTokens('ssoLogin', (token, world) => {
      const user = world.store.users.get(String(decodeJwt(token)?.claims.sub));
      return user ? issueAccessToken(world, user, -1) : token;
    }),
  ],
  [
    'sso-one-user-for-all',
    ['SSO-16'],
    'Every identity signs in as the same user.',
    asUser((world) => administratorOf(world)?.id),
  ],
  [
    'sso-user-by-tenant',
    ['SSO-16'],
    "Identities are distinguished by tenant only: the tenant's first user signs in.",
    asUser((world, user) => {
      const tenant = world.store.users.get(String(user.id))?.tenant;
      return [...world.store.users.all()].find((other) => other.tenant === tenant)?.id;
    }),
  ],
  [
    'sso-user-anew',
    ['SSO-17'],
    'An identity gets another user id on each sign-in.',
    asUser((_world, user, logins) => `${user.id}-${logins}`),
  ],
  [
    'login-token-of-another-key',
    ['AUT-08'],
    'The JWT of the password login is never accepted.',
    accessTokens('login', (token) => reSigned(token, 'another key')),
  ],
  [
    'login-token-opaque',
    ['AUT-08'],
    'The access token of the password login is not a JWT.',
    accessTokens('login', (token) => token.replaceAll('.', '~')),
  ],
  ['login-gone', ['AUT-08'], 'The password login does not exist: 404.', notFoundAt('/v1/auth/login')],
  [
    'pat-never-works',
    ['AUT-09', 'AUT-02'],
    'A new PAT is never accepted.',
    patTokens((token) => token.replace(/_./, '_z').replace(/_z/, '_zz')),
  ],
  ['pat-creation-gone', ['AUT-09'], 'PATs cannot be created: 404.', notFoundAt('/v1/api-tokens')],
  ['pat-without-secret', ['AUT-10'], 'A new PAT has no secret.', patTokens((token) => token.split('.')[0])],
  [
    'pat-without-prefix',
    ['AUT-10'],
    'A new PAT has no prefix.',
    patTokens((token) => token.split('_').slice(1).join('')),
  ],
  [
    'pat-with-colon',
    ['AUT-10'],
    'A new PAT has a colon before its secret.',
    patTokens((token) => token.replace('.', ':')),
  ],
  ['pat-not-told', ['AUT-10', 'AUT-09'], 'A new PAT is not returned.', patTokens(() => undefined)],
  [
    'refresh-never-works',
    ['SSO-18'],
    'A refresh token is always refused.',
    { operations: on('refreshAccessToken', (world) => refuseToken(world)) },
  ],
  [
    'expired-token-accepted',
    ['AUT-12'],
    'An access token is accepted after its lifetime.',
    accepting((world, token) => {
      const claims = claimsOf(world, token);
      return claims && callerById(world, claims.sub, 'jwt');
    }),
  ],
];
