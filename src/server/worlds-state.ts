import { readFileSync } from 'node:fs';
import { answersFrom } from '../core/profiles/load.ts';
import { newAjv } from '../core/validation/ajv.ts';
import type { WorldImage } from '../core/world/image.ts';
import type { Seeds } from '../core/world/seeds.ts';
import { stateOf, storeImageFrom, type WorldState } from '../core/world/state.ts';
import type { World } from '../core/world/world.ts';
import type { Worlds } from '../core/world/worlds.ts';
import { packageFile } from './files/package-root.ts';

const schemaVersion = 2;

/** A world as positions in `images`. */
interface SavedWorld {
  readonly origin: number;
  readonly now: number;
  readonly snapshots: Readonly<Record<string, { readonly image: number; readonly takenAt: number }>>;
}

/** All worlds as JSON. Shared images are stored once. */
interface WorldsState {
  readonly schemaVersion: number;
  /** The configured seed of the server. */
  readonly seed: number;
  readonly images: readonly WorldState[];
  readonly main: SavedWorld;
  readonly sandboxes: Readonly<Record<string, SavedWorld>>;
}

/** The state of all worlds. */
export function worldsState(worlds: Worlds): WorldsState {
  const images = new Map<WorldImage, number>();
  const at = (image: WorldImage): number => {
    const position = images.get(image) ?? images.size;
    images.set(image, position);
    return position;
  };
  const saved = (world: World): SavedWorld => ({
    origin: at(world.origin),
    now: at(world.image()),
    snapshots: Object.fromEntries(
      [...world.snapshots].map(([name, { image, takenAt }]) => [name, { image: at(image), takenAt }]),
    ),
  });
  const main = saved(worlds.main);
  const sandboxes = Object.fromEntries([...worlds.named()].map(([name, world]) => [name, saved(world)]));
  return { schemaVersion, seed: worlds.seed, images: [...images.keys()].map(stateOf), main, sandboxes };
}

/** Whether a value is a state of this version. */
export function isWorldsState(value: unknown): value is WorldsState {
  const schema = JSON.parse(readFileSync(packageFile('spec', 'schemas', 'state.schema.json'), 'utf8'));
  if (newAjv().validate(schema, value) !== true) return false;
  const { images, main, sandboxes } = value as WorldsState;
  const positions = [main, ...Object.values(sandboxes)].flatMap(({ origin, now, snapshots }) => [
    origin,
    now,
    ...Object.values(snapshots).map(({ image }) => image),
  ]);
  return positions.every((position) => position < images.length);
}

/**
 * Restores the worlds. Options of the command line that were not changed at run time get their present values.
 * @throws ConfigError for an invalid profile
 */
export function restoreWorlds(state: WorldsState, worlds: Worlds): void {
  const { main } = worlds;
  const current = main.origin;
  const saved = state.images[state.main.origin];
  if (!saved) throw new Error('the main world has no origin');
  const images = state.images.map((image) => imageFrom(image, saved, current, worlds.seeds));
  const imageAt = (position: number): WorldImage => images[position] ?? current;
  const originAt = (position: number): WorldImage =>
    position === state.main.origin && saved.seed === current.seed ? current : imageAt(position);
  const restore = (world: World, positions: SavedWorld) => {
    world.restart(originAt(positions.origin));
    world.restore(imageAt(positions.now));
    for (const [name, { image, takenAt }] of Object.entries(positions.snapshots))
      world.snapshots.set(name, { image: imageAt(image), takenAt });
  };
  restore(main, state.main);
  for (const [name, positions] of Object.entries(state.sandboxes))
    restore(worlds.make(name, originAt(positions.origin)), positions);
}

/** @param saved the main world's origin when the state was saved; `current`: its origin now */
function imageFrom(state: WorldState, saved: WorldState, current: WorldImage, seeds: Seeds): WorldImage {
  const savedAnswers = answersFrom(state.profile);
  const answers =
    JSON.stringify(state.profile.answers) === JSON.stringify(saved.profile.answers) ? current.answers : savedAnswers;
  const { seed, clock, planned, draws } = state;
  const recordings =
    seed === current.seed && state.recordings === saved.recordings ? current.recordings : state.recordings;
  const seedLayer = seeds.layer({ seed, answers, recordings });
  const isNew = ({ id }: { readonly id: string }) => ![...saved.arms, ...current.arms].some((arm) => arm.id === id);
  return {
    seed,
    recordings,
    answers,
    seedLayer,
    store: storeImageFrom(state, seedLayer, { from: savedAnswers, to: answers }),
    counters: new Map(Object.entries(state.counters)),
    clock,
    arms: [...current.arms, ...state.arms.filter(isNew)],
    planned,
    draws,
  };
}
