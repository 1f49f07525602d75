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
import { leftOut, otherLearned, otherPath, type RestedGap, type TriedAnswer } from './model.ts';
import type { Candidate } from './search.ts';
import { operationsAt, Survey, type SurveyOptions } from './survey.ts';
import { passedTests, type TestCommand, type TestRun, TestRuns } from './test-runs.ts';

export interface VaryOptions extends TestCommand, SurveyOptions {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly accepted: readonly Accepted[];
  /** Seconds for all runs together. */
  readonly timeLimit: number | undefined;
  readonly learned?: { readonly baseUrl: string; readonly answers: Readonly<Record<string, unknown>> } | undefined;
  /** Ends the search; what is known is kept. */
  readonly interruption: AbortSignal;
}

const shownLines = 30;
/** Limit of one run: so many times the first run, and seconds. */
const slowest = { times: 10, seconds: 60 };

/** Runs an app's tests under the answers in force, and then under others. @throws UsageError for tests that fail at first or send nothing */
export async function vary(options: VaryOptions) {
  const startedAt = new Date();
  const { command, mock, jobs, learned, interruption } = options;
  const answers = loadProfile(mock.profile);
  const rows = gapRows(answers);
  for (const option of ['only', 'skip'] as const)
    for (const id of options[option])
      if (!rows.some((row) => row.id === id)) throw new UsageError(`--${option} ${id}: ${noSuchGap(id)}`);
  const runs = new TestRuns(options);
  let survey: Survey | undefined;
  const interrupt = (): void => (survey ?? runs).stop('interruption');
  if (interruption.aborted) interrupt();
  interruption.addEventListener('abort', interrupt);
  const first = await firstRun(runs, options);
  const operations = operationsOf(first.decisions);
  const rested = rows.filter(({ id }) => operations.has(id));
  const known = rows.filter(({ id, from }) => from !== 'default' || id in (learned?.answers ?? {}));
  const asked = rested.map((gap) => {
    const others = alternativesOf(gap, options);
    return { gap, others: others.map((other) => ({ other, choice: { gap: gap.id, answer: other.answer } })) };
  });
  const choices = asked.flatMap(({ others }) =>
    others.filter(({ other }) => other.reason === undefined).map(({ choice }) => choice),
  );
  const tests = passedTests(first).map(({ id, name }) => ({ id, name }));
  const open = rested.filter(({ id }) => !known.some((one) => one.id === id)).length;
  options.say(`Your tests pass. They rest on ${open} of ${rows.length - known.length} open points.  (1 run)`);
  const idle = options.only.filter((id) => !operations.has(id));
  if (idle.length > 0) options.say(`No response rests on ${idle.join(', ')}.`);
  options.say(`Trying ${choices.length} other answers …${jobs > 1 ? `  ${jobs} runs at a time` : ''}`);
  runs.timeoutMs = first.milliseconds * slowest.times + slowest.seconds * 1000;
  survey = new Survey(runs, first, choices, answers.all, options);
  const { timeLimit } = options;
  const timer = timeLimit === undefined ? undefined : setTimeout(() => survey?.stop('time-limit'), timeLimit * 1000);
  await survey.ask().finally(() => clearTimeout(timer));
  const rest = asked.map(({ gap, others }): RestedGap => {
    const { id, section, question, answer: assumed, meaning } = gap;
    const answers = others.map(({ other, choice }) => outcomeOf(other, choice, survey as Survey));
    return { id, section, question, assumed, meaning, operations: [...(operations.get(id) ?? [])].sort(), answers };
  });
  const names = new Map(tests.map(({ id, name }) => [id, name]));
  const { gaps, stale } = withAccepted(rest, options.accepted, names);
  const answersTried = gaps.flatMap((gap) => gap.answers);
  const isBroken = answersTried.some(({ outcome, accepted }) => outcome === 'breaks' && accepted === undefined);
  let exitCode = survey.stoppedBy ? 4 : 0;
  if (survey.together.length > 0 || stale.length > 0 || isBroken) exitCode = 1;
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
    together: survey.together,
    /** Entries of the file of accepted answers that accept nothing any more. */
    stale,
  };
}

/** What `vary` found: vary.json (spec/schemas/vary.schema.json). */
export type VaryReport = Awaited<ReturnType<typeof vary>>;

/** Another answer to a gap, and why it is not tried, unless it is. */
type Alternative = Pick<TriedAnswer, 'answer' | 'meaning' | 'isObserved' | 'reason'>;

/** The other answers. One that a deployment gave is tried alone; shapes next to named ones only for `--only`: they are many. */
function alternativesOf(
  { id, answer: assumed, alternatives }: GapRow,
  { only, skip, learned }: Pick<VaryOptions, 'only' | 'skip' | 'learned'>,
): Alternative[] {
  const isLeftOut = (only.length > 0 && !only.includes(id)) || skip.includes(id);
  const isNamed = !only.includes(id) && alternatives.some(({ meaning }) => meaning !== undefined);
  const given = learned?.answers[id] as Json | undefined;
  let isPathTried = false;
  const reasonOf = (answer: Json): string | undefined => {
    if (given !== undefined) return isSame(answer, given) ? undefined : otherLearned;
    if (isNamed && isObject(answer)) return `shapes written as JSON: --only ${id} tries them`;
    if (checkAnswers({ [id]: answer }).length > 0) return leftOut;
    // To an app that calls the assumed path, all others are the same.
    if (isPathTried) return otherPath;
    isPathTried = operationsAt.has(id);
    return undefined;
  };
  const isNew =
    given !== undefined && ![assumed, ...alternatives.map(({ answer }) => answer)].some((one) => isSame(one, given));
  return [...(isNew ? [{ answer: given }] : []), ...alternatives].map((other) => ({
    ...other,
    ...(isSame(other.answer, given) && { isObserved: true as const }),
    reason: isLeftOut ? leftOut : reasonOf(other.answer),
  }));
}

function outcomeOf({ reason, ...base }: Alternative, choice: Candidate, survey: Survey): TriedAnswer {
  const tests = reason === undefined ? survey.brokenBy(choice) : [];
  if (tests.length > 0) return { ...base, outcome: 'breaks', tests };
  const isOpen = reason === undefined && survey.search.isOpen(choice);
  const why = reason ?? survey.unserved.get(choice) ?? (isOpen ? 'the search ended before' : undefined);
  return why === undefined ? { ...base, outcome: 'holds', tests } : { ...base, outcome: 'untried', tests, reason: why };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

async function firstRun(runs: TestRuns, options: VaryOptions): Promise<TestRun> {
  const first = await runs.run({});
  if (options.interruption.aborted) throw new UsageError('vary was ended during the first run: nothing is known.');
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
