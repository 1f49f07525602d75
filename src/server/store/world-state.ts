import type { WorldImage } from '../../core/world/image.ts';
import type { Seeds } from '../../core/world/seeds.ts';
import { imageOf, stateOf, type WorldState } from '../../core/world/state.ts';
import type { World, WorldCounts } from '../../core/world/world.ts';
import type { PooledTable } from '../table-pool.ts';
import { tablesOf } from '../table-pool.ts';
import { pieces, type SavedImage, withChanges } from '../worlds-state.ts';

/** A world as JSON: what `Changes` cannot tell. Images are positions in `images`. */
interface SavedWorld {
  readonly origin: number;
  readonly now: number;
  readonly snapshots: Readonly<Record<string, { readonly image: number; readonly takenAt: number }>>;
  readonly counts: WorldCounts;
  readonly images: readonly SavedImage[];
  readonly tables: readonly PooledTable[];
}

/** All of a world but its journal, as JSON. O(changes). */
export function worldState(world: World): string {
  const images = new Map<WorldImage, number>();
  const at = (image: WorldImage): number => {
    const position = images.get(image) ?? images.size;
    images.set(image, position);
    return position;
  };
  const saved = {
    origin: at(world.origin),
    snapshots: Object.fromEntries(
      [...world.snapshots].map(([name, { image, takenAt }]) => [name, { image: at(image), takenAt }]),
    ),
    now: at(world.isUnchanged ? world.origin : world.image()),
    counts: world.counts,
  };
  return [...pieces(saved, [...images.keys()])].join('');
}

/** An image as JSON, without tables that have no changes. */
export function imageState(image: WorldImage): string {
  const state = stateOf(image);
  const changes = Object.fromEntries(
    Object.entries(state.changes).filter(([, records]) => Object.keys(records).length),
  );
  return JSON.stringify({ ...state, changes });
}

/** How many images are kept by their JSON, and how long that may be: what is changed is seldom met again. */
const mostKnown = 16;
const longestKnown = 4096;

/** Makes images of their JSON. Worlds that start alike share theirs, and all that is compiled for it. */
export class Images {
  private readonly known = new Map<string, WorldImage>();

  /** @param start what the main world started from, as every replica has it */
  constructor(
    start: WorldImage,
    private readonly seeds: Seeds,
  ) {
    this.known.set(imageState(start), start);
  }

  /** @throws ConfigError, LimitError as where the image was first made */
  ofText(text: string): WorldImage {
    const known = this.known.get(text);
    if (known) return known;
    const image = imageOf(JSON.parse(text) as WorldState, this.seeds);
    if (text.length > longestKnown) return image;
    // The first one is what most worlds start from.
    const [, second] = this.known.keys();
    if (this.known.size >= mostKnown && second !== undefined) this.known.delete(second);
    this.known.set(text, image);
    return image;
  }

  /** Restores a world as `worldState` wrote it. Its journal is not touched. */
  restore(world: World, text: string): void {
    const { images: saved, tables: pooled, origin, now, snapshots, counts } = JSON.parse(text) as SavedWorld;
    const tables = tablesOf(pooled);
    const images = saved.map((image) => this.ofText(JSON.stringify(withChanges(image, tables))));
    const imageAt = (position: number): WorldImage => {
      const image = images[position];
      if (!image) throw new Error(`the state has no image ${position}`);
      return image;
    };
    world.origin = imageAt(origin);
    world.snapshots.clear();
    for (const [name, { image, takenAt }] of Object.entries(snapshots))
      world.snapshots.set(name, { image: imageAt(image), takenAt });
    world.restore(imageAt(now));
    world.counts = counts;
  }
}
