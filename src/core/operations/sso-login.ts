import type { SsoIdentity, Tenant, User } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { apiError, refusal } from './api-error.ts';
import { fullGrant, refuseUnconfirmed } from './grant.ts';
import type { Operation, OperationRequest } from './operation.ts';
import { asTexts } from './present.ts';
import { endEarlierTokens } from './tokens.ts';

/** POST /v1/auth/sso: signs in with the claims of an identity provider (4.1). */
export const ssoLogin: Operation<'ssoLogin'> = (world, request) => {
  const claims: Partial<SsoIdentity> = asTexts(request.body, request);
  const known = findUser(world, claims);
  if (!known) refuseUnknownDirectory(world, claims, request);
  const answer = known ? undefined : request.assume('sso-unknown-identity');
  const user = known ?? (answer === 'provision' ? provisionUser(world, claims) : undefined);
  if (!user) {
    const kind = answer === 'forbid' ? 'forbidden' : 'invalid-credentials';
    throw apiError(world.answers, kind, 'No user matches these claims.', { gaps: ['sso-unknown-identity'] });
  }
  refuseUnconfirmed(world, user, request);
  const body = fullGrant(world, user, request);
  endEarlierTokens(world, user, request);
  return { body };
};

/** @throws ApiError unknown-directory */
function refuseUnknownDirectory(world: World, { tid }: Partial<SsoIdentity>, request: OperationRequest): void {
  if (tid === undefined || world.store.tenants.lookup('tid', tid).length > 0) return;
  request.leanOn('sso-unknown-directory');
  const refused = refusal(world.answers, 'unknown-directory', 'No directory has this tid.');
  if (refused) throw refused;
}

/** The one user who matches every claim that was sent. */
function findUser(world: World, claims: Partial<SsoIdentity>): User | undefined {
  const { users } = world.store;
  const key = (['oid', 'upn', 'tid'] as const).find((claim) => claims[claim] !== undefined);
  if (key === undefined) return undefined;
  const matches = users
    .lookup(key, claims[key] ?? '')
    .filter(({ sso }) =>
      (['oid', 'tid', 'upn'] as const).every((claim) => claims[claim] === undefined || claims[claim] === sso[claim]),
    );
  return matches.length === 1 ? matches[0] : undefined;
}

/** Creates a member of the directory tenant for an unknown identity; undefined if the claims name no one user, or contradict a known one. */
export function provisionUser(world: World, claims: Partial<SsoIdentity>): User | undefined {
  const { oid, tid, upn } = claims;
  const name = oid || upn;
  if (!name) return undefined;
  // A user with this oid or upn exists, and findUser did not match: another claim contradicts it.
  if (oid && world.store.users.lookup('oid', oid).length > 0) return undefined;
  if (!oid && upn && world.store.users.lookup('upn', upn).length > 0) return undefined;

  const id = world.ids.next('user', `${tid ?? ''} ${name}`);
  const user: User = {
    id,
    email: upn !== undefined && isPlainEmail(upn) ? upn : `${id}@provisioned.example`,
    username: upn?.split('@')[0] || id,
    confirmed: true,
    created_at: world.clock.nowIso(),
    tenant: tenantOf(world, tid).id,
    administrator: false,
    locale: 'en',
    sso: { oid: oid ?? id, tid: tid ?? '', upn: upn ?? '' },
  };
  world.store.users.put(user);
  return user;
}

// Stricter than JSON Schema's format email, so that the stored record is valid.
const isPlainEmail = (text: string): boolean =>
  /^[a-z0-9][a-z0-9._+-]{0,62}@([a-z0-9]{1,30}\.){1,4}[a-z]{2,20}$/i.test(text) && !/[._+-]@|[._+-]{2}/.test(text);

function tenantOf(world: World, tid = ''): Tenant {
  const [known] = world.store.tenants.lookup('tid', tid);
  if (known) return known;
  const tenant: Tenant = { id: world.ids.next('tenant', tid), name: `Directory ${tid}`, tid };
  world.store.tenants.put(tenant);
  return tenant;
}
