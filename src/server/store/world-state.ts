import { memoized } from '../../core/memoized.ts';
import { ConfigError } from '../../core/spec/config-error.ts';
import type { CustomRecord } from '../../core/world/records.ts';
import type { Seeds } from '../../core/world/seeds.ts';
import { imageOf, stateOf, type WorldImage, type WorldState } from '../../core/world/state.ts';
import { emptyStore } from '../../core/world/store.ts';
import type { TableImage } from '../../core/world/table.ts';
import type { World, WorldCounts } from '../../core/world/world.ts';
import { StoreUnavailable } from '../../core/world/world-store.ts';

/** A whole world except its journal, at one moment. O(1) to take and to restore. */
export type Moment = Readonly<ReturnType<typeof momentOf>>;

const noSnapshots: World['snapshots'] = new Map();

export const momentOf = (world: World) => ({
  image: world.image(),
  origin: world.origin,
  snapshots: world.snapshots.size > 0 ? new Map(world.snapshots) : noSnapshots,
  counts: world.counts,
});

export function restoreMoment(world: World, { image, origin, snapshots, counts }: Moment): void {
  world.origin = origin;
  world.snapshots.clear();
  for (const [name, snapshot] of snapshots) world.snapshots.set(name, snapshot);
  world.restore(image);
  world.counts = counts;
}

/** An image whose changed tables are positions in `tables`, by name. */
type SavedImage = Omit<WorldState, 'changes'> & { readonly changes: Readonly<Record<string, number>> };

/** A world as JSON, with what `Changes` cannot express. Images are positions in `images`. */
export interface SavedWorld {
  readonly origin: number;
  readonly now: number;
  readonly snapshots: Readonly<Record<string, { readonly image: number; readonly takenAt: number }>>;
  readonly counts?: WorldCounts | undefined;
  readonly images: readonly SavedImage[];
  /** Positions in `records`: snapshots of one world share most of them. */
  readonly tables: readonly (readonly number[])[];
  /** Each record once, and the id of each that was deleted. */
  readonly records: readonly (CustomRecord | string)[];
}

/** A whole world except its journal, as JSON. O(changes). */
export function worldState(world: World, counts?: WorldCounts): string {
  const { image: now, origin, snapshots } = momentOf(world);
  const images = placesOf([origin, ...[...snapshots.values()].map(({ image }) => image), now]);
  const tables = placesOf([...images.keys()].flatMap(({ store }) => [...store.values()]));
  const entriesOf = (table: TableImage<CustomRecord>) => Array.from(table, ([id, record]) => record ?? id);
  const records = placesOf([...tables.keys()].flatMap(entriesOf));
  return JSON.stringify({
    origin: images.get(origin),
    now: images.get(now),
    snapshots: Object.fromEntries(
      [...snapshots].map(([name, { image, takenAt }]) => [name, { image: images.get(image), takenAt }]),
    ),
    counts,
    images: [...images.keys()].map((image) => ({
      ...stateOf({ ...image, store: emptyStore }),
      changes: Object.fromEntries([...image.store].map(([name, table]) => [name, tables.get(table)])),
    })),
    tables: [...tables.keys()].map((table) => entriesOf(table).map((entry) => records.get(entry))),
    records: [...records.keys()],
  });
}

/** Different values with their positions. */
const placesOf = <T>(values: Iterable<T>): ReadonlyMap<T, number> =>
  new Map(Array.from(new Set(values), (value, at) => [value, at]));

/** Reads what a key of the store has. @throws StoreUnavailable if another program wrote it */
export function ours<T>(key: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const [reason] = (error as Error).message.split('\n');
    throw new StoreUnavailable(
      `the store has something in the key ${key} that this mock did not write (${reason}): delete the key, or use another prefix`,
    );
  }
}

export const imageState = (image: WorldImage): string => JSON.stringify(stateOf(image));

/** Maximum number of images cached by their JSON, and maximum length of that. */
const [mostKnown, longestKnown] = [16, 4096];

/** Restores images from JSON. Worlds with the same start share theirs, with everything compiled for it. */
export class Images {
  private readonly startState: string;
  private readonly known = memoized(mostKnown, (text) => imageOf(JSON.parse(text) as WorldState, this.seeds));

  /** @param start what the main world started from, the same in every replica: most worlds start from it */
  constructor(
    readonly start: WorldImage,
    private readonly seeds: Seeds,
  ) {
    this.startState = imageState(start);
  }

  /** @throws ConfigError, LimitError as when the image was first made */
  of(state: WorldState): WorldImage {
    // Changed ones are rarely seen again.
    if (Object.keys(state.changes).length > 0) return imageOf(state, this.seeds);
    const text = JSON.stringify(state);
    if (text === this.startState) return this.start;
    return text.length > longestKnown ? imageOf(state, this.seeds) : this.known(text);
  }

  /** Restores a world that `worldState` wrote. Its journal stays. */
  restore(world: World, { origin, now, snapshots, counts = world.counts, ...saved }: SavedWorld) {
    const entries = saved.records.map((entry) => (typeof entry === 'string' ? [entry, null] : [entry.id, entry]));
    const tables = saved.tables.map((table) => Object.fromEntries(table.map((at) => entries[at] ?? [])));
    const images = saved.images.map(({ changes, ...image }) =>
      this.of({
        ...image,
        changes: Object.fromEntries(Object.entries(changes).map(([name, at]) => [name, tables[at]])),
      }),
    );
    const imageAt = (position: number): WorldImage => {
      const image = images[position];
      if (!image) throw new Error(`the state has no image ${position}`);
      return image;
    };
    restoreMoment(world, {
      image: imageAt(now),
      origin: imageAt(origin),
      snapshots: new Map(
        Object.entries(snapshots).map(([name, { image, takenAt }]) => [name, { image: imageAt(image), takenAt }]),
      ),
      counts,
    });
  }
}
