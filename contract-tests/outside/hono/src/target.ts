import type { Actor, Target } from './contract.ts';
import type { User } from './model.ts';
import { writePat } from './services/pats.ts';
import type { World } from './world.ts';

function actor(world: World, user: User): Actor {
  const pat = world.store.pats.find((p) => p.userId === user.id);
  return {
    sso: { oid: user.oid, tid: user.tid, upn: user.upn },
    login: { identifier: user.email, password: user.password },
    ...(pat ? { pat: writePat(world, pat) } : {}),
  };
}

/** Describe a fresh world to whoever judges it. */
export function describeTarget(world: World, baseUrl: string): Target {
  const [admin, member] = world.store.users;
  const [recording, other] = world.store.recordings;
  if (!admin || !member || !recording || !other) throw new Error('the seed is incomplete');
  return world.settings.describe(
    {
      baseUrl,
      actors: { admin: actor(world, admin), member: actor(world, member) },
      resources: {
        recordingId: recording.id,
        otherRecordingId: other.id,
        tenantId: world.store.tenants[0],
        otherTenantId: world.store.tenants[1],
      },
    },
    world,
  );
}
