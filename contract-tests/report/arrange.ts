import { type Dependence, type Gate, OUTCOMES, type Outcome, type Report, type Verdict } from '../model.ts';
import { groupBy } from '../values/group.ts';
import { relativeTo } from '../values/url.ts';
import { count, quote, scoreText, sentIn, showBody, showDuration, showTime, showValue, whereOf } from './text.ts';
import { openRequirements, verifiedOf } from './verdict.ts';

export type ReportedCheck = Report['checks'][number];
export type ReportedExchange = ReportedCheck['exchanges'][number];
export type Finding = Arranged['findings'][number];
export type Arranged = ReturnType<typeof arrange>;
export type ArrangedCheck = ReturnType<typeof arrangeCheck>;
type ArrangedExchange = ReturnType<typeof arrangeExchange>;

/** A verdict as a word and a sign. */
const VERDICTS: Record<Verdict, { word: string; sign: string }> = {
  conforms: { word: 'Conforms', sign: '✅' },
  violates: { word: 'Violates', sign: '❌' },
  inconclusive: { word: 'Inconclusive', sign: '⚠️' },
  unreachable: { word: 'Unreachable', sign: '⛔' },
};

/** What decided a verdict, for a reader who did not run `verify`. */
const DECIDED: Record<Gate['cause'], string> = {
  violation: 'the target breaks what is documented',
  'stale-baseline': 'the baseline lists a violation that is none any more',
  'strict-differs': 'an answer to a gap differs from the profile',
  unreachable: 'nothing answered or was set up, so nothing was judged',
  untested: 'no violation, but some requirements were not tested',
  credentials: 'no violation, but credentials of the target file were refused',
  'strict-unobserved': 'no violation, but an answer to a gap was not observed',
  unanswered: 'no violation, but requests that must succeed got no answer',
  trouble: 'no violation, but too many requests had to be repeated',
  interrupted: 'no violation, but the run was interrupted',
};

const MEANINGS = {
  violation: 'broken by the target',
  error: 'set-up or transport failed, so it could not be judged',
  blocked: 'what it builds on failed, which is reported by itself',
  untested: 'could not be tested; the reason says what would enable it',
  differs: 'answered otherwise where the document leaves it open',
  pass: 'verified',
  excluded: 'no check is possible; the reason is given',
};

/** The check that a blocked check's message names as its cause: `… (see keys-array)`. */
const causeOf = ({ message }: ReportedCheck): string => / ?\(see ([^()\s]+)\)$/.exec(message)?.[1] ?? '';

const outcomesIn = ({ differs = 0 }: Report['summary']) =>
  ([...OUTCOMES, 'excluded'] as const).filter((outcome) => outcome !== 'differs' || differs > 0);

/** What became of the interactions of a replay, in its own words. */
const REPLAYED = [
  { outcome: 'pass', word: 'alike', meaning: 'answered as in the recording' },
  { outcome: 'differs', word: 'otherwise', meaning: MEANINGS.differs },
  { outcome: 'violation', word: 'violating', meaning: 'answered otherwise than documented, or with --strict at a gap' },
  { outcome: 'untested', word: 'not sent', meaning: 'the reason is given' },
] as const;

/** Of a replay: its interactions by outcome. The rules that it violates have requirements, and do not count. */
const replayedCounts = (checks: Report['checks']) =>
  REPLAYED.map((each) => {
    const own = checks.filter(({ outcome, requirements }) => outcome === each.outcome && requirements.length === 0);
    return { ...each, checks: String(own.length), requirements: 0 };
  }).filter((each) => each.checks !== '0');

const FINDING_WORDS = { shown: 'Shows again', gone: 'Does not show', undecided: 'Undecided' };

/** What the exit code means; what gates a replay is in its summary. */
function meaningOf({ gates: [strongest], replay, finding }: Report): string {
  if (finding || (replay && strongest)) return '';
  if (replay) return 'nothing gates; differences at gaps do not, without --strict';
  return strongest ? DECIDED[strongest.cause] : 'no violation, and nothing untested that was not waived';
}

