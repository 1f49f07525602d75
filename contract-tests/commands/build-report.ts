import {
  type CheckResult,
  type GapResult,
  type ModelCoverage,
  OUTCOMES,
  type Outcome,
  type Report,
  type RequestCounts,
  type RequirementResult,
  type Verdict,
} from '../model.ts';
import { cutResult, toCurl } from '../report/cut.ts';
import { agree, count, troubleIn } from '../report/text.ts';
import { EXIT_CODES, judge, judgeRequirements, judgeStrictly, openRequirements } from '../report/verdict.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { isObservable, loadRequirements, loadScore, packageVersion } from '../spec-data.ts';
import { withoutUserInfo } from '../values/url.ts';
import { markKnown, NO_BASELINE, stale } from './baseline.ts';
import type { RunInput } from './run-input.ts';

export interface RunFacts {
  baseUrl: string;
  profile: string;
  startedAt: Date;
  durationMs: number;
  checks: CheckResult[];
  gaps: GapResult[];
  leftovers: string[];
  requests?: RequestCounts;
  model?: ModelCoverage;
  /** The gaps that a profile answers. */
  givenGaps?: readonly string[];
  /** The options of the run that decide the verdict. */
  input: Pick<RunInput, 'strict' | 'waiver' | 'scope' | 'ownRequirements' | 'baseline' | 'maxTrouble'>;
  secrets: Secrets;
}

/** Makes the report of a run: judged, cut to size, and without any secret. */
export function buildReport(facts: RunFacts): Report {
  const { ownRequirements, scope, baseline = NO_BASELINE, strict, waiver, maxTrouble } = facts.input;
  const inScope = [...loadRequirements(), ...ownRequirements].filter(({ id }) => scope?.has(id) ?? true);
  const checks = markKnown(facts.checks, baseline);
  const staleBaseline = stale(checks, baseline);
  const requirements = judgeRequirements(inScope, checks);
  const differing = strict ? facts.gaps.filter(({ outcome }) => outcome === 'differs') : [];
  // What a profile answers, and the run could not observe although a probe of it exists.
  const unseen = (strict ? facts.gaps : []).filter(
    ({ id, outcome }) => outcome === 'undetermined' && facts.givenGaps?.includes(id) && isObservable(id),
  );
  const trouble = facts.requests && troubleIn(facts.requests);
  const isTooMuch = trouble !== undefined && maxTrouble !== undefined && trouble.times > maxTrouble;
  const judged = judgeStrictly(judge(checks, requirements, waiver), differing, unseen);
  const verdict = staleBaseline.length > 0 ? 'violates' : isTooMuch && judged === 'conforms' ? 'inconclusive' : judged;
  const report: Report = {
    schemaVersion: 1,
    tool: { name: 'platform-mock', version: packageVersion },
    target: { baseUrl: withoutUserInfo(facts.baseUrl) },
    profile: facts.profile,
    verdict,
    exitCode: EXIT_CODES[verdict],
    startedAt: facts.startedAt.toISOString(),
    durationMs: Math.round(facts.durationMs),
    requirements,
    checks: checks.map(cutResult).map((check) => ({
      ...check,
      exchanges: check.exchanges.map((exchange) => ({ ...exchange, curl: toCurl(exchange) })),
    })),
    gaps: facts.gaps,
    score: loadScore(),
    leftovers: facts.leftovers,
    requests: facts.requests,
    model: facts.model,
    ...(staleBaseline.length > 0 ? { staleBaseline } : {}),
    summary: summarise(checks, requirements, verdict, [
      staleBaseline.length > 0
        ? `The baseline says that these are violated, and they pass: ${staleBaseline.join(', ')}. Remove them from it.`
        : '',
      ...openRequirements(requirements, waiver).map(({ id }) => {
        const { isExpired, until } = baseline.waivers.get(id) ?? {};
        return isExpired ? `The waiver of ${id} expired after ${until}.` : '';
      }),
      differing.length > 0
        ? `${count(differing.length, 'answer')} ${agree(differing.length, 'differs', 'differ')} from the profile, which --strict does not allow: ${differing.map(({ id }) => id).join(', ')}.`
        : '',
      unseen.length > 0
        ? `The profile answers ${count(unseen.length, 'gap')} that the run could not observe, which --strict does not allow: ${unseen.map(({ id }) => id).join(', ')}.`
        : '',
      trouble?.text ?? '',
      isTooMuch ? `--max-trouble allows ${maxTrouble}.` : '',
    ]),
  };
  return facts.secrets.scrubJson(report);
}

/** The report of a target that did not answer at all. */
export function unreachableReport(facts: Omit<RunFacts, 'checks' | 'gaps' | 'leftovers'>, reason: string): Report {
  const report = buildReport({ ...facts, checks: [], gaps: [], leftovers: [] });
  return facts.secrets.scrubJson({
    ...report,
    verdict: 'unreachable',
    exitCode: EXIT_CODES.unreachable,
    summary: { ...report.summary, text: reason },
  });
}

function summarise(
  checks: readonly CheckResult[],
  requirements: readonly RequirementResult[],
  verdict: Verdict,
  causes: readonly string[],
): Report['summary'] {
  const counts = Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, checks.filter((check) => check.outcome === outcome).length]),
  ) as Record<Outcome, number>;
  const of = (...outcomes: string[]): number => requirements.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const all = requirements.length - of('excluded');
  const open = requirements.filter(({ outcome }) => ['untested', 'blocked', 'error'].includes(outcome));
  const causesOfOpen = new Set(open.map(({ reason }) => reason));
  const remarked = requirements.filter(({ outcome, reason }) => outcome === 'pass' && reason !== undefined).length;
  const reasons = new Set(checks.map(({ message }) => message));
  const texts: Record<Verdict, string> = {
    conforms: `${of('pass')} of ${requirementsIn(all)} verified${remarked > 0 ? `, ${remarked} of them with a remark` : ''}.${open.length > 0 ? ` ${open.length} stayed untested, which does not gate: ${open.map(({ id }) => id).join(', ')}.` : ''}`,
    violates:
      of('violation') > 0
        ? `${of('violation')} of ${requirementsIn(all)} ${agree(of('violation'), 'is', 'are')} violated.`
        : '',
    inconclusive:
      open.length > 0
        ? `No violation was seen, but ${open.length} of ${requirementsIn(all)} could not be tested${causesOfOpen.size === 1 ? `: ${[...causesOfOpen]}` : ''}.`
        : '',
    unreachable: `Nothing could be judged: ${reasons.size === 1 ? [...reasons] : 'set-up failed.'}`,
  };
  const known = checks.filter((check) => check.known !== undefined).length;
  const remarks = [
    texts[verdict],
    known > 0 ? `${count(known, 'known violation')} of the baseline ${agree(known, 'does', 'do')} not count.` : '',
    ...causes,
  ];
  return { checks: checks.length, ...counts, text: remarks.filter((remark) => remark !== '').join(' ') };
}

const requirementsIn = (number: number): string => count(number, 'requirement');
