import type { SsoIdentity, Tenant, User } from '../world/records.ts';
import type { World } from '../world/world.ts';

/**
 * Creates a user for an unknown identity (gap sso-unknown-identity, answer provision): a member of the directory's tenant.
 * @returns `undefined` if the claims do not identify one user, or contradict a known user
 */
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
