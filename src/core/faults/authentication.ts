import { asText } from '../../../contract-tests/values/json.ts';
import { decodeJwt, portableJwt } from '../jwt.ts';
import { claimsOf, issueAccessToken } from '../operations/tokens.ts';
import type { OperationId } from '../spec/document.ts';
import {
  asking,
  callsOf,
  errorText,
  everyNth,
  failure,
  inGrant,
  inMember,
  inPlace,
  inScopes,
  intercepting,
  inUser,
  on,
  receiving,
  sending,
  writing,
} from './change.ts';
import {
  accepting,
  acceptingJwt,
  acceptingPat,
  administrator,
  callerById,
  ending,
  openTo,
  type Proof,
  refuseToken,
  refusing,
  refusingUses,
} from './credentials.ts';
import { each, family, type Hooks } from './fault.ts';

const accessTokens = (operation: OperationId) => inMember(inPlace(operation, []), 'access_token');
const patTokens = inMember(inPlace('createApiToken', []), 'token');

const reSigned = (token: string): string => portableJwt.sign(decodeJwt(token)?.claims ?? {}, 'another key');

const notFoundAt = (path: string): Hooks =>
  intercepting(({ url }) => (url === path ? failure(404, 'not_found', 'Not found.') : undefined));

/** Whether a signature or a secret differs from the genuine one at its last character only, or not at all. */
const isAlikeButLast = ({ given, genuine }: Proof): boolean =>
  given.length === genuine.length && given.slice(0, -1) === genuine.slice(0, -1);

const isAdminFlag = (change: (flag: boolean) => boolean): Hooks =>
  inScopes((body) => {
    const name = 'isAdmin' in body ? 'isAdmin' : 'is_admin';
    return { [name]: change(body[name] === true) };
  });

/** Hooks under which a list without filters uses the filters of the same token's list before it. */
const stickingFilter = asking('listTenantApiKeys', ({ caller, query }, { remember }) => {
  const last = remember(() => new Map<string, object>());
  const id = String(caller?.user.id);
  const before = last.get(id);
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  if (isFiltered) last.set(id, query);
  else last.delete(id);
  return isFiltered || !before ? undefined : { query: before };
});

