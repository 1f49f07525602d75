import type { FaultLine } from './fault.ts';
import type { Body, Hooks } from './hooks.ts';
import { inBody as of, sentOf } from './tools.ts';

const inGrant = (change: (grant: Body) => Body): Hooks => of('ssoLogin', (grant) => ({ ...grant, ...change(grant) }));

const inUser = (change: (user: Body) => Body): Hooks =>
  inGrant(({ user }) => ({ user: { ...sentOf({ body: user }), ...change(sentOf({ body: user })) } }));

/** Faults of the shape of the SSO login's answer. */
export const signInShapeFaults: readonly FaultLine[] = [
  [
    'sso-access-token-empty',
    ['SSO-03'],
    'The SSO login answers an empty access_token.',
    inGrant(() => ({ access_token: '' })),
  ],
  [
    'sso-refresh-token-null',
    ['SSO-05'],
    'The SSO login answers refresh_token null.',
    inGrant(() => ({ refresh_token: null })),
  ],
  [
    'sso-refresh-token-object',
    ['SSO-05'],
    'The SSO login answers refresh_token as an object.',
    inGrant(({ refresh_token }) => ({ refresh_token: { token: refresh_token } })),
  ],
  [
    'sso-token-type-capital',
    ['SSO-06'],
    'The SSO login answers token_type Bearer instead of bearer.',
    inGrant(() => ({ token_type: 'Bearer' })),
  ],
  ['sso-token-type-jwt', ['SSO-06'], 'The SSO login answers token_type jwt.', inGrant(() => ({ token_type: 'jwt' }))],
  [
    'sso-expires-in-text',
    ['SSO-07'],
    'The SSO login answers expires_in as a string.',
    inGrant(({ expires_in }) => ({ expires_in: String(expires_in) })),
  ],
  [
    'sso-expires-in-fraction',
    ['SSO-07'],
    'The SSO login answers expires_in with a fraction.',
    inGrant(({ expires_in }) => ({ expires_in: Number(expires_in) - 0.25 })),
  ],
  [
    'sso-user-id-only',
    ['SSO-09'],
    "The SSO login answers the user's id in place of the user.",
    inGrant(({ user }) => ({ user: sentOf({ body: user }).id })),
  ],
  [
    'sso-user-list',
    ['SSO-09'],
    'The SSO login answers a list with the user in it.',
    inGrant(({ user }) => ({ user: [user] })),
  ],
  ['user-id-number', ['SSO-10'], "The user's id is a number.", inUser(() => ({ id: 1815 }))],
  ['user-email-name', ['SSO-11'], "The user's email is a name.", inUser(({ username }) => ({ email: username }))],
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
