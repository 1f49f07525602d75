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
  /** The exchange that shows it; default: the last one of the check. */
  shownBy?: Exchange;

  constructor(outcome: Exclude<Outcome, 'pass'>, message: string, evidence: Evidence = {}) {
    super(message);
    this.outcome = outcome;
    this.evidence = evidence;
  }

  /** Names the broken requirement, for a check that judges several. */
  of(requirement: string): this {
    this.requirement = requirement;
    return this;
  }

  /** Names the exchange that shows it, for a check that sent others after that one. */
  seenIn(exchange: Exchange): this {
    this.shownBy ??= exchange;
    return this;
  }
}

/** The requirement could not be tested; the message names what would enable it. */
export const untested = (message: string): CheckFailure => new CheckFailure('untested', message);

/** What it builds on failed; the check named reports that. */
export const blocked = (by: string, message: string): CheckFailure =>
  Object.assign(new CheckFailure('blocked', `${message} (see ${by})`), { by });

/** The target cannot be judged: it is not as the target file says. */
export const setUpError = (message: string, actual?: unknown): CheckFailure =>
  new CheckFailure('error', message, { actual });
