import type { Worlds } from '../../core/world/worlds.ts';
import type { Calls } from './calls.ts';
import type { PrimaryAnswers } from './protocol.ts';

/** The sandboxes of this process that count for the limit, which is of all processes together. */
export class Reservations {
  /** With the number of requests under way that may yet make the sandbox. */
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly calls: Calls<PrimaryAnswers>,
    private readonly worlds: Worlds,
  ) {
    worlds.hasRoomFor = (name) => this.counts.has(name);
    worlds.onChange(({ world, change }) => {
      if (change === 'deleted' && this.counts.get(world) === 0) this.release(world);
    });
  }

  /**
   * Reserves the name of a sandbox that a request may make, if the limit has room.
   * @returns to be called when the request is over
   */
  async reserve(name: string): Promise<() => void> {
    if (!this.counts.has(name)) {
      const hasRoom = await this.calls.ask('reserve', name).catch(() => false);
      if (!hasRoom) return () => {};
    }
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    return () => {
      const left = (this.counts.get(name) ?? 1) - 1;
      this.counts.set(name, left);
      if (left === 0 && !this.worlds.find(name)) this.release(name);
    };
  }

  private release(name: string): void {
    this.counts.delete(name);
    void this.calls.ask('release', name).catch(() => {});
  }
}
