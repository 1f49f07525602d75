import { readFileSync } from 'node:fs';
import { UsageError } from '../../contract-tests/errors.ts';
import { type GapRow, gapRows } from '../cli/gap-rows.ts';
import { checkAnswers, noSuchGap } from '../core/profiles/load.ts';
import { isObject } from '../core/spec/document.ts';
import type { Json } from '../core/spec/gaps.ts';
import { packageVersion } from '../server/files/package-root.ts';
import { loadProfile } from '../server/files/profile-file.ts';
import { type Accepted, withAccepted } from './accept.ts';
import { operationsOf } from './decisions.ts';
import { isOpenBreak, leftOut, otherLearned, otherPath, type RestedGap, type TriedAnswer } from './model.ts';
import { type Choice, operationsAt, type Stop, Survey } from './survey.ts';
import { passedTests, type TestCommand, type TestRun, TestRuns } from './test-runs.ts';

export interface VaryOptions extends TestCommand {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly accepted: readonly Accepted[];
  readonly maxRuns: number;
  readonly jobs: number;
  /** Seconds for all runs together. */
  readonly timeLimit: number | undefined;
  readonly learned?: { readonly baseUrl: string; readonly answers: Readonly<Record<string, unknown>> } | undefined;
  say(line: string): void;
  /** Called with a function that ends the search and keeps what is known. */
  onStart(stop: (why: Stop) => void): void;
}

const shownLines = 30;
/** Limit of one run: so many times the first run, and seconds. */
const slowest = { times: 10, seconds: 60 };

/**
 * Runs an app's tests under the answers in force, and then under other answers to the gaps that decided responses, until it is known
 * which tests depend on which answer.
 * @throws UsageError for tests that fail at first or send nothing, and for options that cannot be used
 */
export async function vary(options: VaryOptions) {
  const startedAt = new Date();
  const { command, mock, jobs, learned } = options;
  const answers = loadProfile(mock.profile);
  const rows = gapRows(answers);
  refuseUnknown('--only', options.only, rows);
  refuseUnknown('--skip', options.skip, rows);
  const runs = new TestRuns(options);
  let stopped: Stop | undefined;
  let survey: Survey | undefined;
  options.onStart((why) => {
    stopped = why;
    if (survey) survey.stop(why);
    else runs.stop();
  });
  const first = await firstRun(runs, options, () => stopped);
  const operations = operationsOf(first.decisions);
  const rested = rows.filter(({ id }) => operations.has(id));
  const known = rows.filter(({ id, from }) => from !== 'default' || id in (learned?.answers ?? {}));
  const isVaried = ({ id }: GapRow): boolean =>
    (options.only.length === 0 || options.only.includes(id)) && !options.skip.includes(id);
  const choices = rested
    .filter(isVaried)
    .flatMap((gap) => otherAnswers(gap, options.only, learned?.answers).map((answer) => ({ gap, answer })));
  const tests = passedTests(first).map(({ id, name }) => ({ id, name }));
  const open = rested.filter(({ id }) => !known.some((one) => one.id === id)).length;
  options.say(`Your tests pass. They rest on ${open} of ${rows.length - known.length} open points.  (1 run)`);
  options.say(`Trying ${choices.length} other answers …${jobs > 1 ? `  ${jobs} runs at a time` : ''}`);
  runs.timeoutMs = first.milliseconds * slowest.times + slowest.seconds * 1000;
  survey = new Survey(runs, first, choices, answers.all, options);
  if (stopped) survey.stop(stopped);
  const { timeLimit } = options;
  const timer = timeLimit === undefined ? undefined : setTimeout(() => survey?.stop('time-limit'), timeLimit * 1000);
  await survey.ask().finally(() => clearTimeout(timer));
  const asked = rested.map((gap) =>
    restedGap(gap, [...(operations.get(gap.id) ?? [])].sort(), survey, choices, learned?.answers),
  );
  const names = new Map(tests.map(({ id, name }) => [id, name]));
  const { gaps, stale } = withAccepted(asked, options.accepted, names);
  const together = survey.together.map(({ test, answers: found }) => ({
    test,
    answers: found.flatMap((each) => choices.slice(each, each + 1)).map(({ gap, answer }) => ({ gap: gap.id, answer })),
  }));
  let exitCode = survey.stoppedBy ? 4 : 0;
  if (together.length > 0 || stale.length > 0 || gaps.some((gap) => gap.answers.some(isOpenBreak))) exitCode = 1;
  return {
    schemaVersion: 1,
    tool: { name: 'platform-mock', version: packageVersion },
    command,
    profile: answers.profile,
    /** Base URL of the deployment that was asked first. */
    target: learned?.baseUrl,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    runs: runs.count,
    exitCode,
    stoppedBy: survey.stoppedBy,
    tests,
    /** Ids of tests whose results changed between equal runs; nothing is said of them. */
    flaky: [...survey.flaky],
    /** Gaps of the whole ledger, and those that a profile or a target answers. */
    ledger: { gaps: rows.length, known: known.map(({ id }) => id) },
    /** Those that decided responses. */
    gaps,
    /** Answers that break a test only together. */
    together,
    /** Entries of the file of accepted answers that accept nothing any more. */
    stale,
  };
}

