import { mainName, type Worlds } from '../../core/world/worlds.ts';
import type { Lane } from './lane.ts';

/** Maximum number of unused worlds kept in this process. */
const mostLanes = 5000;

/** The worlds known in this process, least recently used first. */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();
  private latest: Lane | undefined;

  /** @param isWanted whether requests still wait for it */
  constructor(
    private readonly make: (name: string) => Lane,
    private readonly worlds: Worlds,
    private readonly isWanted: (lane: Lane) => boolean,
  ) {}

  /** The world of that name; marks it as used. */
  of(name: string): Lane {
    if (this.latest?.name === name) return this.latest;
    const lane = this.lanes.get(name) ?? this.make(name);
    this.lanes.delete(name);
    this.lanes.set(name, lane);
    this.latest = lane;
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
      this.forget(one);
      this.worlds.forget(one.name);
    }
  }

  /** Forgets a world that was deleted, unless it is in use: then a request finds that out. */
  drop(name: string): void {
    const lane = this.lanes.get(name);
    if (!lane || !this.isFree(lane)) return;
    this.forget(lane);
    this.worlds.forget(name);
  }

  private isFree(lane: Lane): boolean {
    return lane.name !== mainName && lane.isIdle && !this.isWanted(lane) && this.lanes.get(lane.name) === lane;
  }

  private forget(lane: Lane): void {
    this.lanes.delete(lane.name);
    if (this.latest === lane) this.latest = undefined;
  }
}
