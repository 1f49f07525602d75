import { apiFor } from './api.ts';
import { noRoutes, type RouteSet } from './custom-routes/loaded-routes.ts';
import type { WorldOptions } from './options.ts';
import type { Answers } from './profiles/answers.ts';
import type { Fixtures } from './world/fixtures.ts';
import { type LoadFaker, Seeds } from './world/seeds.ts';
import { rebased, type WorldImage } from './world/state.ts';
import { type Answered, World, type WorldServices } from './world/world.ts';
import { Worlds } from './world/worlds.ts';

export interface WorldInputs {
  readonly answers: Answers;
  readonly fixtures: Fixtures;
  readonly routes?: RouteSet | undefined;
}

/** Creates the main world and compiles its API; throws ConfigError for an unknown fault, or invalid terms. */
export async function loadWorlds(
  { answers, fixtures, routes = noRoutes }: WorldInputs,
  { seed = 1, recordings, faults = [], sandboxes }: WorldOptions,
  services: WorldServices,
  loadFaker: LoadFaker,
): Promise<Worlds> {
  const arms = faults.length === 0 ? [] : (await import('./faults/arms.ts')).armsFrom(faults);
  const seeds = new Seeds(fixtures, loadFaker);
  const seedLayer = await seeds.prepare({ seed, answers, recordings });
  await apiFor(answers);
  services.routes.set = routes;
  services.routes.loadFaker = loadFaker;
  services.onAnswer = assumptionLog();
  return new Worlds(new World({ seed, recordings, answers, seedLayer, arms }, services), seeds, sandboxes);
}

/** Rebuilds every world, with its changed records and, unless the profile was edited, answers changed at run time. Invalid inputs change nothing. */
export async function reloadWorlds(worlds: Worlds, { answers, fixtures, routes = noRoutes }: WorldInputs) {
  await apiFor(answers);
  const seeds = new Seeds(fixtures, worlds.seeds.loadFaker);
  const previous = worlds.main.origin.answers;
  const follow = (current: Answers): Answers => (current.key === previous.key ? answers : current);
  const rebuilt = new Map<WorldImage, WorldImage>();
  const rebuild = (image: WorldImage, other: Answers): WorldImage => {
    const known = rebuilt.get(image);
    const made = known?.answers === other ? known : rebased(image, other, seeds.layer({ ...image, answers: other }));
    rebuilt.set(image, made);
    return made;
  };
  const isEdited = answers.key !== previous.key;
  const ready = worlds.all().map((world) => {
    const isFollower = world.origin.answers.key === previous.key;
    const origin = rebuild(world.origin, follow(world.origin.answers));
    const image = rebuild(world.image(), isEdited && isFollower ? answers : follow(world.answers));
    return { world, origin, image };
  });
  worlds.seeds.use(fixtures);
  worlds.services.routes.set.close();
  worlds.services.routes.set = routes;
  for (const { world, origin, image } of ready) {
    world.origin = origin;
    world.restore(image);
  }
}

/** The file in which each mock that a command starts tells `vary` what its responses rested on. */
const variable = 'PLATFORM_MOCK_ASSUMPTIONS';

/** Writes what each response rested on to that file, once each: gaps with commas, a tab, and an operation or nothing. */
export function assumptionLog(): ((exchange: Answered) => void) | undefined {
  const file = globalThis.process?.env?.[variable];
  const files = file === undefined ? undefined : globalThis.process.getBuiltinModule?.('node:fs');
  if (file === undefined || !files) return undefined;
  const told = new Set<string>();
  return ({ operation = '', assumptions }) => {
    const line = `${assumptions.toSorted().join()}\t${operation}\n`;
    if (told.has(line)) return;
    told.add(line);
    files.appendFileSync(file, line);
  };
}
