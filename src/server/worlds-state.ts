import { readFileSync } from 'node:fs';
import { answersFrom } from '../core/profiles/load.ts';
import { newAjv } from '../core/validation/ajv.ts';
import { isPossible } from '../core/world/clock.ts';
import type { WorldImage } from '../core/world/image.ts';
import type { Seeds } from '../core/world/seeds.ts';
import { stateOf, storeImageFrom, type WorldState } from '../core/world/state.ts';
import { emptyStore, type TableName, tableNames } from '../core/world/store.ts';
import type { World } from '../core/world/world.ts';
import type { Worlds } from '../core/world/worlds.ts';
import { packageFile } from './files/package-root.ts';
import { type Changes, type PooledTable, TablePool, tablesOf } from './table-pool.ts';

const schemaVersion = 3;

interface KeptWorld {
  /** Positions in `images`. */
  readonly origin: number;
  readonly now: number;
  readonly snapshots: Readonly<Record<string, { readonly image: number; readonly takenAt: number }>>;
}

/** An image whose changes stand in the pool of tables: position by name, of those that have some. */
type KeptImage = Omit<WorldState, 'changes'> & { readonly changes: Partial<Record<TableName, number>> };

/** All worlds as JSON. An image or a table that several of them share is there once. */
interface WorldsState {
  readonly schemaVersion: number;
  /** The seed that the server was started with. */
  readonly seed: number;
  readonly images: readonly KeptImage[];
  readonly main: KeptWorld;
  readonly sandboxes: Readonly<Record<string, KeptWorld>>;
  readonly tables: readonly PooledTable[];
}

/**
 * Writes down the worlds as they are now, as JSON in pieces: they may change while it is written. O(worlds) before the
 * first piece, and each piece is short.
 */
export function worldsState(worlds: Worlds): Generator<string> {
  const images = new Map<WorldImage, number>();
  const at = (image: WorldImage): number => {
    const position = images.get(image) ?? images.size;
    images.set(image, position);
    return position;
  };
  // What is now comes last: it changes with each save, and those before it are written as what differs from one another.
  const keep = (world: World): KeptWorld => ({
    origin: at(world.origin),
    snapshots: Object.fromEntries(
      [...world.snapshots].map(([name, { image, takenAt }]) => [name, { image: at(image), takenAt }]),
    ),
    now: at(world.isUnchanged ? world.origin : world.image()),
  });
  const main = keep(worlds.main);
  const sandboxes = Object.fromEntries([...worlds.named()].map(([name, world]) => [name, keep(world)]));
  return pieces({ schemaVersion, seed: worlds.seed, main, sandboxes }, [...images.keys()]);
}

function* pieces(rest: object, images: readonly WorldImage[]): Generator<string> {
  const pool = new TablePool();
  yield `${JSON.stringify(rest).slice(0, -1)},"images":[`;
  for (const [position, image] of images.entries())
    yield `${position === 0 ? '' : ','}${JSON.stringify(keptImage(image, pool))}`;
  yield '],"tables":';
  yield* pool.pieces();
  yield '}';
}

function keptImage(image: WorldImage, pool: TablePool): KeptImage {
  const changed = tableNames.filter((name) => image.store[name].changes.size > 0);
  const changes = Object.fromEntries(changed.map((name) => [name, pool.add(name, image.store[name].changes)]));
  return { ...stateOf({ ...image, store: emptyStore }), changes };
}

/** True for what worldsState gives. */
export function isWorldsState(value: unknown): value is WorldsState {
  const schema = JSON.parse(readFileSync(packageFile('spec', 'schemas', 'state.schema.json'), 'utf8'));
  if (newAjv().validate(schema, value) !== true) return false;
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
 * Restores the worlds. What was as the command line said when they were written down is as the command line says now.
 * @throws ConfigError when a profile in it cannot be used
 */
export function restoreWorlds(state: WorldsState, worlds: Worlds): void {
  const { main } = worlds;
  const begun = main.origin;
  const written = state.images[state.main.origin];
  if (!written) throw new Error('the main world has no beginning');
  const tables = tablesOf(state.tables);
  const images = state.images.map((image) => imageFrom(withChanges(image, tables), written, begun, worlds.seeds));
  const imageAt = (position: number): WorldImage => images[position] ?? begun;
  const originAt = (position: number): WorldImage =>
    position === state.main.origin && written.seed === begun.seed ? begun : imageAt(position);
  const restore = (world: World, kept: KeptWorld) => {
    world.restart(originAt(kept.origin));
    // One that nobody changed shares its image with its beginning.
    if (kept.now !== kept.origin) world.restore(imageAt(kept.now));
    for (const [name, { image, takenAt }] of Object.entries(kept.snapshots))
      world.snapshots.set(name, { image: imageAt(image), takenAt });
  };
  restore(main, state.main);
  for (const [name, kept] of Object.entries(state.sandboxes)) restore(worlds.make(name, originAt(kept.origin)), kept);
}

const withChanges = (image: KeptImage, tables: readonly Changes[]): WorldState => ({
  ...image,
  changes: Object.fromEntries(
    Object.entries(image.changes).map(([name, position]) => [name, Object.fromEntries(tables[position] ?? [])]),
  ),
});

/** @param written how the main world began when the state was written down; `begun`: how it began now */
function imageFrom(
  state: WorldState,
  written: Omit<WorldState, 'changes'>,
  begun: WorldImage,
  seeds: Seeds,
): WorldImage {
  const asWritten = answersFrom(state.profile);
  const answers =
    JSON.stringify(state.profile.answers) === JSON.stringify(written.profile.answers) ? begun.answers : asWritten;
  const { seed, clock, planned, draws } = state;
  if (!isPossible(clock)) throw new Error('its clock stands before 1970 or after 2999');
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
