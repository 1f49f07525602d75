import type { Counters } from '../../core/world/world.ts';

/** Keys that are remembered in a window, at most: who comes after that shares one count. */
const mostKeys = 100_000;

/** Counts events by key in fixed windows of so many seconds, on the machine's clock, in this process. */
export class Windows implements Counters {
  private readonly windows = new Map<number, { number: number; counts: Map<string, number> }>();

  /** As `count`, at once. */
  countNow(key: string, seconds: number): { made: number; secondsLeft: number } {
    const now = Date.now() / 1000;
    const number = Math.floor(now / seconds);
    const current = this.windows.get(seconds);
    const window = current?.number === number ? current : { number, counts: new Map<string, number>() };
    this.windows.set(seconds, window);
    const { counts } = window;
    const known = counts.has(key) || counts.size < mostKeys ? key : '';
    const made = (counts.get(known) ?? 0) + 1;
    counts.set(known, made);
    return { made, secondsLeft: Math.max(1, Math.ceil((number + 1) * seconds - now)) };
  }

  async count(key: string, seconds: number): Promise<{ made: number; secondsLeft: number }> {
    return this.countNow(key, seconds);
  }
}
