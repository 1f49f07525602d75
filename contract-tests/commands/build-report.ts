import { type CheckResult, type Exchange, OUTCOMES, type Report, type RequestCounts, type Verdict } from '../model.ts';
import { agree, count, cut, idsOf, listed, repeatedIn } from '../report/text.ts';
import { EXIT_CODES, judge, judgeRequirements, openRequirements } from '../report/verdict.ts';
import type { SuiteResult } from '../run/run.ts';
import { Secrets } from '../secrets/secrets.ts';
import { NO_ANSWERS } from '../session/gap-answers.ts';
import type { Target } from '../session/target-file.ts';
import { isObservable, loadScore, packageVersion } from '../spec-data.ts';
import { withoutUserInfo } from '../values/url.ts';
import type { RunInput } from './run-input.ts';

interface Ran extends RunInput {
  target: Target;
  startedAt: Date;
  found?: Partial<SuiteResult>;
  unreachable?: string;
  remark?: string;
}

/** What --strict does not allow, and the verdict that it leads to. */
const STRICT = [
  ['differs', 'other than those of the profile', 'violates'],
  ['undetermined', 'of the profile not observed', 'inconclusive'],
] as const;

/** Makes the report of a run: judged, cut to size, and without any secret. */
export function buildReport(ran: Ran): Report {
  const { found = {}, target, startedAt, unreachable, given = NO_ANSWERS, baseline, waived, strict } = ran;
  const { gaps = [], leftovers = [], requests, model } = found;
  const { maxTrouble = Number.POSITIVE_INFINITY, remark = '' } = ran;
  const checks = (found.checks ?? []).map((check): CheckResult => {
    const known = check.outcome === 'violation' ? baseline.findings.get(check.id) : undefined;
    return known === undefined ? check : { ...check, known, message: `Known (${known}). ${check.message}` };
  });
  const requirements = judgeRequirements(ran.requirements, checks);
  const verdicts: Verdict[] = [unreachable === undefined ? judge(checks, requirements, waived) : 'unreachable'];
  const said: string[] = [];
  const say = (text: string, verdict: Verdict = 'conforms'): void => {
    said.push(text);
    verdicts.push(verdict);
  };
  const known = checks.filter((check) => check.known !== undefined).length;
  if (known > 0) say(`${count(known, 'known violation')} of the baseline ${agree(known, 'does', 'do')} not count.`);
  const stale = idsOf(checks.filter(({ id, outcome }) => outcome === 'pass' && baseline.findings.has(id)));
  const staleText = `The baseline says that ${stale.join(', ')} ${agree(stale.length, 'is violated, and it passes', 'are violated, and they pass')}. Remove ${agree(stale.length, 'it', 'them')} from the baseline.`;
  if (stale.length > 0) say(staleText, 'violates');
  for (const text of baseline.expired) say(text);
  for (const [outcome, what, verdict] of STRICT) {
    const isGiven = (id: string): boolean => outcome === 'differs' || (id in given.answers && isObservable(id));
    const own = gaps.filter((gap) => strict && gap.outcome === outcome && isGiven(gap.id));
    const text = `${count(own.length, 'answer')} ${what}, which --strict does not allow: ${idsOf(own).join(', ')}.`;
    if (own.length > 0) say(text, verdict);
  }
  if (repeatedIn(requests) > 0) say(troubleText(requests));
  if (repeatedIn(requests) > maxTrouble) say(`--max-trouble allows ${maxTrouble}.`, 'inconclusive');
  if (remark !== '') say(remark);
  const worst = (['unreachable', 'violates', 'inconclusive'] as const).find((each) => verdicts.includes(each));
  const verdict = worst ?? 'conforms';
  const counts = OUTCOMES.map((outcome) => [outcome, checks.filter((check) => check.outcome === outcome).length]);
  const text = [verdictText(verdict, requirements, checks, waived), ...said].filter(Boolean).join(' ');
  return (found.secrets ?? new Secrets(target)).scrubJson({
    schemaVersion: 1,
    tool: { name: 'platform-mock', version: packageVersion },
    target: { baseUrl: withoutUserInfo(target.baseUrl) },
    profile: given.name,
    verdict,
    exitCode: EXIT_CODES[verdict],
    startedAt: startedAt.toISOString(),
    durationMs: Math.max(0, Date.now() - startedAt.getTime()),
    requirements,
    checks: checks.map(cutCheck),
    ...{ gaps, score: loadScore(), leftovers, requests, model },
    ...(stale.length > 0 && { staleBaseline: stale }),
    summary: { checks: checks.length, ...Object.fromEntries(counts), text: unreachable ?? text },
  });
}