/** What `vary` found: vary.json (spec/schemas/vary.schema.json). */
export type VaryReport = Awaited<ReturnType<typeof vary>>;

/**
 * The answers to try: the one that a deployment gave, if it differs; none if it is the one in force. Written-out shapes of a gap
 * that has named ones only for `--only`: they are many.
 */
function otherAnswers(
  { id, answer, alternatives }: GapRow,
  only: readonly string[],
  learned: Readonly<Record<string, unknown>> = {},
): Json[] {
  if (id in learned) return isSame(learned[id], answer) ? [] : [learned[id] as Json];
  const isNamed = !only.includes(id) && alternatives.some(({ meaning }) => meaning !== undefined);
  const others = alternatives
    .map((other) => other.answer)
    .filter((other) => !(isNamed && isObject(other)) && checkAnswers({ [id]: other }).length === 0);
  // To an app that calls the assumed path, all others are the same.
  return operationsAt.has(id) ? others.slice(0, 1) : others;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

async function firstRun(runs: TestRuns, options: VaryOptions, stopped: () => Stop | undefined): Promise<TestRun> {
  const first = await runs.run({});
  if (stopped()) throw new UsageError('vary was ended during the first run: nothing is known.');
  const failed = (first.tests ?? []).filter(({ outcome }) => outcome === 'failed');
  if (!first.isSuccess || failed.length > 0) {
    const lines = readFileSync(first.log, 'utf8').trimEnd().split('\n').slice(-shownLines);
    for (const line of [...lines, ...failed.map(({ name, message = '' }) => `${name}: ${message}`)])
      options.say(`  | ${line}`);
    const which = failed.length === 0 ? '' : `: ${failed.map(({ name }) => JSON.stringify(name)).join(', ')}`;
    throw new UsageError(
      `your tests fail before anything is varied (${first.ending})${which}; their output is above and in ${first.log}.`,
    );
  }
  if (first.decisions.length === 0)
    throw new UsageError(
      `your tests sent nothing to the mock: is PLATFORM_MOCK_URL${options.variables.map((name) => ` or ${name}`).join('')} used? --env names the variable of your app. Their output is in ${first.log}.`,
    );
  if (options.junit !== undefined && passedTests(first).length === 0)
    throw new UsageError(`--junit ${options.junit}: no test passed.`);
  return first;
}

function refuseUnknown(option: string, ids: readonly string[], rows: readonly GapRow[]): void {
  for (const id of ids)
    if (!rows.some((row) => row.id === id)) throw new UsageError(`${option} ${id}: ${noSuchGap(id)}`);
}

function restedGap(
  { id, section, question, answer: assumed, meaning, alternatives }: GapRow,
  operations: string[],
  survey: Survey,
  choices: readonly Choice[],
  learned: Readonly<Record<string, unknown>> = {},
): RestedGap {
  const observed = id in learned ? [{ answer: learned[id] as Json }] : [];
  const others = [...observed.filter((one) => !isSame(one.answer, assumed)), ...alternatives].filter(
    (one, at, all) => all.findIndex((other) => isSame(other.answer, one.answer)) === at,
  );
  const answers = others.map((other): TriedAnswer => {
    const named = alternatives.find((one) => isSame(one.answer, other.answer));
    const base = {
      answer: other.answer,
      ...(named?.meaning !== undefined && { meaning: named.meaning }),
      ...(isSame(other.answer, learned[id]) && { isObserved: true as const }),
    };
    const at = choices.findIndex((choice) => choice.gap.id === id && isSame(choice.answer, other.answer));
    if (at < 0)
      return {
        ...base,
        outcome: 'untried',
        tests: [],
        reason: reasonOf(id, other.answer, choices, learned),
      };
    const tests = survey.brokenBy(at);
    if (tests.length > 0) return { ...base, outcome: 'breaks', tests };
    const unserved = survey.unserved.get(at);
    if (unserved !== undefined) return { ...base, outcome: 'untried', tests, reason: unserved };
    if (survey.search.isOpen(at)) return { ...base, outcome: 'untried', tests, reason: 'the search ended before' };
    return { ...base, outcome: 'holds', tests };
  });
  return { id, section, question, assumed, ...(meaning !== undefined && { meaning }), operations, answers };
}

/** Why an answer was not among those to try. */
function reasonOf(
  id: string,
  answer: Json,
  choices: readonly Choice[],
  learned: Readonly<Record<string, unknown>>,
): string {
  if (id in learned) return otherLearned;
  if (!choices.some(({ gap }) => gap.id === id)) return leftOut;
  if (operationsAt.has(id)) return otherPath;
  return isObject(answer) ? `shapes written as JSON: --only ${id} tries them` : leftOut;
}
