import { checkFaultIds } from '../core/faults/index.ts';
import { apiFor } from './http/api.ts';
import type { Answers } from '../core/profiles/answers.ts';
import { loadProfile, type ProfileSource } from './files/profile-file.ts';
import { loadFixtures } from '../core/world/fixtures.ts';
import type { WorldImage } from '../core/world/image.ts';
import { JournalBudget } from '../core/world/journal.ts';
import { Seeds } from '../core/world/seeds.ts';
import { rebased } from '../core/world/state.ts';
import { World } from '../core/world/world.ts';
import { Worlds } from '../core/world/worlds.ts';

/** What the worlds of a server begin from. */
export interface WorldsOptions {
  /** A shipped profile's name, a profile file, or answers to gaps. */
  readonly profile?: ProfileSource;
  /** Decides every id, token and invented record. Default 1. */
  readonly seed?: number;
  /** Recordings in all; never fewer than the fixtures hold. */
  readonly recordings?: number | undefined;
  /** Folder of fixture files in place of the shipped ones. */
  readonly fixturesDir?: string | undefined;
  /** Ids of faults to arm. */
  readonly faults?: readonly string[];
  /** Sandboxes that there may be at once. Default 1,000. */
  readonly sandboxLimit?: number | undefined;
}

/**
 * Makes the main world, its pipeline compiled.
 * @throws ConfigError when a profile, fixture or fault cannot be used
 */
export async function loadWorlds(options: WorldsOptions): Promise<Worlds> {
  const { profile, seed = 1, recordings, fixturesDir, faults = [] } = options;
  checkFaultIds(faults);
  const answers = loadProfile(profile);
  const seeds = new Seeds(loadFixtures(fixturesDir));
  const seedLayer = seeds.layer({ seed, answers, recordings });
  await apiFor(answers);
  const budget = new JournalBudget();
  const main = new World({ seed, recordings, answers, seedLayer, faults }, budget);
  return new Worlds(main, seeds, options.sandboxLimit, budget);
}

/**
 * Reads profile and fixtures again for every world that began with them. Changed records stay changed; so do answers
 * that were changed live, unless it is the profile that was edited.
 * @throws ConfigError when they cannot be used: then everything stays as it is
 */
export async function reloadWorlds(worlds: Worlds, options: WorldsOptions): Promise<void> {
  const fixtures = loadFixtures(options.fixturesDir);
  const answers = loadProfile(options.profile);
  await apiFor(answers);
  const seeds = new Seeds(fixtures);
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
