import {
  type CheckResult,
  type Exchange,
  type Finding,
  type Gate,
  OUTCOMES,
  type Outcome,
  type Report,
  type RequestCounts,
} from '../model.ts';
import { agree, count, cut, idsOf, listed, quote, repeatedIn } from '../report/text.ts';
import { EXIT_CODES, gatesOf, inOrder, judgeRequirements, verdictOf, verifiedText } from '../report/verdict.ts';
import type { SuiteResult } from '../run/run.ts';
import { Secrets } from '../secrets/secrets.ts';
import { NO_ANSWERS } from '../session/gap-answers.ts';
import type { Target } from '../session/target-file.ts';
import { isObservable, loadScore, packageVersion } from '../spec-data.ts';
import { asNamed } from '../values/header-names.ts';
import { hasMember } from '../values/json.ts';
import { NEEDS_WRITES } from '../wire/write-guard.ts';
import { checkOf } from './baseline.ts';
import type { RunInput } from './run-input.ts';
import { textsIn, withoutBodies, withoutValuesOf } from './without-bodies.ts';

interface Ran extends RunInput {
  target: Target;
  startedAt: Date;
  found?: Partial<SuiteResult>;
  unreachable?: string;
  remark?: string;
  /** Why nothing may be written at the target. */
  noWrites?: string;
  /** The file of the run itself, if that was written. */
  recording?: string | undefined;
}

/** Ids that a remark names, and requests that got no answer. */
const MAX_NAMED = 8;
const MAX_SILENT = 3;

/** What --strict does not allow, and what that causes. */
const STRICT = [
  ['differs', 'other than those of the profile', 'strict-differs'],
  ['undetermined', 'of the profile not observed', 'strict-unobserved'],
] as const;

