/** The report in the order in which people read it: what broke and why, then what could not be judged. */
import { type Exchange, OUTCOMES, type Outcome, type Report, type RequirementResult, type Verdict } from '../model.ts';
import { groupBy } from '../values/group.ts';
import { relativeTo } from '../values/url.ts';
import { whereOf } from './text.ts';

export type ReportedCheck = Report['checks'][number];
export type ReportedExchange = ReportedCheck['exchanges'][number];
export type RequirementOutcome = RequirementResult['outcome'];
export const REQUIREMENT_OUTCOMES: readonly RequirementOutcome[] = [...OUTCOMES, 'excluded'];

/** What an exit code of `verify` means, for a reader who did not run it. */
export const VERDICTS: Record<Verdict, { word: string; meaning: string }> = {
  conforms: { word: 'Conforms', meaning: 'no violation was found, and nothing stayed untested that was not waived' },
  violates: { word: 'Violates', meaning: 'the target breaks what is documented' },
  inconclusive: { word: 'Inconclusive', meaning: 'no violation was found, but some requirements could not be tested' },
  unreachable: { word: 'Unreachable', meaning: 'the target could not be reached or set up, so nothing was judged' },
};

/** What each outcome means, in the words of the model. */
export const OUTCOME_MEANINGS: Record<RequirementOutcome, string> = {
  violation: 'broken by the target',
  error: 'set-up or transport failed, so it could not be judged',
  blocked: 'what it builds on failed, which is reported by itself',
  untested: 'could not be tested; the reason says what would enable it',
  pass: 'verified',
  excluded: 'no check is possible; the reason is given',
};

export const checksOf = (report: Report, outcome: Outcome): ReportedCheck[] =>
  report.checks.filter((check) => check.outcome === outcome);

export function countRequirements(report: Report, outcome: RequirementOutcome): number {
  return report.requirements.filter((requirement) => requirement.outcome === outcome).length;
}

/** The requirements that a check names, in its order; one that the report does not list is given without its statement. */
export function requirementsOf(report: Report, ids: readonly string[]): RequirementResult[] {
  return ids.map(
    (id) =>
      report.requirements.find((one) => one.id === id) ?? { id, section: '?', statement: '', outcome: 'untested' },
  );
}

/** The requirements that a check names, a line each: `KEY-02 (section 4.3): …`. */
export const statementsOf = (report: Report, { requirements }: ReportedCheck): string[] =>
  requirementsOf(report, requirements).map(({ id, section, statement }) => `${id} (${whereOf(section)}): ${statement}`);

/** The violations, one finding for what breaks the same requirements; those that block the most come first. */
export function findingsOf(report: Report) {
  const blocked = checksOf(report, 'blocked').map((check) => ({ check, root: rootCause(report, check) }));
  return [...groupBy(checksOf(report, 'violation'), (check) => check.requirements.join(' '))]
    .map(([, checks]) => ({
      requirements: requirementsOf(report, checks[0]?.requirements ?? []),
      checks,
      blocks: blocked.filter(({ root }) => checks.some(({ id }) => id === root)).map(({ check }) => check),
    }))
    .sort((a, b) => b.blocks.length - a.blocks.length);
}
/** Requirements that are broken together, the checks that found it, and the checks that these block. */
export type Finding = ReturnType<typeof findingsOf>[number];

/** The checks of an outcome, grouped by their message, so that one missing field is one line; the largest group first. */
export function bySharedReason(report: Report, outcome: Outcome) {
  return [...groupBy(checksOf(report, outcome), ({ message }) => message)]
    .map(([message, checks]) => ({ message, checks }))
    .sort((a, b) => b.checks.length - a.checks.length);
}

/** The checks that passed and say what that does not show. */
export const remarksOf = (report: Report): ReportedCheck[] =>
  checksOf(report, 'pass').filter(({ message }) => message !== '');

