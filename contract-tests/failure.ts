import type { Exchange, Outcome } from './model.ts';

interface Evidence {
  expected?: unknown;
  actual?: unknown;
}

/** Why a check did not pass. */
export class CheckFailure extends Error {
  override name = 'CheckFailure';
  readonly outcome: Exclude<Outcome, 'pass'>;
  readonly evidence: Evidence;
  /** The requirement that is broken, where the check judges several. */
  requirement?: string;
  /** The check that reports what it is blocked by. */
  by?: string;
  /** The exchange that shows it; unless it is named, the last one of the check does. */
  shownBy?: Exchange;

  constructor(outcome: Exclude<Outcome, 'pass'>, message: string, evidence: Evidence = {}) {
    super(message);
    this.outcome = outcome;
    this.evidence = evidence;
  }

  /** Names the exchange that shows it, for a check that sent others after that one. */
  seenIn(exchange: Exchange): this {
    this.shownBy ??= exchange;
    return this;
  }
}

/** The target was seen to break the requirement. */
export const violation = (message: string, expected: unknown, actual: unknown): CheckFailure =>
  new CheckFailure('violation', message, { expected, actual });

/** Nothing could be sent that would have shown it; the message names what would enable it. */
export const untested = (message: string): CheckFailure => new CheckFailure('untested', message);

/** Something that it builds on failed; that is reported by the check named. */
export const blocked = (by: string, message: string): CheckFailure =>
  Object.assign(new CheckFailure('blocked', `${message} (see ${by})`), { by });

/** The target cannot be judged: what the target file promises does not hold there. */
export const setUpError = (message: string, actual?: unknown): CheckFailure =>
  new CheckFailure('error', message, { actual });
