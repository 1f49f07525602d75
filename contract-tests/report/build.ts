import {
  type CheckResult,
  type Exchange,
  type GapResult,
  OUTCOMES,
  type Outcome,
  type Report,
  type RequirementResult,
  type Verdict,
} from '../model.ts';
import { loadRequirements, packageVersion } from '../spec-data.ts';
import type { Secrets } from '../target/secrets.ts';
import { withoutUserInfo } from '../target/user-info.ts';
import { toCurl } from './curl.ts';
import { EXIT_CODES, judge, judgeRequirements, judgeStrictly, type Waiver } from './verdict.ts';

export interface RunFacts {
  baseUrl: string;
  profile: string;
  startedAt: Date;
  durationMs: number;
  checks: CheckResult[];
  gaps: GapResult[];
  /** What the probes sent and got: only for the credentials in it, which must not get into the report. */
  probeExchanges?: readonly Exchange[];
  leftovers: string[];
  /** Whether gaps that differ decide the verdict, too. */
  strict?: boolean;
  waiver: Waiver;
  /** Requirements that the run was limited to; all when absent. */
  scope?: ReadonlySet<string>;
  secrets: Secrets;
}

/** Bodies longer than this are cut in reports; what is cut is said. */
const MAX_BODY = 4_000;

/** Makes the report of a run: judged, cut to size, and without any secret. */
export function buildReport(facts: RunFacts): Report {
  const seen = [...facts.checks.flatMap((check) => check.exchanges), ...(facts.probeExchanges ?? [])];
  for (const exchange of seen) facts.secrets.learnFrom(exchange);
  const inScope = loadRequirements().filter(({ id }) => facts.scope?.has(id) ?? true);
  const requirements = judgeRequirements(inScope, facts.checks);
  const differing = facts.strict ? facts.gaps.filter(({ outcome }) => outcome === 'differs') : [];
  const verdict = judgeStrictly(judge(facts.checks, requirements, facts.waiver), differing);
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
    checks: facts.checks.map((check) => ({
      ...check,
      exchanges: check.exchanges.map((exchange) => ({
        ...exchange,
        ...(exchange.response ? { response: { ...exchange.response, body: cut(exchange.response.body) } } : {}),
        curl: toCurl(exchange.request),
      })),
    })),
    gaps: facts.gaps,
    leftovers: facts.leftovers,
    summary: summarise(facts.checks, requirements, verdict, differing),
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
  differing: readonly GapResult[],
): Report['summary'] {
  const counts = Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, checks.filter((check) => check.outcome === outcome).length]),
  ) as Record<Outcome, number>;
  const of = (...outcomes: string[]): number => requirements.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const judged = of('pass', 'violation');
  const all = requirements.length - of('excluded');
  const texts: Record<Verdict, string> = {
    conforms: `${judged} of ${all} requirements were seen to hold.${all > judged ? ` ${all - judged} stayed untested and were waived.` : ''}`,
    violates: `${of('violation')} of ${all} requirements are violated.`,
    inconclusive: `No violation was seen, but ${of('untested', 'blocked', 'error')} of ${all} requirements could not be tested.`,
    unreachable: 'Nothing could be judged: set-up failed.',
  };
  const ids = differing.map(({ id }) => id).join(', ');
  const strictly =
    differing.length > 0
      ? ` ${differing.length} answers differ from the profile, which --strict does not allow: ${ids}.`
      : '';
  return { checks: checks.length, ...counts, text: texts[verdict] + strictly };
}

function cut(body: string): string {
  return body.length > MAX_BODY ? `${body.slice(0, MAX_BODY)}… (${body.length - MAX_BODY} more characters)` : body;
}
