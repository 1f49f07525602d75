import { apiFor } from './api.ts';
import { checkFaultIds } from './faults/index.ts';
import type { Answers } from './profiles/answers.ts';
import type { LoadFaker } from './world/fill.ts';
import type { Fixtures } from './world/fixtures.ts';
import type { WorldImage } from './world/image.ts';
import { Seeds } from './world/seeds.ts';
import { rebased } from './world/state.ts';
import { World, type WorldServices } from './world/world.ts';
import { Worlds } from './world/worlds.ts';

/** What worlds begin with, read and checked. */
export interface WorldInputs {
  readonly answers: Answers;
  readonly fixtures: Fixtures;
}

/** How worlds begin, beside that. */
export interface WorldOptions {
  /** Decides every id, token and invented record. Default 1. */
  readonly seed?: number;
  /** Recordings in all; never fewer than the fixtures hold. */
  readonly recordings?: number | undefined;
  /** Ids of faults to arm. */
  readonly faults?: readonly string[];
  /** Sandboxes that there may be at once. Default 1,000. */
  readonly sandboxLimit?: number | undefined;
}

/**
 * Makes the main world, its API compiled.
 * @throws ConfigError when a fault is not known
 */
export async function loadWorlds(
  { answers, fixtures }: WorldInputs,
  { seed = 1, recordings, faults = [], sandboxLimit }: WorldOptions,
  services: WorldServices,
  loadFaker: LoadFaker,
): Promise<Worlds> {
  checkFaultIds(faults);
  const seeds = new Seeds(fixtures, loadFaker);
  await seeds.prepare(recordings);
  const seedLayer = seeds.layer({ seed, answers, recordings });
  await apiFor(answers);
  return new Worlds(new World({ seed, recordings, answers, seedLayer, faults }, services), seeds, sandboxLimit);
}

/**
 * Has every world that began with other inputs begin with these. Changed records stay changed; so do answers that were
 * changed live, unless it is the profile that was edited.
 * @throws ConfigError when they cannot be used: then everything stays as it is
 */
export async function reloadWorlds(worlds: Worlds, { answers, fixtures }: WorldInputs): Promise<void> {
  await apiFor(answers);
  const seeds = new Seeds(fixtures, worlds.seeds.loadFaker);
  const begun = worlds.main.origin.answers;
  const follow = (held: Answers): Answers => (held.key === begun.key ? answers : held);
  const rebuilt = new Map<WorldImage, WorldImage>();
  const rebuild = (image: WorldImage, other: Answers): WorldImage => {
    const known = rebuilt.get(image) ?? rebased(image, other, seeds.layer({ ...image, answers: other }));
    rebuilt.set(image, known);
    return known;
  };
  const isEdited = answers.key !== begun.key;
  const ready = worlds.all().map((world) => {
    const isFollower = world.origin.answers.key === begun.key;
    const origin = rebuild(world.origin, follow(world.origin.answers));
    const inForce = isEdited && isFollower ? answers : follow(world.answers);
    const layer = seeds.layer({ ...origin, seed: world.seed, recordings: world.recordings, answers: inForce });
    return { world, origin, inForce, layer };
  });
  worlds.seeds.use(fixtures);
  for (const { world, origin, inForce, layer } of ready) {
    world.origin = origin;
    world.answer(inForce, layer);
  }
}
