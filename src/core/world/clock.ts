/** How a clock stands: it can be kept and restored. */
export interface ClockSetting {
  /** Milliseconds that it is ahead of the machine's. */
  readonly offset: number;
  /** Set while it stands still. */
  readonly frozenAt?: number | undefined;
}

/** The machine's time. */
export const machineTime: ClockSetting = { offset: 0 };

/** Timestamps of the API have four digits for the year, and a token may live on for years after the latest moment. */
export const latestMoment = Date.UTC(3000, 0, 1);

/** Whether a clock that stands like that shows a moment from 1970 to 2999; one that follows the machine's may lag a day. */
export function isPossible({ offset, frozenAt }: ClockSetting): boolean {
  const now = frozenAt ?? Date.now() + offset;
  return now >= (frozenAt === undefined ? -24 * 3600_000 : 0) && now < latestMoment;
}

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

  get isFrozen(): boolean {
    return this.frozenAt !== undefined;
  }

  /** Milliseconds that it is ahead of the machine's. */
  get ahead(): number {
    return this.now() - this.realNow();
  }

  /** How it stands, for `restore`. */
  get setting(): ClockSetting {
    return { offset: this.offset, frozenAt: this.frozenAt };
  }

  restore({ offset, frozenAt }: ClockSetting): void {
    this.offset = offset;
    this.frozenAt = frozenAt;
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
