import type { Session } from '../session/session.ts';
import type { TargetField } from '../session/target-fields.ts';

/**
 * One contract test, as data: a stable id, the requirements that it judges, one sentence of what it asserts, what it needs
 * of the target file, and what it writes there. `run` returns when the requirement is verified and throws a CheckFailure
 * otherwise.
 */
export interface Check {
  id: string;
  requirements: string[];
  title: string;
  needs: readonly TargetField[];
  /** What it sends that may change the target, a line each; none means that it only reads or signs in. */
  writes?: string[];
  /** What it sends beyond that where writes are allowed; without them it judges less. */
  mayWrite?: string[];
  run(session: Session): Promise<void>;
  /** It tests in one more condition what another check of the same requirements tests; a quick run leaves it out. */
  isThorough?: true;
  /** It judges what the run was answered so far, or what it changed for good: repeating it would show nothing else. */
  isOfTheRun?: true;
  /** What its pass does not show at this target, in a sentence; called once it has passed. */
  remark?(session: Session): Promise<string | undefined>;
}