export function arrange(report: Report) {
  const { requirements, summary, gaps, target, tool, score, replay, finding } = report;
  const checks = report.checks.map((check) => arrangeCheck(report, check));
  const of = (outcome: Outcome) => checks.filter((check) => check.outcome === outcome);
  const blocked = of('blocked');
  const blockedBy = (ids: readonly string[]): ArrangedCheck[] => {
    const direct = blocked.filter((check) => ids.includes(causeOf(check)));
    return direct.length === 0 ? [] : [...direct, ...blockedBy(direct.map(({ id }) => id))];
  };
  /** Some checks by their message, so that one missing field is one line; the largest group first. */
  const reasonsOf = (some: readonly ArrangedCheck[]) =>
    [...groupBy(some, ({ message }) => message)]
      .map(([message, own]) => ({
        message: message || 'no reason was given',
        checks: own,
        ids: idsShownFor(own),
        cause: checks.find(({ id }) => own[0] && id === causeOf(own[0])),
      }))
      .sort((a, b) => b.checks.length - a.checks.length);
  /** The requirements of checks; an interaction has none, and goes by its own id. */
  function idsShownFor(own: readonly ArrangedCheck[]): string[] {
    const ids = requirements.map(({ id }) => id).filter((id) => own.some((check) => check.requirements.includes(id)));
    return ids.length > 0 ? ids : own.map(({ id }) => id);
  }
  const order = ['differs', 'match', 'undetermined'];
  const kind = finding ? 'finding' : replay ? 'replay' : 'run';
  const isUnlike = report.verdict === 'conforms' && replay !== undefined && replay.alike < replay.sent;
  const { word, sign } = VERDICTS[isUnlike ? 'inconclusive' : report.verdict];
  const headline = finding ? FINDING_WORDS[finding.outcome] : replay && `${replay.alike} of ${replay.sent} alike`;
  // With waivers, `conforms` alone would say more than was seen.
  const isPartly = report.verdict === 'conforms' && requirements.some(({ waived }) => waived !== undefined);
  const scope = isPartly ? ` in ${verifiedOf(requirements)}` : '';
  return {
    ...report,
    ...{ kind, word: headline ?? word + scope, sign, scope, checks },
    tone: isUnlike ? 'differs' : report.verdict,
    noun: kind === 'run' ? 'check' : 'interaction',
    facts: Object.entries({
      Target: target.baseUrl,
      Profile: kind === 'run' ? report.profile : '',
      Tool: `${tool.name} ${tool.version}`,
      Started: showTime(report.startedAt),
      Took: showDuration(report.durationMs),
      Sent: sentIn(report),
      'Exit code': [report.exitCode, meaningOf(report)].filter((part) => part !== '').join(': '),
    }).filter(([, text]) => text !== ''),
    counts: replay
      ? replayedCounts(report.checks)
      : outcomesIn(summary).map((outcome) => ({
          outcome,
          word: outcome,
          meaning: MEANINGS[outcome],
          checks: outcome === 'excluded' ? '–' : String(summary[outcome] ?? 0),
          requirements: requirements.filter((requirement) => requirement.outcome === outcome).length,
        })),
    /** The violations, one finding for what breaks the same requirements; those that block the most come first. */
    findings: [...groupBy(of('violation'), (check) => check.requirements.join(' ') || check.message)]
      .map(([, own]) => {
        const blocks = blockedBy(own.map(({ id }) => id));
        const blocking = blocks.length > 0 && `${count(blocks.length, 'check')} could not run because of it.`;
        return { checks: own, blocks, blocking, statements: own[0]?.statements ?? [] };
      })
      .sort((a, b) => b.blocks.length - a.blocks.length),
    /** What could not be judged, and what a pass does not show, each reason once. */
    open: [
      { id: 'error', title: 'Could not be set up', own: of('error') },
      { id: 'blocked', title: 'Blocked', own: blocked },
      kind === 'run'
        ? { id: 'untested', title: 'Not tested', own: of('untested') }
        : { id: 'untested', title: 'Not sent', word: 'not sent', own: of('untested') },
      { id: 'differs', title: 'Answered otherwise', own: of('differs') },
      { id: 'remark', title: 'Passed, with a remark', own: of('pass').filter(({ message }) => message !== '') },
    ]
      .filter(({ own }) => own.length > 0)
      .map(({ own, ...each }) => ({ word: each.id, ...each, number: own.length, reasons: reasonsOf(own) })),
    /** What differs from the assumption first, then what matches, then what could not be seen. */
    gaps: [...gaps].sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome)),
    differing: gaps.filter(({ outcome }) => outcome === 'differs'),
    score: score && scoreText(score),
  };
}

/** A finding compares two exchanges, seldom three; a longer row of them is in the page, unless it is a sequence. */
const MAX_REPEATED = 3;
const LONGEST_SEQUENCE = 12;

const DEPENDENCES: Record<Dependence, string> = {
  caller: 'who else calls',
  overlap: 'requests that overlap',
  order: 'earlier requests',
  pause: 'a pause between requests',
  count: 'the number of requests',
  parts: 'a body that arrives in two parts',
};

