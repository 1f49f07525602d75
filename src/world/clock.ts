/** A world's time. It follows the machine's until it is set or frozen. All times are milliseconds since 1970. */
export class Clock {
  private offset = 0;
  private frozenAt: number | undefined;

  constructor(private readonly realNow: () => number = Date.now) {}

  /** The world's present time in milliseconds. */
  now(): number {
    return this.frozenAt ?? this.realNow() + this.offset;
  }

  /** The present time in whole seconds, as JWTs count. */
  nowSeconds(): number {
    return Math.floor(this.now() / 1000);
  }

  /** The present time as an ISO string in UTC with milliseconds: what the store holds. */
  nowIso(): string {
    return new Date(this.now()).toISOString();
  }

  /** Sets the time; it goes on from there unless it is frozen. */
  set(time: number): void {
    if (this.frozenAt === undefined) this.offset = time - this.realNow();
    else this.frozenAt = time;
  }

  /** Stops the time, at `time` or now. */
  freeze(time: number = this.now()): void {
    this.frozenAt = time;
  }

  /** Lets a frozen time go on from where it stands. */
  resume(): void {
    if (this.frozenAt === undefined) return;
    const time = this.frozenAt;
    this.frozenAt = undefined;
    this.set(time);
  }

  /** Moves the time on by `milliseconds`, which may be negative. */
  advance(milliseconds: number): void {
    this.set(this.now() + milliseconds);
  }
}
