import { mainName, type Worlds } from '../../core/world/worlds.ts';
import type { Lane } from './lane.ts';

/** Maximum number of unused worlds kept in this process. */
const mostLanes = 5000;

/** The worlds known in this process, least recently used first. */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();

  constructor(
    private readonly make: (name: string) => Lane,
    private readonly worlds: Worlds,
  ) {}

  /** The world of that name; marks it as used. */
  of(name: string): Lane {
    const known = this.lanes.get(name);
    const lane = known ?? this.make(name);
    if (!known) this.lanes.set(name, lane);
    lane.isUsed = true;
    return lane;
  }

  all(): Lane[] {
    return [...this.lanes.values()];
  }

  /** Forgets a deleted world, and the least recently used ones beyond the limit. */
  keepFew(lane: Lane): void {
    if (!lane.world && this.isFree(lane)) this.forget(lane);
    if (this.lanes.size <= mostLanes) return;
    for (const one of this.lanes.values()) {
      if (this.lanes.size <= mostLanes) return;
      if (!this.isFree(one) || one.world?.journal.isWatched) continue;
      // One that was used since it was looked at last is spared once, and comes last.
      if (this.lanes.delete(one.name) && one.isUsed) this.lanes.set(one.name, one);
      else this.forget(one);
      one.isUsed = false;
    }
  }

  /** Forgets a world that was deleted, unless it is in use: then a request finds that out. */
  drop(name: string): void {
    const lane = this.lanes.get(name);
    if (lane && this.isFree(lane)) this.forget(lane);
  }

  private forget(lane: Lane): void {
    lane.deafen();
    this.lanes.delete(lane.name);
    this.worlds.forget(lane.name);
  }

  private isFree(lane: Lane): boolean {
    return lane.name !== mainName && !lane.isHeld && this.lanes.get(lane.name) === lane;
  }
}