/** A check with its values as text, its requirements, whether it gates, and the exchange that shows why it did not pass. */
export function arrangeCheck(report: Report, check: ReportedCheck, nth = 1) {
  const { expected, actual, outcome, known, also = [], dependsOn = [] } = check;
  const callers = [...new Set(check.exchanges.map(({ caller }) => caller))];
  const exchanges = check.exchanges.map((exchange, at) => ({
    ...arrangeExchange(report, exchange, at + 1),
    /** Who called, by a number of its own for each. */
    callerAt: callers.indexOf(exchange.caller),
  }));
  const commandOf = (at: number): string =>
    [
      ...['platform-mock', 'replay', report.recording ?? '', '--finding', check.id + (at === 1 ? '' : `/${at}`)],
      ...(report.replayOptions ?? []),
      ...(dependsOn.includes('pause') ? ['--pace', '1'] : []),
    ]
      .map(quote)
      .join(' ');
  const isRecorded = report.recording !== undefined && outcome === 'violation';
  const isOpen = openRequirements(report.requirements).some(({ id }) => check.requirements.includes(id));
  const shown = exchanges.find(({ decisive }) => decisive) ?? exchanges.at(-1);
  return {
    ...check,
    exchanges,
    gates: outcome === 'violation' ? known === undefined : outcome !== 'pass' && isOpen,
    /** How its two values are named. */
    names: report.replay && check.requirements.length === 0 ? ['As recorded', 'At the target'] : ['Expected', 'Actual'],
    expected: expected === undefined ? undefined : showValue(expected),
    actual: expected === undefined && actual === undefined ? undefined : showValue(actual),
    statements: report.requirements
      .filter(({ id }) => check.requirements.includes(id))
      .map(({ id, section, statement }) => {
        const where = whereOf(section);
        return { id, statement, where, line: `${id} (${where}): ${statement}` };
      }),
    shown,
    /** Its fingerprint, and the other findings of the check: what a baseline may name. */
    findings: [
      ...(check.fingerprint === undefined ? [] : [`finding: ${check.fingerprint}`]),
      ...also.map((each, at) => {
        const own = isRecorded ? ` (--finding ${check.id}/${at + 2})` : '';
        // A line that is too long is cut at its end.
        return `also:    ${each.fingerprint}${own}: ${each.message}`;
      }),
    ],
    /** The curl lines that repeat it: what overlaps with the last one, or went before it, is part of what it shows. */
    repeat: isSequence(exchanges) ? sequenceOf(exchanges) : latestOf(exchanges, shown?.number),
    isSequence: isSequence(exchanges),
    /** What those lines may not show by themselves. */
    caveat:
      dependsOn.length > 0
        ? `These requests alone may not show it: it depends on ${dependsOn.map((each) => DEPENDENCES[each]).join(' and on ')}.`
        : undefined,
    /** The command that sends what it needs, in order and overlap, as those who called. */
    again: isRecorded ? commandOf(nth) : undefined,
  };
}

const isSequence = (exchanges: readonly ArrangedExchange[]): boolean =>
  exchanges.length <= LONGEST_SEQUENCE && exchanges.some(({ caller, isAtOnce }) => caller !== undefined || isAtOnce);

const latestOf = (exchanges: readonly ArrangedExchange[], end: number | undefined): string[] =>
  exchanges
    .slice(0, end)
    .slice(-MAX_REPEATED)
    .map(({ curl }) => curl);

/** Curl lines with who calls, which a shell runs at once where requests overlap. */
const sequenceOf = (exchanges: readonly ArrangedExchange[]): string[] =>
  exchanges.flatMap(({ number, caller = 'no actor', isAtOnce, curl }, at) => [
    ...(exchanges[at - 1]?.isAtOnce && !isAtOnce ? ['wait'] : []),
    `# ${number} ${caller}${isAtOnce ? `, at once with ${number - 1}` : ''}`,
    exchanges[at + 1]?.isAtOnce ? `${curl} &` : curl,
  ]);

/** The findings of a check, as far as they are several, each arranged like the check itself. */
export const arrangeFindings = (report: Report, { also = [], ...check }: ReportedCheck): ArrangedCheck[] =>
  [check, ...also.map((each) => ({ ...check, ...each }))].map((each, at) => arrangeCheck(report, each, at + 1));

/** Where a request went, what came back in a few words, and the two messages as text. */
function arrangeExchange({ target, replay }: Report, exchange: ReportedExchange, number: number) {
  const { request, response, error, followed, entry } = exchange;
  const { method, url, headers, body } = request;
  const path = relativeTo(target.baseUrl, url);
  const after = followed ? ` after a redirect to ${followed.at(-1)}` : '';
  const answer = response ? `${response.status}${after}` : `no response${error ? `: ${error}` : ''}`;
  return {
    ...exchange,
    ...{ number, method, path, answer },
    /** Of a replay: whose answer it is. */
    from: replay && (entry ? 'recorded' : 'target'),
    messages: () => [
      messageOf('Request', `${method} ${path}`, headers, body),
      response
        ? messageOf('Response', `HTTP ${response.status}`, response.headers, response.body)
        : messageOf('No response', error ?? 'The connection ended.', {}, undefined),
    ],
  };
}

const messageOf = (name: string, first: string, headers: Record<string, string>, body = '') => ({
  name,
  head: [first, ...Object.entries(headers).map(([header, value]) => `${header}: ${value}`)].join('\n'),
  body: showBody(body),
});