/** Makes the report of a run: judged, cut to size, and without any secret. */
export function buildReport(ran: Ran): Report {
  const { found = {}, target, startedAt, unreachable, given = NO_ANSWERS, baseline, waivers, strict, skipped } = ran;
  const { gaps = [], leftovers = [], refused = [], unanswered = [], requests, model } = found;
  const { maxTrouble = Number.POSITIVE_INFINITY, remark = '' } = ran;
  const checks = (found.checks ?? []).map((check) => waiveKnown(check, baseline.findings));
  const requirements = judgeRequirements(ran.requirements, checks, waivers);
  const gates: Gate[] =
    unreachable === undefined ? gatesOf(checks, requirements) : [{ cause: 'unreachable', text: unreachable }];
  const remarks: string[] = gates.length > 0 ? [] : [verifiedText(requirements)];
  const findings = checks.flatMap(findingsIn);
  const known = findings.filter((each) => each.known !== undefined).length;
  if (known > 0)
    remarks.push(`${count(known, 'known violation')} of the baseline ${agree(known, 'does', 'do')} not count.`);
  const isSeen = (entry: string) => findings.some(({ id, fingerprint }) => entry === id || entry === fingerprint);
  const judged = new Set(idsOf(checks.filter(({ outcome }) => outcome === 'pass' || outcome === 'violation')));
  const passed = new Set(idsOf(checks.filter(({ outcome }) => outcome === 'pass')));
  // A recording, or a smaller run, need not show each finding of a check that is violated.
  const isCut = found.interrupted !== undefined || checks.some(({ outcome }) => outcome === 'error');
  const isWhole = requests !== undefined && !isCut && !ran.quick && ran.requests === undefined;
  const isStale = (entry: string) => !isCut && (isWhole ? judged : passed).has(checkOf(entry)) && !isSeen(entry);
  const stale = [...baseline.findings.keys()].filter(isStale);
  for (const id of judged) if (baseline.findings.has(id) && isSeen(id)) remarks.push(wholeCheckText(id, findings));
  const staleText = `The baseline says that ${stale.join(', ')} ${agree(stale.length, 'is violated, and it passes', 'are violated, and they pass')}. Remove ${agree(stale.length, 'it', 'them')} from the baseline.`;
  if (stale.length > 0) gates.push({ cause: 'stale-baseline', text: staleText });
  remarks.push(...baseline.expired);
  if (skipped.length > 0)
    remarks.push(`--skip left out ${count(skipped.length, 'check')}: ${listed(skipped, MAX_NAMED, ', ')}.`);
  for (const [outcome, what, cause] of STRICT) {
    // A gap that a profile does not name may be newer than the profile. The default profile names all.
    const isGiven = (id: string): boolean =>
      hasMember(given.answers, id)
        ? outcome === 'differs' || isObservable(id)
        : outcome === 'differs' && given === NO_ANSWERS;
    const own = gaps.filter((gap) => strict && gap.outcome === outcome && isGiven(gap.id));
    const text = `${count(own.length, 'answer')} ${what}, which --strict does not allow: ${idsOf(own).join(', ')}.`;
    if (own.length > 0) gates.push({ cause, text });
  }
  // What a gateway refuses says nothing of credentials.
  const isJudged = !gates.some(({ cause }) => cause === 'unreachable');
  if (refused.length > 0 && isJudged) gates.push({ cause: 'credentials', text: refused.join(' ') });
  if (unanswered.length > 0 && isJudged)
    gates.push({
      cause: 'unanswered',
      text: `${count(unanswered.length, 'request')} that must succeed got no answer: ${listed([...new Set(unanswered)], MAX_SILENT, '; ')}.`,
    });
  const trouble = repeatedIn(requests) > 0 ? troubleText(requests) : '';
  if (repeatedIn(requests) > maxTrouble)
    gates.push({ cause: 'trouble', text: `${trouble} --max-trouble allows ${maxTrouble}.` });
  else remarks.push(trouble);
  if (requests?.replaced) remarks.push(replacedText(requests.replaced));
  if (found.interrupted !== undefined)
    gates.push({
      cause: 'interrupted',
      text: `${found.interrupted} ended the run after ${count(requests?.total ?? 0, 'request')}.`,
    });
  remarks.push(remark);
  const ordered = inOrder(gates);
  const verdict = verdictOf(ordered);
  // The last sentence, which says what to do.
  const needsWrites = checks.some(({ outcome, message }) => outcome === 'untested' && message === NEEDS_WRITES);
  if (ran.noWrites !== undefined && needsWrites && verdict === 'inconclusive')
    remarks.push(`Nothing was written at the target: ${ran.noWrites}.`);
  const text = [...ordered.map((gate) => gate.text), ...remarks].filter(Boolean).join(' ');
  const secrets = found.secrets ?? new Secrets(target);
  const report = {
    schemaVersion: 1 as const,
    tool: { name: 'platform-mock', version: packageVersion },
    target: { baseUrl: target.baseUrl },
    profile: given.name,
    verdict,
    exitCode: EXIT_CODES[verdict],
    gates: ordered,
    startedAt: startedAt.toISOString(),
    durationMs: Math.max(0, Date.now() - startedAt.getTime()),
    requirements,
    ...{ gaps, score: loadScore(), leftovers, requests, model },
    ...(skipped.length > 0 && { skipped }),
    ...(ran.recording !== undefined && { recording: ran.recording, replayOptions: replayOptions(ran) }),
    ...(stale.length > 0 && { staleBaseline: stale }),
    summary: { checks: checks.length, ...countsOf(checks), text },
  };
  return withChecks(report, checks, secrets, ran.withoutBodies);
}

/** The options by which `replay` sends at the target of these. */
export const replayOptions = ({ targetFile, baseUrl, profile, allowWrites }: RunInput): string[] => [
  ...Object.entries({ '--target': targetFile, '--base-url': baseUrl, '--profile': profile }).flatMap(([name, value]) =>
    value === undefined ? [] : [name, value],
  ),
  ...(allowWrites ? ['--allow-writes'] : []),
];

/** How many checks have each outcome; `differs` only where one does. */
export function countsOf(checks: readonly CheckResult[]) {
  const of = (outcome: Outcome): number => checks.filter((check) => check.outcome === outcome).length;
  const counts = OUTCOMES.filter((outcome) => outcome !== 'differs' || of(outcome) > 0);
  return Object.fromEntries(counts.map((outcome) => [outcome, of(outcome)])) as Record<Outcome, number>;
}

/** A report with its checks, cut to size; nothing in it is a secret. */
export function withChecks(
  given: Omit<Report, 'checks'>,
  checks: readonly CheckResult[],
  secrets: Secrets,
  isBare = false,
): Report {
  // Each has been read before any is shown.
  const seen = checks.flatMap((check) => [check, ...(check.also ?? [])]).flatMap(({ exchanges }) => exchanges);
  for (const exchange of seen) secrets.learnFrom(exchange);
  if (isBare) secrets.add(seen.flatMap(textsIn));
  const bare = isBare ? withoutValuesOf(seen, (each) => secrets.scrub(each)) : undefined;
  const report = secrets.scrubJson<Report>({
    ...given,
    checks: checks.map((check) => cutCheck(bare ? bare(check) : check)),
  });
  const shown = (exchanges: readonly Exchange[] = []) =>
    exchanges.map((exchange) => shownExchange(secrets.scrubExchange(isBare ? withoutBodies(exchange) : exchange)));
  for (const [at, check] of report.checks.entries()) {
    check.exchanges = shown(checks[at]?.exchanges);
    for (const [nth, each] of (check.also ?? []).entries()) each.exchanges = shown(checks[at]?.also?.[nth]?.exchanges);
  }
  return report;
}