const CAUSE = / ?\(see ([^()\s]+)\)$/;

/** The check that a blocked check's message names as its cause: `… (see keys-array)`. */
const causeId = ({ message }: ReportedCheck): string => CAUSE.exec(message)?.[1] ?? '';

function rootCause(report: Report, check: ReportedCheck): string {
  const seen = new Set<string>();
  let id = causeId(check);
  while (!seen.has(id)) {
    seen.add(id);
    const next = report.checks.find((one) => one.id === id);
    if (next?.outcome !== 'blocked') return id;
    id = causeId(next);
  }
  return id;
}

/** What could not be judged, each reason once: what failed to be set up, what waits for another check, what something is missing for. */
export function openEnds(report: Report) {
  const blocked = [...groupBy(checksOf(report, 'blocked'), causeId)].map(([id, checks]) => ({
    message: `${id}: ${checks[0]?.message.replace(CAUSE, '') ?? ''}`,
    checks,
    cause: report.checks.find((check) => check.id === id),
  }));
  const ends: { outcome: 'error' | 'blocked' | 'untested'; reasons: Reason[] }[] = [
    { outcome: 'error', reasons: bySharedReason(report, 'error') },
    { outcome: 'blocked', reasons: blocked },
    { outcome: 'untested', reasons: bySharedReason(report, 'untested') },
  ];
  return ends.filter(({ reasons }) => reasons.length > 0);
}
/** Requirements that stay open with one outcome, by reason. */
export type OpenEnd = ReturnType<typeof openEnds>[number];
/** `cause` is the check that blocks these; absent when the report does not hold that. */
type Reason = ReturnType<typeof bySharedReason>[number] & { cause?: ReportedCheck | undefined };

/** The distinct requirement ids of some checks, in the report's order. */
export function requirementIds(report: Report, checks: readonly ReportedCheck[]): string[] {
  const ids = new Set(checks.flatMap(({ requirements }) => requirements));
  const listed = report.requirements.map(({ id }) => id).filter((id) => ids.has(id));
  return [...listed, ...[...ids].filter((id) => !listed.includes(id))];
}

/** The gaps: what differs from the assumption first, then what matches, then what could not be seen. */
export function gapsByInterest(report: Report): Report['gaps'] {
  const order = ['differs', 'match', 'undetermined'];
  return [...report.gaps].sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
}

const AREAS: Record<string, string> = {
  SSO: 'Single sign-on',
  REC: 'Recordings',
  KEY: 'Provider API keys',
  SCO: 'Token scopes',
  AUT: 'Authentication',
  GEN: 'General',
};

/** The area of a check, by the prefix of its first requirement: `{ id: 'sso', name: 'Single sign-on' }`. */
export function areaOf({ requirements }: ReportedCheck): { id: string; name: string } {
  const prefix = requirements[0]?.split('-')[0] ?? '';
  return prefix === '' ? { id: 'other', name: 'Other' } : { id: prefix.toLowerCase(), name: AREAS[prefix] ?? prefix };
}

/** The URL as it is written at the target: without the base URL where it starts with that. */
export const relativeUrl = (report: Report, url: string): string => relativeTo(report.target.baseUrl, url);

/** The exchange that shows why a check did not pass, and its place among those of the check. */
export function decisiveOf({ exchanges }: ReportedCheck): { exchange: ReportedExchange; number: number } | undefined {
  const marked = exchanges.findIndex(({ decisive }) => decisive);
  const index = marked >= 0 ? marked : exchanges.length - 1;
  const exchange = exchanges[index];
  return exchange && { exchange, number: index + 1 };
}

/** What came back, in a few words. */
export function answerOf({ response, error, followed }: Exchange): string {
  const after = followed ? ` after a redirect to ${followed.at(-1)}` : '';
  return response ? `${response.status}${after}` : `no response${error ? `: ${error}` : ''}`;
}

/** Headers as they are sent, without the first line. */
export function headerLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
