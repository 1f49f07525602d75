import type { World } from '../../core/world/world.ts';
import type { Handlers } from '../call.ts';
import type { components } from '../control-types.ts';
import { notFound, Refusal } from '../refusal.ts';
import { infoOf } from './about.ts';

const maxSnapshots = 100;

export const snapshotHandlers: Handlers<'listSnapshots' | 'takeSnapshot' | 'deleteSnapshot' | 'restoreSnapshot'> = {
  listSnapshots: ({ world }) => [...world.snapshots.keys()].map((name) => describe(name, snapshotOf(world, name))),
  takeSnapshot: ({ world, params: { snapshot: name } }) => {
    if (!world.snapshots.has(name) && world.snapshots.size >= maxSnapshots)
      throw new Refusal(
        'limit',
        `There are ${maxSnapshots} snapshots in this world already, which is the limit; DELETE /_mock/snapshots/NAME makes room.`,
      );
    // Reinserted, so that the list is in the order of creation.
    world.snapshots.delete(name);
    world.snapshots.set(name, { image: world.image(), takenAt: Date.now() });
    world.touch('whole');
    return describe(name, snapshotOf(world, name));
  },
  deleteSnapshot: ({ world, params }) => {
    snapshotOf(world, params.snapshot);
    world.snapshots.delete(params.snapshot);
    world.touch('whole');
    return undefined;
  },
  restoreSnapshot: (call) => {
    call.world.restore(snapshotOf(call.world, call.params.snapshot).image);
    return infoOf(call);
  },
};

type Snapshot = NonNullable<ReturnType<World['snapshots']['get']>>;

/** @throws Refusal not_found */
export function snapshotOf(world: World, name: string): Snapshot {
  const snapshot = world.snapshots.get(name);
  if (snapshot) return snapshot;
  const known = [...world.snapshots.keys()].join(', ');
  throw notFound(`There is no snapshot ${name}; this world has ${known === '' ? 'none' : known}.`);
}

const describe = (name: string, { image, takenAt }: Snapshot): components['schemas']['Snapshot'] => ({
  name,
  takenAt: new Date(takenAt).toISOString(),
  profile: image.answers.profile,
  seed: image.seed,
  changes: Object.values(image.store).reduce((sum, changes) => sum + changes.size, 0),
});
