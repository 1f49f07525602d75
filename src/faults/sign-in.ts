import { bodyFault, type Fault } from './fault.ts';

/** Faults of the SSO login's answer (4.1). */
export const signInFaults: readonly Fault[] = [
  bodyFault({
    id: 'sso-token-type-capital',
    description: 'The SSO login answers token_type Bearer instead of bearer.',
    requirements: ['SSO-06'],
    operation: 'ssoLogin',
    change: (body) => ({ ...body, token_type: 'Bearer' }),
  }),
  bodyFault({
    id: 'sso-expires-in-text',
    description: 'The SSO login answers expires_in as a string.',
    requirements: ['SSO-07'],
    operation: 'ssoLogin',
    change: (body) => ({ ...body, expires_in: String(body.expires_in) }),
  }),
  bodyFault({
    id: 'sso-expires-in-minutes',
    description: 'The SSO login answers expires_in in minutes.',
    requirements: ['SSO-08'],
    operation: 'ssoLogin',
    change: (body) => ({ ...body, expires_in: Math.round(Number(body.expires_in) / 60) }),
  }),
  bodyFault({
    id: 'sso-no-refresh-token',
    description: 'The SSO login leaves out refresh_token.',
    requirements: ['SSO-05'],
    operation: 'ssoLogin',
    change: ({ refresh_token: _, ...body }) => body,
  }),
];
