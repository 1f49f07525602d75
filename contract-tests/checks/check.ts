import type { Outcome } from '../model.ts';
import type { Session } from '../target/session.ts';

/** Fields of the target file that a check cannot do without. */
export const TARGET_FIELDS = [
  'actors.admin',
  'actors.admin.sso',
  'actors.admin.login',
  'actors.member',
  'actors.member.sso',
  'resources.recordingId',
  'resources.tenantId',
  'resources.otherTenantId',
] as const;
export type TargetField = (typeof TARGET_FIELDS)[number];

/**
 * One contract test, as data: a stable id, the requirements that it judges, one sentence of what it asserts, what it needs
 * of the target file, and what it writes there. `run` returns when the requirement was seen to hold and throws a
 * CheckFailure otherwise.
 */
export interface Check {
  id: string;
  requirements: string[];
  title: string;
  needs: TargetField[];
  /** What it sends that may change the target, a line each; none means that it only reads or signs in. */
  writes?: string[];
  run(session: Session): Promise<void>;
}

interface Evidence {
  expected?: unknown;
  actual?: unknown;
}

/** Why a check did not pass. */
export class CheckFailure extends Error {
  override name = 'CheckFailure';
  readonly outcome: Exclude<Outcome, 'pass'>;
  readonly evidence: Evidence;

  constructor(outcome: Exclude<Outcome, 'pass'>, message: string, evidence: Evidence = {}) {
    super(message);
    this.outcome = outcome;
    this.evidence = evidence;
  }
}

/** The target was seen to break the requirement. */
export const violation = (message: string, expected: unknown, actual: unknown): CheckFailure =>
  new CheckFailure('violation', message, { expected, actual });

/** Nothing could be sent that would have shown it; the message names what would enable it. */
export const untested = (message: string): CheckFailure => new CheckFailure('untested', message);

/** Something that it builds on failed; that is reported by the check named. */
export const blocked = (by: string, message: string): CheckFailure =>
  new CheckFailure('blocked', `${message} (see ${by})`);

/** The target cannot be judged: what the target file promises does not hold there. */
export const setUpError = (message: string, actual?: unknown): CheckFailure =>
  new CheckFailure('error', message, { actual });
