import jwt from 'jsonwebtoken';
import type { Caller } from '../operations/operation.ts';
import { issueAccessToken } from '../operations/tokens.ts';
import type { OperationId } from '../spec/document.ts';
import type { World } from '../world/world.ts';
import {
  accepting,
  acceptingJwt,
  acceptingPat,
  administratorOf,
  callerNamed,
  openTo,
  protectedIds,
  refuseToken,
  refusing,
} from './credentials.ts';
import { type FaultLine, family } from './fault.ts';
import type { Body, Hooks } from './hooks.ts';
import { counter, delivery, on, perWorld, sentOf } from './tools.ts';

const admin = (world: World): Caller | undefined => callerNamed(world, administratorOf(world)?.id, 'jwt');
const isDotted = (token: string): boolean => token.split('.').length === 3;
const isForged = (token: string): boolean => jwt.decode(token) === null;

const accessTokens = (operation: OperationId, change: (token: string, world: World) => string): Hooks => ({
  bodies: {
    [operation]: (body: Body, { world }: { world: World }) => ({
      ...body,
      access_token: change(String(body.access_token), world),
    }),
  },
});

const reSigned = (token: string, key: string): string => jwt.sign(jwt.decode(token) ?? {}, key);

/** Tokens that say nothing to a client, and are taken all the same. */
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

const patTokens = (change: (token: string) => string | undefined): Hooks => ({
  bodies: { createApiToken: (body) => ({ ...body, token: change(String(body.token)) }) },
});

/** The user of the token, in the place of the one who signed in. */
const asUser = (pick: (world: World, user: Body, logins: number) => unknown): Hooks => {
  const count = counter();
  return {
    bodies: {
      ssoLogin: (body, { world }) => {
        const user = sentOf({ body: body.user });
        return { ...body, user: { ...user, id: pick(world, user, count(world)) } };
      },
    },
  };
};

const usedUp = (most: number): Hooks => {
  const uses = perWorld(() => new Map<string, number>());
  return {
    authenticate: (world, authorization = '', faithful) => {
      const caller = faithful();
      const used = (uses(world).get(authorization) ?? 0) + 1;
      uses(world).set(authorization, used);
      return used > most && caller.via === 'jwt' ? refuseToken(world) : undefined;
    },
  };
};

const scopesOfFirst = (): Hooks => {
  const first = perWorld((): { body?: Body } => ({}));
  return {
    bodies: {
      listTokenScopes: (body, { world }) => {
        first(world).body ??= body;
        return first(world).body;
      },
    },
  };
};

const isAdminFlag = (change: (flag: boolean) => boolean): Hooks => ({
  bodies: {
    listTokenScopes: (body) => {
      const name = 'isAdmin' in body ? 'isAdmin' : 'is_admin';
      return { ...body, [name]: change(body[name] === true) };
    },
  },
});

