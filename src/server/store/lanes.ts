import { mainName, type Worlds } from '../../core/world/worlds.ts';
import type { Lane } from './lane.ts';

/** Worlds that are kept in this process although nobody uses them now. */
const mostLanes = 5000;

/** The worlds that are known in this process, those that were not used for longest first. */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();
  private latest: Lane | undefined;

  /** @param isWanted whether requests wait that have not come to its turn yet */
  constructor(
    private readonly make: (name: string) => Lane,
    private readonly worlds: Worlds,
    private readonly isWanted: (lane: Lane) => boolean,
  ) {}

  /** The world of that name, as used now. */
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

  /** Forgets a world that is not there, and those that were not used for longest where there are many. */
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

  private isFree(lane: Lane): boolean {
    return lane.name !== mainName && lane.isIdle && !this.isWanted(lane) && this.lanes.get(lane.name) === lane;
  }

  private forget(lane: Lane): void {
    this.lanes.delete(lane.name);
    if (this.latest === lane) this.latest = undefined;
  }
}
