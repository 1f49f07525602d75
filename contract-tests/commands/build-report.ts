import {
  type CheckResult,
  type Exchange,
  type GapResult,
  OUTCOMES,
  type Report,
  type RequestCounts,
  type RequirementResult,
  type Verdict,
} from '../model.ts';
import { agree, count, cut, repeatedIn } from '../report/text.ts';
import { EXIT_CODES, judge, judgeRequirements, openRequirements } from '../report/verdict.ts';
import type { NamedSecret } from '../secrets/known.ts';
import { Secrets } from '../secrets/secrets.ts';
import { type GivenAnswers, NO_ANSWERS } from '../session/gap-answers.ts';
import type { Target } from '../session/target-file.ts';
import { isObservable, loadRequirements, loadScore, packageVersion } from '../spec-data.ts';
import { mapJson } from '../values/json.ts';
import { withoutUserInfo } from '../values/url.ts';
import { markKnown, NO_BASELINE } from './baseline.ts';
import type { RunInput } from './run-input.ts';

/** What a run found; without checks where the target did not answer at all. */
interface RunFacts extends Partial<Pick<Report, 'gaps' | 'leftovers' | 'requests' | 'model'>> {
  input: RunInput;
  target: Target;
  /** The profile; by default the one that the input names. */
  given?: GivenAnswers;
  startedAt: Date;
  checks?: CheckResult[];
  /** The credentials that the answers showed. */
  secrets?: NamedSecret[];
  /** Why the target could not be reached. */
  unreachable?: string;
  /** What the summary adds at its end. */
  remark?: string;
}

/** Makes the report of a run: judged, cut to size, and without any secret. */
export function buildReport(facts: RunFacts): Report {
  const { gaps = [], leftovers = [], requests, model, unreachable, input, target, startedAt, remark = '' } = facts;
  const { ownRequirements, scope, baseline = NO_BASELINE, waiver, strict, maxTrouble = Infinity } = input;
  const { name, answers } = facts.given ?? input.given ?? NO_ANSWERS;
  const inScope = [...loadRequirements(), ...ownRequirements].filter(({ id }) => scope?.has(id) ?? true);
  const checks = markKnown(facts.checks ?? [], baseline);
  const requirements = judgeRequirements(inScope, checks);
  const judged = judge(checks, requirements, waiver);
  const staleBaseline = idsOf(
    checks,
    ({ id, outcome }) => outcome === 'pass' && baseline.findings.get(id)?.isExpired === false,
  );
  const known = idsOf(checks, (check) => check.known !== undefined).length;
  const differing = strict ? idsOf(gaps, ({ outcome }) => outcome === 'differs') : [];
  const isUnseen = ({ id, outcome }: GapResult): boolean =>
    outcome === 'undetermined' && id in answers && isObservable(id);
  const unseen = strict ? idsOf(gaps, isUnseen) : [];
  const repeated = repeatedIn(requests);
  // What the summary says besides the requirements, where it applies, and the verdict that it leads to.
  const causes: readonly (readonly [applies: boolean, text: string, verdict?: Verdict])[] = [
    [known > 0, `${count(known, 'known violation')} of the baseline ${agree(known, 'does', 'do')} not count.`],
    [
      staleBaseline.length > 0,
      `The baseline says that these are violated, and they pass: ${staleBaseline.join(', ')}. Remove them from it.`,
      'violates',
    ],
    ...openRequirements(requirements, waiver).map(({ id }) => {
      const { isExpired = false, until } = baseline.waivers.get(id) ?? {};
      return [isExpired, `The waiver of ${id} expired after ${until}.`] as const;
    }),
    [
      differing.length > 0,
      `${count(differing.length, 'answer')} ${agree(differing.length, 'differs', 'differ')} from the profile, which --strict does not allow: ${differing.join(', ')}.`,
      'violates',
    ],
    [
      unseen.length > 0,
      `The profile answers ${count(unseen.length, 'gap')} that the run could not observe, which --strict does not allow: ${unseen.join(', ')}.`,
      'inconclusive',
    ],
    [repeated > 0, troubleText(requests)],
    [repeated > maxTrouble, `--max-trouble allows ${maxTrouble}.`, 'inconclusive'],
    [remark !== '', remark],
  ];
  const applying = causes.filter(([applies]) => applies);
  const led = applying.map(([, , verdict]) => verdict);
  let verdict = unreachable === undefined ? judged : 'unreachable';
  if (verdict !== 'unreachable' && led.includes('violates')) verdict = 'violates';
  if (verdict === 'conforms' && led.includes('inconclusive')) verdict = 'inconclusive';
  const text = [verdictText(checks, requirements, verdict), ...applying.map(([, each]) => each)]
    .filter(Boolean)
    .join(' ');
  const counts = OUTCOMES.map((outcome) => [outcome, idsOf(checks, (check) => check.outcome === outcome).length]);
  const secrets = new Secrets(target);
  secrets.add(facts.secrets ?? []);
  return secrets.scrubJson({
    schemaVersion: 1,
    tool: { name: 'platform-mock', version: packageVersion },
    target: { baseUrl: withoutUserInfo(target.baseUrl) },
    profile: name,
    verdict,
    exitCode: EXIT_CODES[verdict],
    startedAt: startedAt.toISOString(),
    durationMs: Math.max(0, Date.now() - startedAt.getTime()),
    requirements,
    checks: checks.map(cutCheck),
    ...{ gaps, score: loadScore(), leftovers, requests, model },
    ...(staleBaseline.length > 0 ? { staleBaseline } : {}),
    summary: { checks: checks.length, ...Object.fromEntries(counts), text: unreachable ?? text },
  });
}

