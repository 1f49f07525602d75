import { bearerToken } from '../operations/tokens.ts';
import type { World } from '../world/world.ts';
import { inBody, inGrant } from './bodies.ts';
import { administratorOf, refuseToken } from './credentials.ts';
import type { FaultRow } from './fault.ts';
import type { Hooks } from './hooks.ts';
import { everyNth, objectOf, on, perWorld } from './tools.ts';

/** Hooks under which a token of one kind is refused a while after its first use. */
const dying = (via: 'jwt' | 'pat', afterMs: number): Hooks => {
  const firstUses = perWorld(() => new Map<string, number>());
  return {
    observes: true,
    authenticate: (world, authorization = '', faithful) => {
      const caller = faithful();
      if (caller.via !== via) return undefined;
      const first = firstUses(world).get(authorization) ?? world.clock.now();
      firstUses(world).set(authorization, first);
      return world.clock.now() - first > afterMs ? refuseToken(world) : undefined;
    },
  };
};

/** Tokens to refuse, by world. */
const refusedTokens = (): { of(world: World): Set<string>; hooks: Hooks } => {
  const of = perWorld(() => new Set<string>());
  const hooks: Hooks = {
    observes: true,
    authenticate: (world, authorization) =>
      of(world).has(bearerToken(authorization) ?? '') ? refuseToken(world) : undefined,
  };
  return { of, hooks };
};

const deadWhenRefreshed = (): Hooks => {
  const { of, hooks } = refusedTokens();
  return {
    ...hooks,
    ...inBody('refreshAccessToken', (body, { world }) => {
      of(world).add(String(body.access_token));
      return body;
    }),
  };
};

const endedByPat = (): Hooks => {
  const { of, hooks } = refusedTokens();
  return {
    ...hooks,
    present: ({ status }, { world, operation, arrival }) => {
      if (operation === 'createApiToken' && status < 300)
        of(world).add(bearerToken(String(arrival.headers.authorization)) ?? '');
      return undefined;
    },
  };
};

/** Hooks under which a sign-in ends the access token of the one before it. */
export const singleSession = (): Hooks => {
  const { of, hooks } = refusedTokens();
  const last = perWorld(() => new Map<string, string>());
  return {
    ...hooks,
    ...inGrant((grant, { world }) => {
      const id = String(objectOf(grant.user).id);
      const before = last(world).get(id);
      if (before !== undefined) of(world).add(before);
      last(world).set(id, String(grant.access_token));
      return {};
    }),
  };
};

/** Hooks under which a new PAT ends those that its user had before. */
export const singlePat = (): Hooks => {
  const { of, hooks } = refusedTokens();
  const last = perWorld(() => new Map<string, string>());
  return {
    ...hooks,
    ...inBody('createApiToken', (body, { world, request }) => {
      const id = String(request.caller?.user.id);
      const before = last(world).get(id);
      if (before !== undefined) of(world).add(before);
      last(world).set(id, String(body.token));
      return body;
    }),
  };
};

const everyFifthWithoutUser: Hooks = {
  cadence: everyNth(5),
  ...inBody('ssoLogin', ({ user: _, ...grant }) => grant),
};

const laterPatsWithDash: Hooks = {
  cadence: (at) => at > 1,
  ...inBody('createApiToken', (body) => ({ ...body, token: String(body.token).replace('_', '-') })),
};

const openWithFilter: Hooks = {
  authenticate: (world, authorization, faithful) => {
    try {
      faithful();
      return undefined;
    } catch (error) {
      const user = administratorOf(world);
      if (authorization === undefined && user && asksFiltered(world).value) return { user, via: 'jwt' };
      throw error;
    }
  },
  receive: (arrival, world) => {
    asksFiltered(world).value = /\/api-keys\?/.test(arrival.url);
    return undefined;
  },
};
const asksFiltered = perWorld(() => ({ value: false }));

/** Hooks under which a list without filters uses the filters of the same token's list before it. */
const stickingFilter = (): Hooks => {
  const last = perWorld(() => new Map<string, unknown>());
  return {
    operations: on('listTenantApiKeys', (world, request, run) => {
      const id = String(request.caller?.user.id);
      const query = objectOf(request.query);
      if (Object.values(query).some((value) => value !== undefined)) {
        last(world).set(id, query);
        return undefined;
      }
      const before = last(world).get(id);
      last(world).delete(id);
      return before === undefined ? undefined : run({ ...request, query: before } as typeof request);
    }),
  };
};

const adminByPat = inBody('listTokenScopes', (body, { request }) =>
  request.caller?.via === 'pat' ? { ...body, is_admin: true } : body,
);

/** Faults of tokens that show later, or with a second one; and of whom they are for. */
export const tokenLifeFaults: readonly FaultRow[] = [
  ['jwt-dies-early', ['SSO-08'], 'A JWT is refused 1.5 s after its first use.', dying('jwt', 1500)],
  ['pat-dies-early', ['AUT-02'], 'A PAT is refused 1.5 s after its first use.', dying('pat', 1500)],
  ['jwt-ended-by-pat', ['SSO-08'], 'Creating a PAT ends the JWT that it was created with.', endedByPat()],
  ['refreshed-token-dead', ['SSO-18'], 'The access token for a refresh token is never accepted.', deadWhenRefreshed()],
  ['sso-fifth-without-user', ['SSO-09'], 'Every fifth SSO login is answered without the user.', everyFifthWithoutUser],
  ['later-pat-with-dash', ['AUT-10'], 'From the second PAT on, prefix and id are joined by -.', laterPatsWithDash],
  [
    'member-pat-administrator',
    ['SCO-04'],
    'The token scopes say of every PAT that its user is an administrator.',
    adminByPat,
  ],
  [
    'scopes-for-administrators',
    ['SCO-01'],
    'The token scopes are refused to everybody who is not an administrator.',
    {
      present: (answer, { operation, request }) =>
        operation === 'listTokenScopes' && request.caller?.user.administrator === false
          ? { ...answer, status: 403, body: { error: { code: 'forbidden', message: 'Not for you.' } } }
          : undefined,
    },
  ],
  ['filtered-keys-open', ['AUT-03'], 'A filtered list of API keys needs no credentials.', openWithFilter],
  ['key-filter-sticks', ['KEY-16'], 'A list without filters uses those of the list before it.', stickingFilter()],
];