const signIn: FaultLine[] = [
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
    'The access token of the SSO login starts with the word Bearer.',
    accessTokens('ssoLogin', (token) => `Bearer ${token}`),
  ],
  [
    'sso-token-of-another-key',
    ['SSO-15'],
    'The access token of the SSO login is signed with another key, and accepted nowhere.',
    accessTokens('ssoLogin', (token) => reSigned(token, 'another key')),
  ],
  [
    'sso-token-over-at-once',
    ['SSO-15', 'SSO-08'],
    'The access token of the SSO login is over when it arrives.',
    accessTokens('ssoLogin', (token, world) => {
      const user = world.store.users.get(String(jwt.decode(token)?.sub));
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
    "An identity is told by its tenant only: the tenant's first user signs in.",
    asUser((world, user) => {
      const tenant = world.store.users.get(String(user.id))?.tenant;
      return [...world.store.users.all()].find((other) => other.tenant === tenant)?.id;
    }),
  ],
  [
    'sso-user-anew',
    ['SSO-17'],
    'An identity has another user id at each sign-in.',
    asUser((_world, user, logins) => `${user.id}-${logins}`),
  ],
  [
    'login-token-of-another-key',
    ['AUT-08'],
    'The JWT of the password login is accepted nowhere.',
    accessTokens('login', (token) => reSigned(token, 'another key')),
  ],
  [
    'login-token-opaque',
    ['AUT-08'],
    'The password login yields no JWT.',
    accessTokens('login', (token) => token.replaceAll('.', '~')),
  ],
  [
    'login-gone',
    ['AUT-08'],
    'There is no password login: 404.',
    {
      intercept: ({ url }) =>
        url === '/v1/auth/login'
          ? delivery(404, '{"error":{"code":"not_found","message":"Nothing here."}}')
          : undefined,
    },
  ],
  [
    'pat-never-works',
    ['AUT-09', 'AUT-02'],
    'A new PAT is accepted nowhere.',
    patTokens((token) => token.replace(/_./, '_z').replace(/_z/, '_zz')),
  ],
  [
    'pat-creation-gone',
    ['AUT-09'],
    'PATs cannot be created: 404.',
    {
      intercept: ({ url }) =>
        url === '/v1/api-tokens'
          ? delivery(404, '{"error":{"code":"not_found","message":"Nothing here."}}')
          : undefined,
    },
  ],
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
  ['pat-not-told', ['AUT-10', 'AUT-09'], 'A new PAT is not told.', patTokens(() => undefined)],
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
      try {
        const claims = jwt.verify(token, world.signingKey, { algorithms: ['HS256'], ignoreExpiration: true });
        return callerNamed(world, claims.sub, 'jwt');
      } catch {
        return undefined;
      }
    }),
  ],
];

const refused: FaultLine[] = [
  [
    'jwt-refused-for-updates',
    ['AUT-01'],
    'An update refuses JWTs, and takes PATs.',
    refusing('jwt', 'updateRecording'),
  ],
  [
    'jwt-refused-for-keys',
    ['AUT-01', 'KEY-01'],
    'The list of API keys refuses JWTs, and takes PATs.',
    refusing('jwt', 'listTenantApiKeys'),
  ],
  [
    'jwt-refused-for-scopes',
    ['AUT-01', 'SCO-01'],
    'The token scopes refuse JWTs, and take PATs.',
    refusing('jwt', 'listTokenScopes'),
  ],
  ['jwt-used-up', ['AUT-01'], 'A JWT is good for one request only.', usedUp(1)],
  ['pat-refused', ['AUT-02', 'AUT-09'], 'PATs are refused everywhere.', refusing('pat', ...protectedIds)],
  ['pat-refused-for-updates', ['AUT-02'], 'An update refuses PATs.', refusing('pat', 'updateRecording')],
  ['pat-refused-for-keys', ['AUT-02'], 'The list of API keys refuses PATs.', refusing('pat', 'listTenantApiKeys')],
  ['pat-refused-for-scopes', ['AUT-02'], 'The token scopes refuse PATs.', refusing('pat', 'listTokenScopes')],
  [
    'scopes-deny-admin',
    ['SCO-03'],
    'The scopes answer says of an administrator that the caller is none.',
    isAdminFlag(() => false),
  ],
  [
    'scopes-flag-inverted',
    ['SCO-03', 'SCO-04'],
    'The scopes answer says the opposite of who is an administrator.',
    isAdminFlag((flag) => !flag),
  ],
  [
    'scopes-all-admin',
    ['SCO-04'],
    'The scopes answer says of everybody that the caller is an administrator.',
    isAdminFlag(() => true),
  ],
  ['scopes-cached', ['SCO-04'], "The first caller's scopes are answered to everybody.", scopesOfFirst()],
];

