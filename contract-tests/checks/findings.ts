import { blocked, violation } from '../failure.ts';
import type { Answer } from '../target/request.ts';
import type { Session } from '../target/session.ts';
import type { FieldRule } from './fields.ts';
import { type JsonObject, show } from './formats.ts';
import { reporterOf } from './run-so-far.ts';

/** What an answer of the run breaks, for checks that judge several requirements by many answers. */
export interface Finding {
  requirement: string;
  /** Others whose own checks report the same fault. */
  related?: readonly string[];
  message: string;
  expected: unknown;
  actual: unknown;
  /** The answers that show it, the decisive one last. */
  answers: readonly Answer[];
}

/** What a record says otherwise than the document does of its fields (part 2). */
export function fieldFindings(
  subject: string,
  record: JsonObject,
  rules: Record<string, FieldRule>,
  answer: Answer,
): Finding[] {
  return Object.entries(rules)
    .filter(([field, { holds }]) => !holds(record[field]))
    .map(([field, { requirement, expected }]) => ({
      requirement,
      message: `${subject} ${Object.hasOwn(record, field) ? `has ${field} ${show(record[field])}` : `has no ${field}`}.`,
      expected: `${field}: ${expected}`,
      actual: record[field],
      answers: [answer],
    }));
}

/**
 * Throws the first finding as the violation of its requirement. What a check of the run has reported already is not
 * reported again: where there is nothing else, that check stands in the way of this one.
 */
export function assertNone(findings: readonly Finding[], session: Session): void {
  const reporter = ({ requirement, related = [] }: Finding): string | undefined =>
    reporterOf(session, [requirement, ...related]);
  const finding = findings.find((each) => reporter(each) === undefined) ?? findings[0];
  if (!finding) return;
  const { requirement, message, expected, actual, answers } = finding;
  for (const answer of answers) session.recorder.record(answer);
  const by = reporter(finding);
  const failure = by === undefined ? violation(message, expected, actual) : blocked(by, message);
  const [decisive] = answers.slice(-1);
  throw Object.assign(decisive ? failure.seenIn(decisive) : failure, { requirement });
}
