import { files as validators } from '../core/generated/file-validators.js';
import type { Answers } from '../core/profiles/answers.ts';
import { answersFrom } from '../core/profiles/load.ts';
import { isPossible } from '../core/world/clock.ts';
import type { WorldImage } from '../core/world/image.ts';
import type { Seeds } from '../core/world/seeds.ts';
import { imageOf, stateOf, type WorldState } from '../core/world/state.ts';
import { emptyStore, type TableName, tableNames } from '../core/world/store.ts';
import type { World } from '../core/world/world.ts';
import type { Worlds } from '../core/world/worlds.ts';
import { type Changes, type PooledTable, TablePool, tablesOf } from './table-pool.ts';

const schemaVersion = 3;

/** A world as positions in `images`. */
interface SavedWorld {
  readonly origin: number;
  readonly now: number;
  readonly snapshots: Readonly<Record<string, { readonly image: number; readonly takenAt: number }>>;
}

/** An image whose changes are stored in the table pool: position by table name, for tables with changes. */
export type SavedImage = Omit<WorldState, 'changes'> & { readonly changes: Partial<Record<TableName, number>> };

/** All worlds as JSON. Shared images and tables are stored once. */
interface WorldsState {
  readonly schemaVersion: number;
  /** The configured seed of the server. */
  readonly seed: number;
  readonly images: readonly SavedImage[];
  readonly main: SavedWorld;
  readonly sandboxes: Readonly<Record<string, SavedWorld>>;
  readonly tables: readonly PooledTable[];
  /** Names the log of what changed since. */
  readonly log?: string;
}

/**
 * The current state of all worlds as JSON, in pieces: they may change while it is written. O(worlds) before the first
 * piece; every piece is short.
 */
export function worldsState(worlds: Worlds, log?: string): Generator<string> {
  const images = new Map<WorldImage, number>();
  const at = (image: WorldImage): number => {
    const position = images.get(image) ?? images.size;
    images.set(image, position);
    return position;
  };
  // The present comes last: it differs in each save, and images are written as differences from those before them.
  const saved = (world: World): SavedWorld => ({
    origin: at(world.origin),
    snapshots: Object.fromEntries(
      [...world.snapshots].map(([name, { image, takenAt }]) => [name, { image: at(image), takenAt }]),
    ),
    now: at(world.isUnchanged ? world.origin : world.image()),
  });
  const main = saved(worlds.main);
  const sandboxes = Object.fromEntries([...worlds.named()].map(([name, world]) => [name, saved(world)]));
  return pieces({ schemaVersion, seed: worlds.seed, ...(log !== undefined && { log }), main, sandboxes }, [
    ...images.keys(),
  ]);
}

/** Images as JSON, after what refers to them by their position. */
export function* pieces(rest: object, images: readonly WorldImage[]): Generator<string> {
  const pool = new TablePool();
  yield `${JSON.stringify(rest).slice(0, -1)},"images":[`;
  for (const [position, image] of images.entries())
    yield `${position === 0 ? '' : ','}${JSON.stringify(savedImage(image, pool))}`;
  yield '],"tables":';
  yield* pool.pieces();
  yield '}';
}

function savedImage(image: WorldImage, pool: TablePool): SavedImage {
  const changed = tableNames.filter((name) => image.store[name].changes.size > 0);
  const changes = Object.fromEntries(changed.map((name) => [name, pool.add(name, image.store[name].changes)]));
  return { ...stateOf({ ...image, store: emptyStore }), changes };
}

/** Whether a value is a state of this version. */
export function isWorldsState(value: unknown): value is WorldsState {
  if (!validators.state?.(value)) return false;
  const { images, main, sandboxes, tables } = value as WorldsState;
  const positions = [main, ...Object.values(sandboxes)].flatMap(({ origin, now, snapshots }) => [
    origin,
    now,
    ...Object.values(snapshots).map(({ image }) => image),
  ]);
  return (
    positions.every((position) => position < images.length) &&
    images.every(({ changes }) => Object.values(changes).every((position) => position < tables.length)) &&
    tables.every(({ base = -1 }, position) => base < position)
  );
}

/**
 * Restores the worlds. Options of the command line that were not changed at run time get their present values.
 * @returns for a world, the answers under which it was saved, where they are not its present ones
 * @throws ConfigError for an invalid profile
 */
export function restoreWorlds(state: WorldsState, worlds: Worlds): (name: string) => Answers | undefined {
  const { main } = worlds;
  const current = main.origin;
  const saved = state.images[state.main.origin];
  if (!saved) throw new Error('the main world has no origin');
  const tables = tablesOf(state.tables);
  const images = state.images.map((image) => imageFrom(withChanges(image, tables), saved, current, worlds.seeds));
  const imageAt = (position: number): WorldImage => images[position] ?? current;
  const originAt = (position: number): WorldImage =>
    position === state.main.origin && saved.seed === current.seed ? current : imageAt(position);
  const restore = (world: World, positions: SavedWorld) => {
    world.restart(originAt(positions.origin));
    // An unchanged world shares the image of its origin.
    if (positions.now !== positions.origin) world.restore(imageAt(positions.now));
    for (const [name, { image, takenAt }] of Object.entries(positions.snapshots))
      world.snapshots.set(name, { image: imageAt(image), takenAt });
  };
  restore(main, state.main);
  for (const [name, positions] of Object.entries(state.sandboxes))
    restore(worlds.make(name, originAt(positions.origin)), positions);
  return (name) => {
    const position = (name === '' ? state.main : (state.sandboxes[name] ?? state.main)).now;
    const { profile } = state.images[position] ?? saved;
    const present = worlds.find(name)?.answers;
    const answers = answersFrom(profile);
    return present && answers.key !== present.key ? answers : undefined;
  };
}

/** An image with the tables of its pool. */
export const withChanges = (image: SavedImage, tables: readonly Changes[]): WorldState => ({
  ...image,
  changes: Object.fromEntries(
    Object.entries(image.changes).map(([name, position]) => [name, Object.fromEntries(tables[position] ?? [])]),
  ),
});

/** @param saved the main world's origin when the state was saved; `current`: its origin now */
function imageFrom(
  state: WorldState,
  saved: Omit<WorldState, 'changes'>,
  current: WorldImage,
  seeds: Seeds,
): WorldImage {
  const isFollower = JSON.stringify(state.profile.answers) === JSON.stringify(saved.profile.answers);
  const answers = isFollower ? current.answers : undefined;
  if (!isPossible(state.clock)) throw new Error('its clock stands before 1970 or after 2999');
  const recordings =
    state.seed === current.seed && state.recordings === saved.recordings ? current.recordings : state.recordings;
  const isNew = ({ id }: { readonly id: string }) => ![...saved.arms, ...current.arms].some((arm) => arm.id === id);
  const arms = [...current.arms, ...state.arms.filter(isNew)];
  return imageOf({ ...state, recordings, arms }, seeds, answers);
}
