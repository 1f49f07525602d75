import {
  CAUSES,
  type CheckResult,
  type Gate,
  OUTCOMES,
  type Requirement,
  type RequirementResult,
  type Verdict,
} from '../model.ts';
import { groupBy } from '../values/group.ts';
import { agree, count, idsOf, listed } from './text.ts';

/** Exit codes of `verify`; 2 is a usage error, which never gets as far as a verdict. */
export const EXIT_CODES: Record<Verdict, number> = { conforms: 0, violates: 1, unreachable: 3, inconclusive: 4 };

/** What allows requirements to stay untested, by their ids or by `all`. */
export type Waivers = ReadonlyMap<string, string>;

/** Requirements that a verdict names. */
const MAX_NAMED = 8;

/** The verdict of a run: that of its strongest gate. */
export const verdictOf = ([strongest]: readonly Gate[]): Verdict => (strongest ? CAUSES[strongest.cause] : 'conforms');

/** Gates in the order of CAUSES. */
export function inOrder(gates: readonly Gate[]): Gate[] {
  const order = Object.keys(CAUSES);
  return gates.toSorted((a, b) => order.indexOf(a.cause) - order.indexOf(b.cause));
}

/** Whether it counts: what the baseline knows does not. */
const isUnknown = ({ outcome, known }: Pick<CheckResult, 'outcome' | 'known'>): boolean =>
  outcome === 'violation' && known === undefined;

/**
 * The outcome of each requirement: the worst of its checks, a known violation being better than what could not be tested. One whose
 * checks were not selected is untested.
 */
export function judgeRequirements(
  requirements: readonly Requirement[],
  checks: readonly CheckResult[],
  waivers: Waivers = new Map(),
): RequirementResult[] {
  const missing = checks.length === 0 ? 'no check ran' : 'no check of it was selected';
  return requirements.map(({ id, section, statement, excluded }) => {
    const own = checks.filter((check) => check.requirements.includes(id));
    const counted = own.filter((check) => check.outcome !== 'violation' || isUnknown(check));
    const worstOf = (some: readonly CheckResult[]) =>
      OUTCOMES.find((each) => each !== 'pass' && some.some((check) => check.outcome === each));
    const outcome = worstOf(counted) ?? worstOf(own) ?? (own.length > 0 ? 'pass' : 'untested');
    // What is excluded is reported nevertheless where the target let it be seen, or a field of the target file would.
    if (excluded !== undefined && (own.length === 0 || !['pass', 'violation', 'untested'].includes(outcome)))
      return { id, section, statement, outcome: 'excluded', reason: excluded };
    const messages = own.filter((check) => check.outcome === outcome).map(({ message }) => message);
    const waived = outcome === 'untested' ? (waivers.get(id) ?? waivers.get('all')) : undefined;
    const reason = messages.find((message) => message !== '') ?? messages[0] ?? missing;
    // What passed has a message only where its pass does not show everything.
    const said = outcome === 'pass' && reason === '' ? {} : { reason };
    const optional = excluded !== undefined && outcome === 'untested';
    return {
      ...{ id, section, statement, outcome, ...said },
      ...((optional || waived !== undefined) && { gates: false as const }),
      ...(!optional && waived !== undefined && { waived }),
    };
  });
}

/** What could not be tested and was not waived. */
export const openRequirements = (requirements: readonly RequirementResult[]): RequirementResult[] =>
  requirements.filter(
    ({ outcome, gates }) => ['untested', 'blocked', 'error'].includes(outcome) && gates === undefined,
  );

/** What the checks give to the verdict: a violation decides, unless the baseline knows it; what could not be tested is never green, unless it was waived. */
export function gatesOf(checks: readonly CheckResult[], requirements: readonly RequirementResult[]): Gate[] {
  const gates: Gate[] = [];
  const of = (...outcomes: string[]) => requirements.filter(({ outcome }) => outcomes.includes(outcome));
  const unknown = checks.filter(isUnknown);
  const violated = requirements.filter(({ id }) => unknown.some((check) => check.requirements.includes(id))).length;
  const violationText = `${violated} of ${allOf(requirements)} ${agree(violated, 'is', 'are')} violated.`;
  if (unknown.length > 0) gates.push({ cause: 'violation', text: violationText });
  const open = openRequirements(requirements);
  if (of('pass').length > 0 && open.length === 0) return gates;
  const outcomes = new Set(checks.map(({ outcome }) => outcome));
  const isAnythingJudged = outcomes.has('pass') || outcomes.has('violation');
  if (!isAnythingJudged && (outcomes.has('error') || outcomes.has('blocked'))) {
    const why = shared(checks.map(({ message }) => message)) ?? 'set-up failed.';
    return [{ cause: 'unreachable', text: `Nothing could be judged: ${why}` }];
  }
  const named = open.length > 0 ? open : of('untested');
  const reason = shared(named.map((each) => each.reason));
  const gating = open.length > 0 ? ` that ${agree(open.length, 'gates', 'gate')}` : '';
  const what = `${count(named.length, 'requirement')}${gating} could not be tested (${listed(idsOf(named), MAX_NAMED)})`;
  const seen = unknown.length > 0 ? '' : 'No violation was seen, but ';
  const text =
    named.length > 0 ? `${seen}${what}${reason === undefined ? '' : `: ${reason}`}.` : 'Nothing was verified.';
  return [...gates, { cause: 'untested', text }];
}

/** The reason of all of them, where they have one in common. */
const shared = (reasons: readonly (string | undefined)[]) => (new Set(reasons).size === 1 ? reasons[0] : undefined);

/** How many requirements can be judged. */
const allOf = (requirements: readonly RequirementResult[]): string =>
  count(requirements.filter(({ outcome }) => outcome !== 'excluded').length, 'requirement');

/** `23 of 88 requirements`: how many are verified. */
export const verifiedOf = (requirements: readonly RequirementResult[]): string =>
  `${requirements.filter(({ outcome }) => outcome === 'pass').length} of ${allOf(requirements)}`;

/** What a verdict without a gate says of the requirements: how many are verified, which ones are not, and what waives those. */
export function verifiedText(requirements: readonly RequirementResult[]): string {
  const remarked = requirements.filter(({ outcome, reason }) => outcome === 'pass' && reason !== undefined).length;
  const remarks = remarked > 0 ? `, ${remarked} of them with a remark` : '';
  const untested = requirements.filter(({ outcome }) => outcome === 'untested');
  const waivers = [...groupBy(untested, ({ waived = '' }) => waived)].map(([by, own]) => {
    const why = by === '' ? 'which does not gate' : `which ${by} waives`;
    return ` ${own.length} stayed untested, ${why}: ${listed(idsOf(own), MAX_NAMED, ', ')}.`;
  });
  return `${verifiedOf(requirements)} verified${remarks}.${waivers.join('')}`;
}
