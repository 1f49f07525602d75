import { inGrant, inUser } from './bodies.ts';
import type { FaultRow } from './fault.ts';
import { objectOf } from './tools.ts';

/** Faults of the shape of the SSO login's response. */
export const signInShapeFaults: readonly FaultRow[] = [
  [
    'sso-access-token-empty',
    ['SSO-03'],
    "The SSO login's access_token is empty.",
    inGrant(() => ({ access_token: '' })),
  ],
  [
    'sso-refresh-token-null',
    ['SSO-05'],
    "The SSO login's refresh_token is null.",
    inGrant(() => ({ refresh_token: null })),
  ],
  [
    'sso-refresh-token-object',
    ['SSO-05'],
    "The SSO login's refresh_token is an object.",
    inGrant(({ refresh_token }) => ({ refresh_token: { token: refresh_token } })),
  ],
  [
    'sso-token-type-capital',
    ['SSO-06'],
    "The SSO login's token_type is Bearer instead of bearer.",
    inGrant(() => ({ token_type: 'Bearer' })),
  ],
  ['sso-token-type-jwt', ['SSO-06'], "The SSO login's token_type is jwt.", inGrant(() => ({ token_type: 'jwt' }))],
  [
    'sso-expires-in-text',
    ['SSO-07'],
    "The SSO login's expires_in is a string.",
    inGrant(({ expires_in }) => ({ expires_in: String(expires_in) })),
  ],
  [
    'sso-expires-in-fraction',
    ['SSO-07'],
    "The SSO login's expires_in has a fraction.",
    inGrant(({ expires_in }) => ({ expires_in: Number(expires_in) - 0.25 })),
  ],
  [
    'sso-user-id-only',
    ['SSO-09'],
    "The SSO login's user is only an id.",
    inGrant(({ user }) => ({ user: objectOf(user).id })),
  ],
  ['sso-user-list', ['SSO-09'], "The SSO login's user is in an array.", inGrant(({ user }) => ({ user: [user] }))],
  ['user-id-number', ['SSO-10'], "The user's id is a number.", inUser(() => ({ id: 1815 }))],
  ['user-email-name', ['SSO-11'], "The user's email is a user name.", inUser(({ username }) => ({ email: username }))],
  ['user-username-null', ['SSO-12'], "The user's username is null.", inUser(() => ({ username: null }))],
  [
    'user-confirmed-text',
    ['SSO-13'],
    "The user's confirmed is a string.",
    inUser(({ confirmed }) => ({ confirmed: String(confirmed) })),
  ],
  [
    'user-confirmed-number',
    ['SSO-13'],
    "The user's confirmed is 1 or 0.",
    inUser(({ confirmed }) => ({ confirmed: Number(confirmed) })),
  ],
];