export const authenticationFaults = family('authentication and tokens', {
  'sso-token-opaque SSO-04: The access token of the SSO login is opaque.': {
    ...receiving(({ headers }) => {
      const [scheme, token = ''] = String(headers.authorization ?? '').split(' ');
      const authorization = `${scheme} ${token.replace(/^opaque~/, '').replaceAll('~', '.')}`;
      return token.includes('~') ? { headers: { ...headers, authorization } } : undefined;
    }),
    ...accessTokens('ssoLogin')((token) => `opaque~${token.replaceAll('.', '~')}`),
  },
  ...each(accessTokens('ssoLogin'), {
    'sso-token-two-parts SSO-04 SSO-15: The access token of the SSO login lacks its signature.': (token) =>
      token.split('.').slice(0, 2).join('.'),
    'sso-token-with-scheme SSO-04 SSO-15: The access token of the SSO login starts with Bearer.': (token) =>
      `Bearer ${token}`,
    'sso-token-of-another-key SSO-15: The access token of the SSO login has a wrong signature and is never accepted.':
      reSigned,
    'sso-token-over-at-once SSO-15 SSO-08: The access token of the SSO login has already expired.': (
      token,
      { world },
    ) => {
      const user = world.store.users.get(asText(decodeJwt(token)?.claims.sub));
      return user ? issueAccessToken(world, user, -1) : token;
    },
  }),
  ...each(accessTokens('login'), {
    'login-token-of-another-key AUT-08: The JWT of the password login is never accepted.': reSigned,
    'login-token-opaque AUT-08: The access token of the password login is not a JWT.': (token) =>
      token.replaceAll('.', '~'),
  }),
  ...each(inMember(inUser, 'id'), {
    'sso-one-user-for-all SSO-16: Every identity signs in as the same user.': (_id, { world }) =>
      administrator(world)?.user.id,
    'sso-user-anew SSO-17: An identity gets another user id on each sign-in.': (id, context) =>
      `${id}-${callsOf(context)}`,
  }),
  'refresh-token-for-all SSO-16: Every identity is given the same refresh token.': inGrant(() => ({
    refresh_token: 'c2FtZSBmb3IgYWxsIG9mIHVz',
  })),
  'sso-fifth-without-user SSO-09: Every fifth SSO login is answered without the user.': {
    cadence: everyNth(5),
    ...inGrant(() => ({ user: undefined })),
  },
  ...each(notFoundAt, {
    'login-gone AUT-08: The password login does not exist: 404.': '/v1/auth/login',
    'pat-creation-gone AUT-09: PATs cannot be created: 404.': '/v1/api-tokens',
  }),
  ...each(patTokens, {
    'pat-never-works AUT-09 AUT-02: A new PAT is never accepted.': (token) => token.replace(/_./, '_zz'),
    'pat-without-secret AUT-10: A new PAT has no secret.': (token) => token.split('.')[0],
    'pat-without-prefix AUT-10: A new PAT has no prefix.': (token) => token.split('_').slice(1).join(''),
    'pat-with-colon AUT-10: A new PAT has a colon before its secret.': (token) => token.replace('.', ':'),
    'pat-not-told AUT-10 AUT-09: A new PAT is not returned.': () => undefined,
  }),
  'later-pat-with-dash AUT-10: From the second PAT on, prefix and id are joined by -.': {
    cadence: (at) => at > 1,
    ...patTokens((token) => token.replace('_', '-')),
  },
  'refresh-never-works SSO-18: A refresh token is always refused.': on('refreshAccessToken', ({ world }) =>
    refuseToken(world),
  ),

  ...each(refusing('jwt'), {
    'jwt-refused-for-updates AUT-01: An update refuses JWTs and accepts PATs.': 'updateRecording',
    'jwt-refused-for-keys AUT-01 KEY-01: The list of API keys refuses JWTs and accepts PATs.': 'listTenantApiKeys',
    'jwt-refused-for-scopes AUT-01 SCO-01: The token scopes refuse JWTs and accept PATs.': 'listTokenScopes',
  }),
  ...each(refusing('pat'), {
    'pat-refused AUT-02 AUT-09: PATs are refused everywhere.': 'all',
    'pat-refused-for-updates AUT-02: An update refuses PATs.': 'updateRecording',
    'pat-refused-for-keys AUT-02: The list of API keys refuses PATs.': 'listTenantApiKeys',
    'pat-refused-for-scopes AUT-02: The token scopes refuse PATs.': 'listTokenScopes',
  }),
  ...each(refusingUses, {
    'jwt-used-up AUT-01: A JWT is accepted for one request only.': ({ via, use }) => via === 'jwt' && use > 1,
    'jwt-dies-early SSO-08: A JWT is refused 1.5 s after its first use.': ({ via, ageMs }) =>
      via === 'jwt' && ageMs > 1500,
    'jwt-forgotten AUT-01 SSO-08: A JWT is forgotten after 25 uses.': ({ via, use }) => via === 'jwt' && use > 25,
    'pat-dies-early AUT-02: A PAT is refused 1.5 s after its first use.': ({ via, ageMs }) =>
      via === 'pat' && ageMs > 1500,
  }),
  'refreshed-token-dead SSO-18: The access token for a refresh token is never accepted.': ending(
    'refreshAccessToken',
    ({ access_token }) => access_token,
  ),
  ...each(isAdminFlag, {
    'scopes-deny-admin SCO-03: The scopes response says that an administrator is not one.': () => false,
    'scopes-flag-inverted SCO-03 SCO-04: The scopes response inverts the administrator flag.': (flag) => !flag,
    'scopes-all-admin SCO-04: The scopes response says that every caller is an administrator.': () => true,
  }),
  "scopes-cached SCO-04: Every caller gets the first caller's scopes.": inScopes((body, { remember }) =>
    remember(() => body),
  ),
  'member-pat-administrator SCO-04: The token scopes say of every PAT that its user is an administrator.': inScopes(
    (_body, { request }) => (request.caller?.via === 'pat' ? { is_admin: true } : undefined),
  ),
  'scopes-for-administrators SCO-01: The token scopes are refused to everybody who is not an administrator.': sending(
    'listTokenScopes',
  )((_sent, { request }) =>
    request.caller?.user.administrator === false
      ? { status: 403, text: errorText('forbidden', 'Not for you.') }
      : undefined,
  ),
  'key-filter-sticks KEY-16: A list without filters uses those of the list before it.': stickingFilter,

  ...each(openTo, {
    'open-to-all AUT-03: Requests without credentials are served as an administrator.': /^\/v1\/(?!auth\/)/,
    'updates-open-to-all AUT-03: Updates do not require credentials.': /^\/v1\/echo\//,
    'keys-open-to-all AUT-03: The list of API keys does not require credentials.': /\/api-keys/,
    'scopes-open-to-all AUT-03: The token scopes do not require credentials.': /scopes(\?|$)/,
    'filtered-keys-open AUT-03: A filtered list of API keys needs no credentials.': /\/api-keys\?/,
  }),
  ...each(accepting, {
    'any-token-accepted AUT-04: Any bearer token is accepted.': ({ world }, token) =>
      token === '' ? undefined : administrator(world),
    'any-dotted-token-accepted AUT-04: Any token with two dots is accepted as a JWT.': ({ world }, token) =>
      token.split('.').length === 3 && !decodeJwt(token) ? administrator(world) : undefined,
    'expired-token-accepted AUT-12: An access token is accepted after its lifetime.': ({ world }, token) => {
      const claims = claimsOf(world, token);
      return claims && callerById(world, claims.sub, 'jwt');
    },
  }),
  'basic-accepted AUT-04: Any Basic credentials are accepted.': accepting(({ world, arrival }) =>
    /^Basic /.test(asText(arrival.headers.authorization)) ? administrator(world) : undefined,
  ),
  'one-session-for-all SSO-15: A sign-in ends the access token of the sign-in before it, of any user.': ending(
    'ssoLogin',
    ({ access_token }, _, replaced) => replaced('all', access_token),
  ),
  'one-pat-for-all AUT-02: A new PAT ends the one before it, of any user.': ending(
    'createApiToken',
    ({ token }, _, replaced) => replaced('all', token),
  ),
  'garbage-crashes AUT-04: A bearer token that is neither JWT nor PAT causes a 500.': writing(
    ({ status }, { arrival }) => {
      const token = String(arrival.headers.authorization ?? '').split(' ')[1] ?? '';
      return status === 401 && token !== '' && !token.includes('.') ? { status: 500 } : undefined;
    },
  ),
  ...each(acceptingJwt, {
    "jwt-signature-unchecked AUT-05 AUT-06: A JWT's signature is not verified.": () => true,
    'jwt-any-signature AUT-05: A JWT is accepted with any non-empty signature.': ({ given }) => given !== '',
    "jwt-signature-start AUT-05: Only the first half of a JWT's signature is compared.": ({ given, genuine }) =>
      given !== '' && given.slice(0, 20) === genuine.slice(0, 20),
    "jwt-signature-end AUT-05: Only the second half of a JWT's signature is compared.": ({ given, genuine }) =>
      given !== '' && given.slice(-20) === genuine.slice(-20),
    "jwt-signature-last-character AUT-05: The last character of a JWT's signature is not compared.": isAlikeButLast,
    'unsigned-jwt-accepted AUT-06: A JWT with alg none is accepted.': ({ algorithm }) => algorithm === 'none',
    'unsigned-jwt-in-capitals AUT-06: A JWT with alg None is accepted, in any case but lower case.': ({ algorithm }) =>
      algorithm !== 'none' && algorithm.toLowerCase() === 'none',
    'empty-signature-accepted AUT-06: A JWT is accepted without its signature.': ({ given }) => given === '',
  }),
  ...each(acceptingPat, {
    'pat-any-secret AUT-07: A PAT is accepted with any non-empty secret.': ({ given }) => given !== '',
    'pat-secret-optional AUT-07: A PAT is accepted without its secret.': ({ given }) => given === '',
    "pat-secret-start AUT-07: Only the first eight characters of a PAT's secret are compared.": ({ given, genuine }) =>
      given.slice(0, 8) === genuine.slice(0, 8),
    "pat-secret-length AUT-07: Only the length of a PAT's secret is compared.": ({ given, genuine }) =>
      given.length === genuine.length,
    'pat-secret-part AUT-07: A PAT is accepted with a prefix of its secret.': ({ given, genuine }) =>
      given !== '' && genuine.startsWith(given),
    'pat-secret-of-user AUT-07: A PAT is accepted with the secret of any PAT of its user.': ({ isOfUser }) => isOfUser,
    "pat-secret-last-character AUT-07: The last character of a PAT's secret is not compared.": isAlikeButLast,
  }),
});
