import { systemNow } from '../real-time.ts';

export interface ClockSetting {
  /** Milliseconds ahead of the machine's clock. */
  readonly offset: number;
  readonly frozenAt?: number | undefined;
}

export const machineTime: ClockSetting = { offset: 0 };

/** API timestamps have four-digit years, and a token may outlive the latest moment by years. */
export const latestMoment = Date.UTC(3000, 0, 1);

/** Whether a clock with this setting shows a moment from 1970 to 2999; one that follows the machine's may lag a day. */
export function isPossible({ offset, frozenAt }: ClockSetting): boolean {
  const now = frozenAt ?? systemNow() + offset;
  return now >= (frozenAt === undefined ? -24 * 3600_000 : 0) && now < latestMoment;
}

/** A world's clock. It follows the machine's until it is set or frozen. All times are milliseconds since 1970. */
export class Clock {
  private written = { at: 0, iso: new Date(0).toISOString() };
  setting = machineTime;

  /** @param changed called after each change of the setting */
  constructor(
    private readonly realNow: () => number = systemNow,
    private readonly changed: (setting: ClockSetting) => void = () => {},
  ) {}

  now(): number {
    return this.setting.frozenAt ?? this.realNow() + this.setting.offset;
  }

  /** The present time in whole seconds, as in JWTs. */
  nowSeconds(): number {
    return Math.floor(this.now() / 1000);
  }

  /** The present time in the store's format: ISO, UTC, milliseconds. */
  nowIso(): string {
    const now = this.now();
    // Cached: many requests arrive within a millisecond.
    if (now !== this.written.at) this.written = { at: now, iso: new Date(now).toISOString() };
    return this.written.iso;
  }

  get isFrozen(): boolean {
    return this.setting.frozenAt !== undefined;
  }

  get ahead(): number {
    const { frozenAt, offset } = this.setting;
    return frozenAt === undefined ? offset : frozenAt - this.realNow();
  }

  restore(setting: ClockSetting): void {
    this.setting = setting;
    this.changed(setting);
  }

  /** Sets the time. A frozen clock stays frozen. */
  set(time: number): void {
    this.restore(this.isFrozen ? { ...this.setting, frozenAt: time } : { offset: time - this.realNow() });
  }

  freeze(time: number = this.now()): void {
    this.restore({ ...this.setting, frozenAt: time });
  }

  /** Unfreezes the clock; it continues from the frozen time. */
  resume(): void {
    if (this.isFrozen) this.restore({ offset: this.now() - this.realNow() });
  }

  /** Advances the clock by `milliseconds`, which may be negative. */
  advance(milliseconds: number): void {
    const { frozenAt, offset } = this.setting;
    // The machine's clock is not read: it may go on between two looks.
    if (frozenAt === undefined) this.restore({ offset: offset + milliseconds });
    else this.restore({ offset, frozenAt: frozenAt + milliseconds });
  }
}
