import type { SsoClaims } from '../hooks.ts';
import type { User } from '../model.ts';
import type { World } from '../world.ts';

/** Just-in-time provisioning; not part of the faithful server. */
export function provision(world: World, { oid, tid, upn }: SsoClaims): User {
  const user: User = {
    id: world.ids.next('user'),
    email: upn.includes('@') ? upn : `${oid}@provisioned.example`,
    username: upn.split('@')[0] ?? upn,
    confirmed: true,
    createdAt: Date.now(),
    role: 'member',
    oid,
    tid,
    upn,
    password: world.ids.secret('password'),
    tenantId: world.store.tenants[0],
  };
  world.store.users.push(user);
  return user;
}

export const isKnown = (world: World, { oid, tid }: SsoClaims): boolean =>
  world.store.users.some((u) => u.oid === oid && u.tid === tid);