/** What requests met on their way, after which they were sent again. */
function troubleText({ total = 0, trouble = {}, slowedTo }: Partial<RequestCounts> = {}): string {
  const times = repeatedIn({ trouble });
  const met = Object.keys(trouble).map((what) => (what === 'none' ? 'missing' : what));
  const slowed = ` Requests were sent further apart until that ended: set limits.requestsPerSecond: ${Math.floor(slowedTo ?? 0)} in the target file.`;
  return `${times} of ${count(total, 'answer')} ${agree(times, 'was', 'were')} ${met.join(' or ')} and ${agree(times, 'was', 'were')} repeated.${slowedTo ? slowed : ''}`;
}

/** Requirements that a verdict names. */
const MAX_NAMED = 8;

/** What the verdict says of the requirements; empty where something else decided it. */
function verdictText(
  verdict: Verdict,
  requirements: Report['requirements'],
  checks: readonly CheckResult[],
  waived: ReadonlySet<string>,
): string {
  const of = (...outcomes: string[]) => requirements.filter(({ outcome }) => outcomes.includes(outcome));
  const all = count(requirements.length - of('excluded').length, 'requirement');
  const [passed, violated, open] = [of('pass'), of('violation').length, of('untested', 'blocked', 'error')];
  /** The reason of all of them, where they have one in common. */
  const shared = (reasons: readonly (string | undefined)[]) => (new Set(reasons).size === 1 ? reasons[0] : undefined);
  if (verdict === 'unreachable')
    return `Nothing could be judged: ${shared(checks.map(({ message }) => message)) ?? 'set-up failed.'}`;
  if (verdict === 'violates')
    return violated > 0 ? `${violated} of ${all} ${agree(violated, 'is', 'are')} violated.` : '';
  if (verdict === 'inconclusive') {
    const gating = openRequirements(requirements, waived);
    const named = gating.length > 0 ? gating : open;
    const reason = shared(named.map((each) => each.reason));
    const why = reason === undefined ? '' : `: ${reason}`;
    const gate = gating.length > 0 ? ` that ${agree(gating.length, 'gates', 'gate')}` : '';
    const what = `${count(named.length, 'requirement')}${gate} could not be tested (${listed(idsOf(named), MAX_NAMED)})`;
    return named.length > 0 ? `No violation was seen, but ${what}${why}.` : '';
  }
  const remarked = passed.filter(({ reason }) => reason !== undefined).length;
  const remarks = remarked > 0 ? `, ${remarked} of them with a remark` : '';
  const untested = ` ${open.length} stayed untested, which does not gate: ${listed(idsOf(open), MAX_NAMED, ', ')}.`;
  return `${passed.length} of ${all} verified${remarks}.${open.length > 0 ? untested : ''}`;
}

/** A value as it is, or the beginning of its JSON: a target may send without measure. */
function cutValue<T>(value: T): T | string {
  const json = JSON.stringify(value) ?? '';
  return json.length > 100_000 ? cut(json, 100_000) : value;
}

const cutCheck = ({ exchanges, message, expected, actual, ...check }: CheckResult): Report['checks'][number] => ({
  ...check,
  message: cutValue(message),
  expected: cutValue(expected),
  actual: cutValue(actual),
  exchanges: exchanges.map(({ response, ...exchange }) => ({
    ...exchange,
    response: response && { ...response, body: cut(response.body, 4_000) },
    curl: toCurl(exchange),
  })),
});

const quote = (word: string) => (/^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** The curl line that sends a request again. Secrets in it are marks by the time a report shows it. */
function toCurl({ request: { method, url, headers, body }, followed }: Exchange): string {
  const words = ['curl', followed ? '-iL' : '-i', ...(method === 'GET' ? [] : ['-X', method])];
  for (const [name, value] of Object.entries(headers)) words.push('-H', quote(`${name}: ${value}`));
  if (body !== undefined) words.push('--data-raw', quote(body));
  return [...words, quote(url)].join(' ');
}
