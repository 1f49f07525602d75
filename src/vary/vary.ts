import { dirname } from 'node:path';
import { UsageError } from '../../contract-tests/errors.ts';
import { type GapRow, gapRows } from '../cli/gap-rows.ts';
import { checkAnswers, noSuchGap } from '../core/profiles/load.ts';
import { isObject } from '../core/spec/document.ts';
import type { GapAnswers, Json } from '../core/spec/gaps.ts';
import { packageVersion } from '../server/files/package-root.ts';
import { loadProfile } from '../server/files/profile-file.ts';
import { type Accepted, withAccepted } from './accept.ts';
import { operationsOf } from './decisions.ts';
import { readInside } from './junit.ts';
import { exitCodeOf, type Found, leftOut, otherLearned, otherPath, type RestedGap, type TriedAnswer } from './model.ts';
import type { Candidate } from './search.ts';
import { operationsAt, Survey, type SurveyOptions } from './survey.ts';
import { passedTests, type ReadRun, type TestCommand, TestRuns } from './test-runs.ts';

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
  const { command, mock, learned, interruption, timeLimit } = options;
  const answers = loadProfile(mock.profile);
  const rows = gapRows(answers);
  for (const option of ['only', 'skip'] as const)
    for (const id of options[option])
      if (!rows.some((row) => row.id === id)) throw new UsageError(`--${option} ${id}: ${noSuchGap(id)}`);
  const runs = new TestRuns(options);
  const interrupt = (): void => runs.stop('interruption');
  if (interruption.aborted) interrupt();
  interruption.addEventListener('abort', interrupt);
  // A longer timer would fire at once.
  const limitMs = Math.min((timeLimit ?? 0) * 1000, 2 ** 31 - 1);
  const timer = timeLimit === undefined ? undefined : setTimeout(() => runs.stop('time-limit'), limitMs);
  const known = rows.filter(({ id, from }) => from !== 'default' || id in (learned?.answers ?? {}));
  try {
    const first = await firstRun(runs, options);
    const found = first
      ? await search(runs, first, answers.all, rows, known, options)
      : { gaps: [], together: [], unexplained: [], flaky: [], errors: [], stale: [] };
    const report = {
      schemaVersion: 1,
      tool: { name: 'platform-mock', version: packageVersion },
      command,
      profile: answers.profile,
      /** Base URL of the deployment that was asked first. */
      target: learned?.baseUrl,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      runs: runs.count,
      stoppedBy: runs.stoppedBy,
      tests: first ? passedTests(first).map(({ id, name }) => ({ id, name })) : [],
      /** Gaps of the whole ledger, and those that a profile or a target answers. */
      ledger: { gaps: rows.length, known: known.map(({ id }) => id) },
      ...found,
    };
    return { ...report, exitCode: exitCodeOf(report) };
  } finally {
    clearTimeout(timer);
    interruption.removeEventListener('abort', interrupt);
  }
}

async function search(
  runs: TestRuns,
  first: ReadRun,
  inForce: GapAnswers,
  rows: readonly GapRow[],
  known: readonly GapRow[],
  options: VaryOptions,
): Promise<Omit<Found, 'stoppedBy'>> {
  const { jobs, only, say, accepted } = options;
  const operations = operationsOf(first.decisions);
  const rested = rows.filter(({ id }) => operations.has(id));
  const asked = rested.map((gap) => {
    const others = alternativesOf(gap, options);
    return { gap, others: others.map((other) => ({ other, choice: { gap: gap.id, answer: other.answer } })) };
  });
  const choices = asked.flatMap(({ others }) =>
    others.filter(({ other }) => other.reason === undefined).map(({ choice }) => choice),
  );
  const open = rested.filter((gap) => !known.includes(gap)).length;
  say(`Your tests pass. They rest on ${open} of ${rows.length - known.length} open points.  (1 run)`);
  const idle = only.filter((id) => !operations.has(id));
  if (idle.length > 0) say(`No response rests on ${idle.join(', ')}.`);
  say(`Trying ${choices.length} other answers …${jobs > 1 ? `  ${jobs} runs at a time` : ''}`);
  runs.timeoutMs = first.milliseconds * slowest.times + slowest.seconds * 1000;
  const survey = new Survey(runs, first, choices, inForce, options);
  await survey.ask();
  const rest = asked.map(({ gap, others }): RestedGap => {
    const { id, section, question, answer: assumed, meaning } = gap;
    const answers = others.map(({ other, choice }) => outcomeOf(other, choice, survey));
    return { id, section, question, assumed, meaning, operations: [...(operations.get(id) ?? [])].sort(), answers };
  });
  const names = new Map(passedTests(first).map(({ id, name }) => [id, name]));
  const { together, flaky, errors } = survey;
  return {
    ...withAccepted(rest, accepted, names),
    together,
    unexplained: survey.unexplained(),
    flaky: [...flaky],
    errors,
  };
}

/** What `vary` found: vary.json (spec/schemas/vary.schema.json). */
export type VaryReport = Awaited<ReturnType<typeof vary>>;

/** The report with one more error. */
export function withError(report: VaryReport, message: string): VaryReport {
  const errors = [...report.errors, message];
  return { ...report, errors, exitCode: exitCodeOf({ ...report, errors }) };
}

/** Another answer to a gap, and why it is not tried, unless it is. */
type Alternative = Pick<TriedAnswer, 'answer' | 'meaning' | 'isObserved'> & { readonly reason?: string | undefined };

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

function outcomeOf({ reason, ...other }: Alternative, choice: Candidate, survey: Survey): TriedAnswer {
  const base = { ...other, tests: reason === undefined ? survey.brokenBy(choice) : [] };
  if (base.tests.length > 0) return { ...base, outcome: 'breaks' };
  if (reason !== undefined) return { ...base, outcome: 'untried', reason, isLeftOut: true };
  const unserved = survey.unserved.get(choice);
  if (unserved !== undefined) return { ...base, outcome: 'error', reason: unserved };
  if (!survey.search.isOpen(choice)) return { ...base, outcome: 'holds' };
  return { ...base, outcome: 'untried', reason: 'the search ended before', isLeftOut: false };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Undefined if it was ended. */
async function firstRun(runs: TestRuns, options: VaryOptions): Promise<ReadRun | undefined> {
  const first = await runs.run({});
  if (first.kind === 'stopped') return undefined;
  if (first.kind === 'failed' || first.kind === 'unserved') throw new UsageError(first.reason);
  const failed = first.kind === 'read' ? (first.tests ?? []).filter(({ outcome }) => outcome === 'failed') : [];
  if (first.kind === 'unread' || !first.isSuccess || failed.length > 0) {
    const lines = readInside(dirname(first.log), first.log).trimEnd().split('\n').slice(-shownLines);
    for (const line of [...lines, ...failed.map(({ name, message = '' }) => `${name}: ${message}`)])
      options.say(`  | ${line}`);
    const which = failed.length === 0 ? '' : `: ${failed.map(({ name }) => JSON.stringify(name)).join(', ')}`;
    throw new UsageError(
      `your tests fail before anything is varied (${first.kind === 'unread' ? first.reason : first.ending})${which}; their output is above and in ${first.log}.`,
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
