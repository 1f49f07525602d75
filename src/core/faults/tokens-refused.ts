import { protectedIds, refuseToken, refusing } from './credentials.ts';
import type { FaultLine } from './fault.ts';
import type { Body, Hooks } from './hooks.ts';
import { perWorld } from './tools.ts';

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

/** Faults under which good tokens are refused, or something wrong is said of the caller. */
export const refusedTokenFaults: readonly FaultLine[] = [
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
