import { stateOf } from '../../core/world/state.ts';
import type { World } from '../../core/world/world.ts';

/** What a request can add beside its body: a token, a record with defaults. In characters. */
const perRequest = 1024;

interface Known {
  /** Measured, and added since then at most. */
  size: number;
}

/**
 * Knows which worlds are full. Measuring takes time that grows with the world, so it is done only once what requests brought
 * since the last time may have filled it.
 */
export class SandboxSizes {
  private readonly known = new WeakMap<World, Known>();

  /** @param limit characters of a world as JSON, with its snapshots */
  constructor(private readonly limit: number) {}

  /**
   * Whether a world has no room for a request with such a body; otherwise counts it in.
   * @param copies the request copies the world, as a snapshot does
   */
  isFull(world: World, bytes: number, copies: boolean): boolean {
    const known = this.known.get(world) ?? { size: 0 };
    this.known.set(world, known);
    if (copies) known.size = sizeOf(world);
    const more = bytes + perRequest + (copies ? known.size : 0);
    if (known.size + more > this.limit) known.size = sizeOf(world);
    if (known.size + more > this.limit) return true;
    known.size += more;
    return false;
  }
}

/** Characters of a world and its snapshots as JSON. */
function sizeOf(world: World): number {
  const images = [world.image(), ...[...world.snapshots.values()].map(({ image }) => image)];
  return images.reduce((sum, image) => sum + JSON.stringify(stateOf(image)).length, 0);
}
