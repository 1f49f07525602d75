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

interface KeptWorld {
  /** Positions in `images`. */
  readonly origin: number;
  readonly now: number;
  readonly snapshots: Readonly<Record<string, { readonly image: number; readonly takenAt: number }>>;
}

/** All worlds as JSON. An image that several of them share is there once. */
interface WorldsState {
  readonly schemaVersion: number;
  /** The seed that the server was started with. */
  readonly seed: number;
  readonly images: readonly WorldState[];
  readonly main: KeptWorld;
  readonly sandboxes: Readonly<Record<string, KeptWorld>>;
}

/** Writes the worlds down. */
export function worldsState(worlds: Worlds): WorldsState {
  const images = new Map<WorldImage, number>();
  const at = (image: WorldImage): number => {
    const position = images.get(image) ?? images.size;
    images.set(image, position);
    return position;
  };
  const keep = (world: World): KeptWorld => ({
    origin: at(world.origin),
    now: at(world.image()),
    snapshots: Object.fromEntries(
      [...world.snapshots].map(([name, { image, takenAt }]) => [name, { image: at(image), takenAt }]),
    ),
  });
  const main = keep(worlds.main);
  const sandboxes = Object.fromEntries([...worlds.named()].map(([name, world]) => [name, keep(world)]));
  return { schemaVersion, seed: worlds.seed, images: [...images.keys()].map(stateOf), main, sandboxes };
}

/** True for what worldsState gives. */
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
 * Restores the worlds. What was as the command line said when they were written down is as the command line says now.
 * @throws ConfigError when a profile in it cannot be used
 */
export function restoreWorlds(state: WorldsState, worlds: Worlds): void {
  const { main } = worlds;
  const begun = main.origin;
  const written = state.images[state.main.origin];
  if (!written) throw new Error('the main world has no beginning');
  const images = state.images.map((image) => imageFrom(image, written, begun, worlds.seeds));
  const imageAt = (position: number): WorldImage => images[position] ?? begun;
  const originAt = (position: number): WorldImage =>
    position === state.main.origin && written.seed === begun.seed ? begun : imageAt(position);
  const restore = (world: World, kept: KeptWorld) => {
    world.restart(originAt(kept.origin));
    world.restore(imageAt(kept.now));
    for (const [name, { image, takenAt }] of Object.entries(kept.snapshots))
      world.snapshots.set(name, { image: imageAt(image), takenAt });
  };
  restore(main, state.main);
  for (const [name, kept] of Object.entries(state.sandboxes)) restore(worlds.make(name, originAt(kept.origin)), kept);
}

/** @param written how the main world began when the state was written down; `begun`: how it began now */
function imageFrom(state: WorldState, written: WorldState, begun: WorldImage, seeds: Seeds): WorldImage {
  const asWritten = answersFrom(state.profile);
  const answers =
    JSON.stringify(state.profile.answers) === JSON.stringify(written.profile.answers) ? begun.answers : asWritten;
  const { seed, clock, planned, draws } = state;
  const recordings =
    seed === begun.seed && state.recordings === written.recordings ? begun.recordings : state.recordings;
  const seedLayer = seeds.layer({ seed, answers, recordings });
  const isNew = ({ id }: { readonly id: string }) => ![...written.arms, ...begun.arms].some((arm) => arm.id === id);
  return {
    seed,
    recordings,
    answers,
    seedLayer,
    store: storeImageFrom(state, seedLayer, { from: asWritten, to: answers }),
    counters: new Map(Object.entries(state.counters)),
    clock,
    arms: [...begun.arms, ...state.arms.filter(isNew)],
    planned,
    draws,
  };
}