const accepted: FaultLine[] = [
  [
    'open-to-all',
    ['AUT-03'],
    'Requests without credentials are served as an administrator.',
    openTo(admin, ...protectedIds),
  ],
  ['updates-open-to-all', ['AUT-03'], 'Updates need no credentials.', openTo(admin, 'updateRecording')],
  ['keys-open-to-all', ['AUT-03'], 'The list of API keys needs no credentials.', openTo(admin, 'listTenantApiKeys')],
  ['scopes-open-to-all', ['AUT-03'], 'The token scopes need no credentials.', openTo(admin, 'listTokenScopes')],
  [
    'any-token-accepted',
    ['AUT-04'],
    'Any bearer token is accepted.',
    accepting((world, token) => (token === '' ? undefined : admin(world))),
  ],
  [
    'any-dotted-token-accepted',
    ['AUT-04'],
    'Whatever has two dots is accepted as a JWT.',
    accepting((world, token) => (isDotted(token) && isForged(token) ? admin(world) : undefined)),
  ],
  [
    'garbage-crashes',
    ['AUT-04'],
    'A bearer token that is neither JWT nor PAT is answered with 500.',
    {
      deliver: (sent, { arrival }) => {
        const token = String(arrival.headers.authorization ?? '').split(' ')[1] ?? '';
        return sent.status === 401 && token !== '' && !token.includes('.') ? { ...sent, status: 500 } : undefined;
      },
    },
  ],
  ['jwt-signature-unchecked', ['AUT-05', 'AUT-06'], "A JWT's signature is not checked.", acceptingJwt(() => true)],
  ['jwt-any-signature', ['AUT-05'], 'A JWT needs a signature, whatever it is.', acceptingJwt((given) => given !== '')],
  [
    'jwt-signature-start',
    ['AUT-05'],
    "Only the first half of a JWT's signature is compared.",
    acceptingJwt((given, genuine) => given !== '' && given.slice(0, 20) === genuine.slice(0, 20)),
  ],
  [
    'jwt-signature-end',
    ['AUT-05'],
    "Only the second half of a JWT's signature is compared.",
    acceptingJwt((given, genuine) => given !== '' && given.slice(-20) === genuine.slice(-20)),
  ],
  [
    'jwt-signature-last-character',
    ['AUT-05'],
    "The last character of a JWT's signature is not compared.",
    acceptingJwt((given, genuine) => given.length === genuine.length && given.slice(0, -1) === genuine.slice(0, -1)),
  ],
  [
    'unsigned-jwt-accepted',
    ['AUT-06'],
    'A JWT with alg none is accepted.',
    acceptingJwt((_given, _genuine, algorithm) => algorithm === 'none'),
  ],
  [
    'unsigned-jwt-in-capitals',
    ['AUT-06'],
    'A JWT with alg None is accepted, in whatever letters but small ones.',
    acceptingJwt((_given, _genuine, algorithm) => algorithm !== 'none' && algorithm.toLowerCase() === 'none'),
  ],
  [
    'empty-signature-accepted',
    ['AUT-06'],
    'A JWT whose signature was taken off is accepted.',
    acceptingJwt((given) => given === ''),
  ],
  ['pat-any-secret', ['AUT-07'], 'A PAT is accepted whatever its secret.', acceptingPat((given) => given !== '')],
  ['pat-secret-optional', ['AUT-07'], 'A PAT is accepted without its secret.', acceptingPat((given) => given === '')],
  [
    'pat-secret-start',
    ['AUT-07'],
    "Only the first eight characters of a PAT's secret are compared.",
    acceptingPat((given, genuine) => given.slice(0, 8) === genuine.slice(0, 8)),
  ],
  [
    'pat-secret-length',
    ['AUT-07'],
    "Only the length of a PAT's secret is compared.",
    acceptingPat((given, genuine) => given.length === genuine.length),
  ],
  [
    'pat-secret-part',
    ['AUT-07'],
    'A PAT is accepted with the beginning of its secret.',
    acceptingPat((given, genuine) => given !== '' && genuine.startsWith(given)),
  ],
  [
    'pat-secret-last-character',
    ['AUT-07'],
    "The last character of a PAT's secret is not compared.",
    acceptingPat((given, genuine) => given.length === genuine.length && given.slice(0, -1) === genuine.slice(0, -1)),
  ],
];

/** Faults of signing in, of tokens, and of what they are good for. */
export const authenticationFaults = family('authentication and tokens', [...signIn, ...refused, ...accepted]);
