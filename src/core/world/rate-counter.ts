/** Counts requests per minute and caller on the world's clock, in fixed windows. */
export class RateCounter {
  private minute = -1;
  private counts = new Map<string, number>();

  /**
   * Counts one request.
   * @param now milliseconds since 1970
   * @returns the caller's requests in this minute, including this one, and the seconds until the next minute
   */
  count(caller: string, now: number): { made: number; secondsLeft: number } {
    const minute = Math.floor(now / 60_000);
    if (minute !== this.minute) {
      this.minute = minute;
      this.counts = new Map();
    }
    const made = (this.counts.get(caller) ?? 0) + 1;
    this.counts.set(caller, made);
    return { made, secondsLeft: Math.max(1, Math.ceil(((minute + 1) * 60_000 - now) / 1000)) };
  }

  reset(): void {
    this.minute = -1;
    this.counts = new Map();
  }
}