const idsOf = <T extends { id: string }>(items: readonly T[], isMeant: (item: T) => boolean): string[] =>
  items.filter(isMeant).map(({ id }) => id);

/** What requests met on their way, after which they were sent again. */
function troubleText(
  { total, trouble = {}, slowedTo }: RequestCounts = { total: 0, writes: 0, byOperation: {} },
): string {
  const met = Object.entries(trouble).map(([what, number], at) => {
    const answers = at === 0 ? `of ${total} answers ` : '';
    return `${number} ${answers}${agree(number, 'was', 'were')} ${what === 'none' ? 'missing' : what}`;
  });
  const slowed = slowedTo
    ? ` Requests were sent further apart until that ended: set limits.requestsPerSecond: ${Math.floor(slowedTo)} in the target file.`
    : '';
  return `${met.join(', ')} and ${agree(repeatedIn({ trouble }), 'was', 'were')} repeated.${slowed}`;
}

/** What the verdict says of the requirements; empty where something else decided it. */
function verdictText(
  checks: readonly CheckResult[],
  requirements: readonly RequirementResult[],
  verdict: Verdict,
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
    const reason = shared(open.map((each) => each.reason));
    const why = reason === undefined ? '' : `: ${reason}`;
    return open.length > 0 ? `No violation was seen, but ${open.length} of ${all} could not be tested${why}.` : '';
  }
  const remarked = passed.filter(({ reason }) => reason !== undefined).length;
  const remarks = remarked > 0 ? `, ${remarked} of them with a remark` : '';
  const untested = ` ${open.length} stayed untested, which does not gate: ${open.map(({ id }) => id).join(', ')}.`;
  return `${passed.length} of ${all} verified${remarks}.${open.length > 0 ? untested : ''}`;
}

/** Longer texts of an exchange are cut in reports, with a note. */
const MAX_BODY = 4_000;
/** A longer text is cut, and a longer value only said to be long. */
const MAX_VALUE = 100_000;

/** A check as a report shows it: what a target sends without measure is cut before anything else is done with it. */
function cutCheck({ exchanges, expected, actual, ...check }: CheckResult): Report['checks'][number] {
  const text = (part: string): string => cut(part, MAX_VALUE);
  const cutTexts = <T>(part: T): T => mapJson(part, (leaf) => (typeof leaf === 'string' ? text(leaf) : leaf), text);
  const value = (given: unknown): unknown => {
    const { length } = typeof given === 'string' ? '' : (JSON.stringify(given) ?? '');
    return length > MAX_VALUE ? `(${length} characters of JSON, too long for a report)` : cutTexts(given);
  };
  return {
    ...cutTexts(check),
    ...(expected === undefined ? {} : { expected: value(expected) }),
    ...(actual === undefined ? {} : { actual: value(actual) }),
    exchanges: exchanges.map((exchange) => {
      const { response, ...rest } = cutTexts(exchange);
      const cutResponse = response && { ...response, body: cut(response.body, MAX_BODY) };
      return { ...rest, response: cutResponse, curl: toCurl(rest) };
    }),
  };
}

/** Quotes a word for a POSIX shell. */
const quote = (word: string): string =>
  /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** The curl line that sends a request again. Secrets in it are marks by the time a report shows it. */
function toCurl({ request: { method, url, headers, body }, followed }: Exchange): string {
  const words = ['curl', followed ? '-iL' : '-i', ...(method === 'GET' ? [] : ['-X', method])];
  for (const [name, value] of Object.entries(headers)) words.push('-H', quote(`${name}: ${value}`));
  if (body !== undefined) words.push('--data-raw', quote(body));
  return [...words, quote(url)].join(' ');
}
