import { inBody } from './bodies.ts';
import { protectedIds, refuseToken, refusing } from './credentials.ts';
import type { FaultRow } from './fault.ts';
import type { Body, Hooks } from './hooks.ts';
import { perWorld } from './tools.ts';

const usableTimes = (limit: number): Hooks => {
  const uses = perWorld(() => new Map<string, number>());
  return {
    observes: true,
    authenticate: (world, authorization = '', faithful) => {
      const caller = faithful();
      const used = (uses(world).get(authorization) ?? 0) + 1;
      uses(world).set(authorization, used);
      return used > limit && caller.via === 'jwt' ? refuseToken(world) : undefined;
    },
  };
};

const scopesOfFirst = (): Hooks => {
  const first = perWorld((): { body?: Body } => ({}));
  return inBody('listTokenScopes', (body, { world }) => {
    first(world).body ??= body;
    return first(world).body;
  });
};

const isAdminFlag = (change: (flag: boolean) => boolean): Hooks =>
  inBody('listTokenScopes', (body) => {
    const name = 'isAdmin' in body ? 'isAdmin' : 'is_admin';
    return { ...body, [name]: change(body[name] === true) };
  });

/** Faults under which valid tokens are refused, or the scopes response is wrong about the caller. */
export const refusedTokenFaults: readonly FaultRow[] = [
  [
    'jwt-refused-for-updates',
    ['AUT-01'],
    'An update refuses JWTs and accepts PATs.',
    refusing('jwt', 'updateRecording'),
  ],
  [
    'jwt-refused-for-keys',
    ['AUT-01', 'KEY-01'],
    'The list of API keys refuses JWTs and accepts PATs.',
    refusing('jwt', 'listTenantApiKeys'),
  ],
  [
    'jwt-refused-for-scopes',
    ['AUT-01', 'SCO-01'],
    'The token scopes refuse JWTs and accept PATs.',
    refusing('jwt', 'listTokenScopes'),
  ],
  ['jwt-used-up', ['AUT-01'], 'A JWT is accepted for one request only.', usableTimes(1)],
  ['pat-refused', ['AUT-02', 'AUT-09'], 'PATs are refused everywhere.', refusing('pat', ...protectedIds)],
  ['pat-refused-for-updates', ['AUT-02'], 'An update refuses PATs.', refusing('pat', 'updateRecording')],
  ['pat-refused-for-keys', ['AUT-02'], 'The list of API keys refuses PATs.', refusing('pat', 'listTenantApiKeys')],
  ['pat-refused-for-scopes', ['AUT-02'], 'The token scopes refuse PATs.', refusing('pat', 'listTokenScopes')],
  [
    'scopes-deny-admin',
    ['SCO-03'],
    'The scopes response says that an administrator is not one.',
    isAdminFlag(() => false),
  ],
  [
    'scopes-flag-inverted',
    ['SCO-03', 'SCO-04'],
    'The scopes response inverts the administrator flag.',
    isAdminFlag((flag) => !flag),
  ],
  [
    'scopes-all-admin',
    ['SCO-04'],
    'The scopes response says that every caller is an administrator.',
    isAdminFlag(() => true),
  ],
  ['scopes-cached', ['SCO-04'], "Every caller gets the first caller's scopes.", scopesOfFirst()],
];
