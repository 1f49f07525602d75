import type { RecordedResponse } from '../model.ts';
import { OF_GATEWAY } from '../values/answer.ts';
import { now, sleep } from './time.ts';

/** How long a run waits altogether because the target limits requests, and how much of that only clean-up may use. */
const WAIT_BUDGET_MS = 150_000;
const CLEAN_UP_RESERVE_MS = 30_000;
const MAX_WAIT_MS = 30_000;
/** The shortest: a target that says 0, or a moment that is over, is not asked again at once, and again. */
const MIN_WAIT_MS = 100;
/** How many times as long each wait is that no header states. */
const LONGER_EACH = 3;
export const MAX_ATTEMPTS = 4;

/** Passing 503 after which requests are sent half as often, and the longest time between two of them. */
const PASSING_A_STEP = 3;
const MAX_INTERVAL_MS = 1000;

/** What the run waits for, and how long it has waited so far: one for a run, for all of its clients. */
export class Pace {
  #intervalMs: number;
  #leftMs = WAIT_BUDGET_MS;
  #nextSlot = 0;
  #longerEach = LONGER_EACH;
  /** 503 that a repetition did not meet again; undefined where the target file gives the pace, or slowing down did not help. */
  #passing: number | undefined;
  /** Whether 403 may be a limit: not where it stays after the time that it states. */
  #limitsBy403 = true;

  constructor({ requestsPerSecond }: { requestsPerSecond?: number } = {}) {
    this.#intervalMs = requestsPerSecond ? 1000 / requestsPerSecond : 0;
    this.#passing = requestsPerSecond ? undefined : 0;
  }

  /** How many requests a second the target seems to allow, where it was slowed down for. */
  get slowedTo(): number | undefined {
    return this.#passing && this.#intervalMs > 0 ? 1000 / this.#intervalMs : undefined;
  }

  async turn(): Promise<void> {
    const slot = Math.max(now(), this.#nextSlot);
    this.#nextSlot = slot + this.#intervalMs;
    if (slot > now()) await sleep(slot - now());
  }

  /** As gateways limit requests: after some 503 that pass, requests are spaced; where that fails, it is no limit. */
  note(response: RecordedResponse, before?: RecordedResponse): void {
    // After a limit, a refusal without the header may be that of the request itself.
    if (before?.status === 403 && response.status === 403 && response.headers['retry-after'] !== undefined)
      this.#limitsBy403 = false;
    const isPassing = before?.status === 503 && isOfGateway(before) && !isOfGateway(response);
    if (!isPassing || this.#passing === undefined) return;
    this.#passing += 1;
    if (this.#passing % PASSING_A_STEP > 0) return;
    const next = Math.max(MIN_WAIT_MS, this.#intervalMs * 2);
    this.#intervalMs = next > MAX_INTERVAL_MS ? 0 : next;
    if (this.#intervalMs === 0) this.#passing = undefined;
  }

  /** Milliseconds after which a request is worth a retry, which it takes from the budget; undefined where the answer is final. */
  waitAfter(response: RecordedResponse, { attempt = 1, isCleanUp = false, isOnce = false } = {}): number | undefined {
    const isLast = attempt >= MAX_ATTEMPTS;
    // A gateway that let nothing through in all the time is no limit, and longer waits are in vain.
    if (isLast && isOfGateway(response)) this.#longerEach = 1;
    // What cannot be undone is not sent again, unless a limit says that it was not done. An outage is waited for no longer at the end.
    if ((isOnce && !OF_LIMITS.includes(response.status)) || (isLast && (!isCleanUp || isOfGateway(response))))
      return undefined;
    const wait = this.#wantedAfter(response, attempt) ?? Number.POSITIVE_INFINITY;
    if (wait > this.#leftMs - (isCleanUp ? 0 : CLEAN_UP_RESERVE_MS)) return undefined;
    this.#leftMs -= wait;
    return wait;
  }

  /** Whether a limit answered: 403 with Retry-After may be one, too. */
  isThrottled({ status, headers }: RecordedResponse): boolean {
    const isByHeader = OF_GATEWAY.has(status) || (status === 403 && this.#limitsBy403);
    return OF_LIMITS.includes(status) || (isByHeader && headers['retry-after'] !== undefined);
  }

  #wantedAfter(response: RecordedResponse, attempt: number): number | undefined {
    // A gateway in trouble is not the API's answer; one that stays in trouble is judged by what it says. haproxy counts what
    // it refused in the last second, too.
    if (isOfGateway(response)) return MIN_WAIT_MS * this.#longerEach ** (attempt - 1);
    if (!this.isThrottled(response)) return undefined;
    const header = response.headers['retry-after'];
    const seconds = Number(header ?? this.#longerEach ** (attempt - 1));
    const stated = Number.isNaN(seconds) ? Date.parse(header ?? '') - Date.now() : seconds * 1000;
    const wait = Math.max(MIN_WAIT_MS, Number.isFinite(stated) ? stated : 1000);
    return wait <= MAX_WAIT_MS ? wait : undefined;
  }
}

/** Statuses of limits by themselves, 420 in some APIs. */
const OF_LIMITS = [420, 429];

/** Whether a gateway answered, and not the API: after that it may be reached again. */
export const isOfGateway = ({ status, headers }: RecordedResponse): boolean =>
  OF_GATEWAY.has(status) && headers['retry-after'] === undefined;