/** Tokens that another sign-in of their user may have ended, which is a gap. */
const replacedText = (times: number): string =>
  `${count(times, 'use')} of a token ${agree(times, 'was', 'were')} refused after its user had signed in again, exchanged a refresh token or made a PAT (gap concurrent-sessions).`;

/** The findings of a check, each with the id of the check; none where it is no violation. */
const findingsIn = ({ id, outcome, fingerprint, known, also = [] }: CheckResult) =>
  outcome === 'violation' ? [{ fingerprint, known }, ...also].map((each) => ({ id, ...each })) : [];

/** The check with what the baseline says of each of its findings; one that it does not know comes first. */
export function waiveKnown(check: CheckResult, baseline: ReadonlyMap<string, string>): CheckResult {
  if (check.outcome !== 'violation') return check;
  const { fingerprint = check.id, message, expected, actual, exchanges, dependsOn, also = [] } = check;
  const all = [{ fingerprint, message, expected, actual, exchanges, dependsOn }, ...also].map((each): Finding => {
    const known = baseline.get(each.fingerprint) ?? baseline.get(check.id);
    return known === undefined ? each : { ...each, known, message: `Known (${known}). ${each.message}` };
  });
  const main = all.find(({ known }) => known === undefined) ?? all[0];
  const others = all.filter((each) => each !== main);
  return { ...check, dependsOn: undefined, ...main, ...(others.length > 0 && { also: others }) };
}

/** What to write instead of an entry that waives whatever a check finds. */
function wholeCheckText(check: string, findings: readonly { id: string; fingerprint?: string }[]): string {
  const own = findings.filter(({ id }) => id === check).map(({ fingerprint }) => `{ finding: ${fingerprint} }`);
  return `The baseline entry { check: ${check} } waives whatever that check finds, new findings too: write ${own.join(', ')}, each with a reason.`;
}

/** What requests met on their way, after which they were sent again. */
function troubleText({ total = 0, trouble = {}, slowedTo }: Partial<RequestCounts> = {}): string {
  const times = repeatedIn({ trouble });
  const met = Object.keys(trouble).map((what) => (what === 'none' ? 'missing' : what));
  const slowed = ` Requests were sent further apart until that ended: set limits.requestsPerSecond: ${Math.floor(slowedTo ?? 0)} in the target file.`;
  return `${times} of ${count(total, 'answer')} ${agree(times, 'was', 'were')} ${met.join(' or ')} and ${agree(times, 'was', 'were')} repeated.${slowedTo ? slowed : ''}`;
}

/** A value as it is, or the beginning of its JSON: a target may send without measure. */
function cutValue<T>(value: T): T | string {
  const json = JSON.stringify(value) ?? '';
  return json.length > 100_000 ? cut(json, 100_000) : value;
}

/** A check without its exchanges, and those of its other findings. */
const cutCheck = ({ also, ...check }: CheckResult): Report['checks'][number] => ({
  ...cutFinding(check),
  ...(also && { also: also.map(cutFinding) }),
});

const cutFinding = <T extends Omit<Finding, 'fingerprint'>>({ exchanges, message, expected, actual, ...rest }: T) => ({
  ...rest,
  message: cutValue(message),
  expected: cutValue(expected),
  actual: cutValue(actual),
  exchanges: [],
});

/** An exchange without secrets, cut, with the curl line that sends it again. */
const shownExchange = ({ response, ...exchange }: Exchange) => ({
  ...exchange,
  response: response && { ...response, body: cut(response.body, 4_000) },
  curl: toCurl(exchange),
});

/** The curl line that sends a request again; marks replace the secrets in it. */
function toCurl({ request: { method, url, headers, body }, followed }: Exchange): string {
  const words = ['curl', followed ? '-iL' : '-i', ...(method === 'GET' ? [] : ['-X', method])];
  // Else curl sends one.
  if (headers.Accept === undefined) words.push('-H', 'Accept:');
  for (const [name, value] of Object.entries(asNamed(headers))) words.push('-H', quote(`${name}: ${value}`));
  if (body !== undefined) words.push('--data-raw', quote(body));
  return [...words, quote(url)].join(' ');
}
