import type { RateCount } from './world-change.ts';

/** Counts requests per minute and caller on the world's clock, in fixed windows. */
export class RateCounter {
  private minute = -1;
  private counts = new Map<string, number>();

  /** @param counted called after each counted request */
  constructor(private readonly counted: (count: RateCount) => void = () => {}) {}

  /** Counts a request at `now` (ms since 1970): requests of this minute with this one, and the seconds that are left of it. */
  count(caller: string, now: number): { made: number; secondsLeft: number } {
    const minute = Math.floor(now / 60_000);
    const made = this.minute === minute ? (this.counts.get(caller) ?? 0) + 1 : 1;
    this.set({ caller, minute, made });
    return { made, secondsLeft: Math.max(1, Math.ceil(((minute + 1) * 60_000 - now) / 1000)) };
  }

  /** Sets a caller's count for a minute; forgets other minutes. */
  set(count: RateCount): void {
    const { caller, minute, made } = count;
    if (minute !== this.minute) {
      this.minute = minute;
      this.counts = new Map();
    }
    this.counts.set(caller, made);
    this.counted(count);
  }

  image(): RateCount[] {
    return [...this.counts].map(([caller, made]) => ({ caller, minute: this.minute, made }));
  }

  reset(): void {
    this.minute = -1;
    this.counts = new Map();
  }
}
