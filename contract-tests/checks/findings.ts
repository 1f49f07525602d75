import { blocked, type CheckFailure, violation } from '../failure.ts';
import { type Field, fieldsOf, type RecordName } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import type { Answer } from '../wire/exchange.ts';
import type { Check } from './check.ts';
import { expectedOf } from './field-rules.ts';

/** What answers of the target break, as the one judgement of it that all checks share. */
export interface Finding {
  requirement: string;
  /** Others whose own checks report the same fault. */
  related?: readonly string[];
  message: string;
  expected: unknown;
  actual: unknown;
  /** The answers that show it, the decisive one last. */
  answers: readonly Answer[];
  /** The answer is not of its kind at all, so that nothing else of it can be judged. */
  isWhole?: true;
}

/** Throws the first finding as a violation. */
export function assertNoFinding([finding]: readonly Finding[]): void {
  if (finding) throw failureOf(finding);
}

function failureOf({ requirement, message, expected, actual, answers }: Finding): CheckFailure {
  const failure = violation(message, expected, actual).of(requirement);
  const [decisive] = answers.slice(-1);
  return decisive ? failure.seenIn(decisive) : failure;
}

/**
 * Throws the first finding as the violation of its requirement. What a check of the run has reported already is not
 * reported again: where there is nothing else, this check is blocked by that one.
 */
export function assertNone(findings: readonly Finding[], session: Session): void {
  const reporter = ({ requirement, related = [] }: Finding): string | undefined =>
    session.ledger.reporterOf([requirement, ...related]);
  const finding = findings.find((each) => reporter(each) === undefined) ?? findings[0];
  if (!finding) return;
  for (const answer of finding.answers) session.recorder.record(answer);
  const by = reporter(finding);
  const failure = failureOf(finding);
  if (by === undefined) throw failure;
  const { shownBy } = failure;
  throw Object.assign(blocked(by, finding.message).of(finding.requirement), shownBy ? { shownBy } : {});
}

/** What the checks of one kind of answer have in common. */
export interface Judged {
  needs: Check['needs'];
  writes?: string[];
  /** Everything that is wrong with the answers of that kind. */
  judge(session: Session): Promise<Finding[]>;
}

/** One requirement of such answers, as the check of it names it. */
export interface Judgement {
  id: string;
  requirement: string;
  title: string;
  /** Requirements without which this one cannot be judged. */
  buildsOn?: readonly string[];
}

/** A check of each requirement: whether the answers keep it. Blocked by the one of these checks that it builds on. */
export function findingChecks({ needs, writes, judge }: Judged, judgements: readonly Judgement[]): Check[] {
  const reporterOf = (requirement: string): string =>
    judgements.find((judgement) => judgement.requirement === requirement)?.id ?? '';
  return judgements.map(({ id, requirement, title, buildsOn = [] }) => ({
    id,
    requirements: [requirement],
    title,
    needs,
    ...(writes ? { writes } : {}),
    async run(session) {
      const findings = await judge(session);
      const own = findings.find((finding) => finding.requirement === requirement);
      if (own) throw failureOf(own);
      const below = findings.find((finding) => finding.isWhole || buildsOn.includes(finding.requirement));
      if (below) throw blocked(reporterOf(below.requirement), below.message.replace(/\.$/, ''));
    },
  }));
}

/** A judgement for each field of a record: `sso-user-id`, "the user of the SSO answer has id: a string". */
export function fieldJudgements(
  type: RecordName,
  prefix: string,
  holder: string,
  buildsOn: readonly string[] = [],
): Judgement[] {
  const judgement = ([field, description]: [string, Field]): Judgement => ({
    id: `${prefix}-${field.replaceAll('_', '-')}`,
    requirement: description.requirement,
    title: `${holder} has ${field}: ${expectedOf(description)}`,
    buildsOn,
  });
  return Object.entries(fieldsOf(type)).map(judgement);
}
