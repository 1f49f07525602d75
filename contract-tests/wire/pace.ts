import type { RecordedResponse } from '../model.ts';
import { now, sleep } from './time.ts';

/** How long a run waits altogether because the target limits requests, and how much of that only clean-up may use. */
const WAIT_BUDGET_MS = 150_000;
const CLEAN_UP_RESERVE_MS = 30_000;
/** The longest wait for one answer. */
const MAX_WAIT_MS = 30_000;
/** The shortest: a target that says 0, or a moment that is over, is not asked again at once, and again. */
const MIN_WAIT_MS = 100;
/** How many times as long the wait for a gateway is each time: the last one is almost a second. */
const LONGER_EACH = 3;

/** Passing 503 after which requests are sent half as often, and the longest time between two of them. */
const PASSING_A_STEP = 3;
const MAX_INTERVAL_MS = 1000;
/** Intervals that a request waits which cannot be repeated. */
const INTERVALS_OF_ONE = 4;

/** What the run waits for, and how long it has waited so far: one for a run, for all of its clients. */
export class Pace {
  #intervalMs: number;
  readonly #reserveMs: number;
  #leftMs: number;
  #waitedMs: number;
  #nextSlot = 0;
  #longerEach = LONGER_EACH;
  /** Whether the target ever answered 429: before that, what its headers say of limits is no reason to wait. */
  #isLimited = false;
  /** Until when the target allows no further request, as far as its headers say; 0 where they do not. */
  #openAt = 0;
  /** 503 that a repetition did not meet again; undefined where the target file gives the pace, or slowing down did not help. */
  #passing: number | undefined;

  constructor(
    { requestsPerSecond }: { requestsPerSecond?: number } = {},
    budget = { waitMs: WAIT_BUDGET_MS, reserveMs: CLEAN_UP_RESERVE_MS },
    waitedMs = 0,
  ) {
    this.#leftMs = budget.waitMs - waitedMs;
    this.#waitedMs = waitedMs;
    this.#reserveMs = budget.reserveMs;
    this.#intervalMs = requestsPerSecond ? 1000 / requestsPerSecond : 0;
    if (!requestsPerSecond) this.#passing = 0;
  }

  /** How many requests a second the target seems to allow, where it was slowed down for. */
  get slowedTo(): number | undefined {
    return this.#passing && this.#intervalMs > 0 ? 1000 / this.#intervalMs : undefined;
  }

  get waitedMs(): number {
    return this.#waitedMs;
  }

  /** Resolves when the next request may be sent; one that cannot be repeated waits longer where the target limits requests. */
  async turn(isOnce = false): Promise<void> {
    const present = now();
    const slot =
      Math.max(present, this.#nextSlot) + (isOnce && this.slowedTo ? INTERVALS_OF_ONE * this.#intervalMs : 0);
    this.#nextSlot = slot + this.#intervalMs;
    if (slot > present) await sleep(slot - present);
    const closed = this.#openAt - now();
    if (closed > 0 && this.#take(closed, this.#reserveMs)) await sleep(closed);
  }

  /** Notes a 503 that passed, as gateways limit requests: after some, requests are spaced; where that fails, it is no limit. */
  notePassing(): void {
    if (this.#passing === undefined) return;
    this.#passing += 1;
    if (this.#passing % PASSING_A_STEP > 0) return;
    const next = Math.max(MIN_WAIT_MS, this.#intervalMs * 2);
    this.#intervalMs = next > MAX_INTERVAL_MS ? 0 : next;
    if (this.#intervalMs === 0) this.#passing = undefined;
  }

  /** Notes a gateway that did not let a request through in all the time: it is no limit, and longer waits are in vain. */
  noteOutage(): void {
    this.#longerEach = 1;
  }

  /** Notes what an answer says of limits. */
  note(response: RecordedResponse): void {
    if (response.status === 429) this.#isLimited = true;
    const { remaining, resetMs } = limitsIn(response.headers);
    if (!this.#isLimited || remaining === undefined || remaining > 0 || resetMs === undefined) return;
    this.#openAt = now() + Math.min(resetMs, MAX_WAIT_MS);
  }

  /** Whether a request is worth a retry after that answer to its nth attempt; resolves after the wait. `isCleanUp` may use the reserve. */
  async retries(response: RecordedResponse, isCleanUp: boolean, attempt = 1): Promise<boolean> {
    const wait = retryAfterMs(response, attempt, this.#longerEach);
    if (wait === undefined || !this.#take(wait, isCleanUp ? 0 : this.#reserveMs)) return false;
    await sleep(wait);
    return true;
  }

  #take(wait: number, reserveMs: number): boolean {
    if (wait > this.#leftMs - reserveMs) return false;
    this.#leftMs -= wait;
    this.#waitedMs += wait;
    return true;
  }
}

/** Milliseconds to wait before a retry; undefined when the answer is final. */
function retryAfterMs({ status, headers }: RecordedResponse, attempt: number, longerEach: number): number | undefined {
  const header = headers['retry-after'];
  // A gateway in trouble is not the API's answer; one that stays in trouble is judged by what it says. haproxy counts what it
  // refused in the last second, too.
  if ([502, 503, 504].includes(status) && !header) return MIN_WAIT_MS * longerEach ** (attempt - 1);
  if (status !== 429 && status !== 503) return undefined;
  if (!header) return Math.min(Math.max(MIN_WAIT_MS, limitsIn(headers).resetMs ?? 1000), MAX_WAIT_MS);
  const seconds = /^\d+(\.\d+)?$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  const wait = Math.max(MIN_WAIT_MS, Number.isFinite(seconds) ? seconds * 1000 : 1000);
  return wait <= MAX_WAIT_MS ? wait : undefined;
}

/** Whether the target answered that it gets too many requests. */
export const isThrottled = ({ status, headers }: RecordedResponse): boolean =>
  status === 429 || (status === 503 && headers['retry-after'] !== undefined);

/** A number of seconds that is larger than this is a moment in time. */
const MOMENT = 1_000_000;

/** How many requests are left, and for how long, as the usual headers say: `RateLimit: "x";r=0;t=3`, or one header each. */
function limitsIn(headers: Record<string, string>): { remaining?: number; resetMs?: number } {
  const combined = headers.ratelimit ?? '';
  const named = (name: string): string | undefined =>
    headers[`ratelimit-${name}`] ?? headers[`x-ratelimit-${name}`] ?? headers[`x-rate-limit-${name}`];
  const remaining = named('remaining') ?? /\b(?:r|remaining)=(\d+)/.exec(combined)?.[1];
  const reset = named('reset') ?? /\b(?:t|reset)=(\d+)/.exec(combined)?.[1];
  const seconds = reset === undefined ? Number.NaN : Number(reset);
  const resetMs = seconds > MOMENT ? seconds * 1000 - Date.now() : seconds * 1000;
  return {
    ...(remaining !== undefined && Number.isFinite(Number(remaining)) ? { remaining: Number(remaining) } : {}),
    ...(Number.isFinite(resetMs) ? { resetMs: Math.max(0, resetMs) } : {}),
  };
}
