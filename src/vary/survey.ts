import { asText } from '../../contract-tests/values/json.ts';
import { clashes } from '../core/spec/clash.ts';
import { apiTemplate, type JsonObject } from '../core/spec/document.ts';
import type { GapAnswers, Json } from '../core/spec/gaps.ts';
import { companionsOf, operationsOf, placesOf } from './decisions.ts';
import type { Together } from './model.ts';
import { type Candidate, type Dispute, Search, type Trial } from './search.ts';
import { passedTests, type ReadRun, type TestRun, type TestRuns } from './test-runs.ts';

export interface SurveyOptions {
  readonly maxRuns: number;
  readonly jobs: number;
  say(line: string): void;
}

/** The operations of which a gap decides the path: under another one, the app does not reach them. */
export const operationsAt: ReadonlyMap<string, readonly unknown[]> = new Map(
  Object.values(apiTemplate().paths as JsonObject).flatMap((item) => {
    const { 'x-path': gap, ...operations } = item as JsonObject;
    const ids = Object.values(operations).map((operation) => (operation as JsonObject).operationId);
    return typeof gap === 'string' ? [[gap, ids] as const] : [];
  }),
);

/** The name of all tests where results have no names, and of a failure of the command without a failed test. */
const wholeCommand = 'the command itself';

/** Runs that are repeated with the default answers, if any test failed. */
const repetitions = 2;

/** The tests under the answers in force, and then under others, until it is known which answers break which tests. */
export class Survey {
  readonly search: Search;
  readonly flaky = new Set<string>();
  readonly together: Together[] = [];
  readonly unserved = new Map<Candidate, string>();
  readonly errors: string[] = [];
  private readonly names: readonly string[];
  /** Where gaps decided responses in the first run. */
  private readonly places: ReadonlySet<string>;
  private readonly confirmed = new Set<Candidate>();
  private readonly underWay: (readonly Candidate[])[] = [];

  constructor(
    private readonly runs: TestRuns,
    private readonly first: ReadRun,
    private readonly choices: readonly Candidate[],
    inForce: GapAnswers,
    private readonly options: SurveyOptions,
  ) {
    this.names = [...passedIn(first), wholeCommand];
    const fits = (answers: readonly Candidate[]): boolean =>
      clashes({ ...inForce, ...(answersOf(answers) as Partial<GapAnswers>) }).length === 0;
    this.search = new Search(this.names, choices, fits);
    this.places = placesOf(first.decisions);
    for (const [gap, operations] of operationsOf(first.decisions)) {
      for (const [path, ids] of operationsAt)
        if (gap !== path && ids.some((id) => operations.has(asText(id)))) this.search.mute(gap, path);
      for (const other of companionsOf(gap, first.decisions)) this.search.mute(gap, other);
    }
  }

  async ask(): Promise<void> {
    try {
      const jobs = this.choices.length === 0 ? 0 : await this.jobsThatFit();
      await this.inParallel(jobs, () => this.search.next(this.underWay));
      if (!this.search.trials.some(({ failed }) => failed.size > 0)) return;
      for (let time = 0; time < repetitions && this.canRun(); time++) await this.repeatDefaults();
      await this.inParallel(jobs, () => this.unconfirmed());
    } catch (error) {
      // Other jobs still run.
      this.runs.stop('error');
      throw error;
    }
  }

  brokenBy(candidate: Candidate): string[] {
    return this.names.filter((test) => this.search.breaking(test).includes(candidate));
  }

  /** Tests that failed with answers that were not told apart. */
  unexplained(): string[] {
    return this.names.filter((test) => this.search.isUnexplained(test));
  }

  private canRun(): boolean {
    if (this.runs.count >= this.options.maxRuns) this.runs.stoppedBy ??= 'max-runs';
    return this.runs.stoppedBy === undefined;
  }

  /** Runs side by side only where they do not disturb each other. */
  private async jobsThatFit(): Promise<number> {
    const { jobs, say } = this.options;
    if (jobs === 1 || !this.canRun()) return 1;
    if (this.first.isFixedPlace) {
      say('The command writes its JUnit file to a fixed place: one run at a time.');
      return 1;
    }
    const together = await Promise.all(Array.from({ length: jobs }, () => this.runs.run({})));
    const isAlike = (run: TestRun): boolean => this.passes(run) && this.missedIn(placesOf(run.decisions)).length === 0;
    const isDisturbed = !together.every(isAlike);
    if (isDisturbed && this.canRun())
      say('Runs side by side fail or send other requests than a single one (a fixed port?): one run at a time.');
    return isDisturbed ? 1 : jobs;
  }

  /** Takes combinations until there are none. */
  private async inParallel(jobs: number, next: () => readonly Candidate[] | undefined): Promise<void> {
    const work = async (): Promise<void> => {
      while (this.canRun()) {
        const answers = next();
        if (!answers) return;
        this.underWay.push(answers);
        const trial = await this.trialOf(answers);
        this.underWay.splice(this.underWay.indexOf(answers), 1);
        if (trial) this.search.record(trial);
        for (const dispute of this.search.disputes.splice(0)) await this.settle(dispute);
      }
    };
    await Promise.all(Array.from({ length: jobs }, work));
  }

  /** What a run with these answers shows; undefined if it was ended or could not be served. */
  private async trialOf(answers: readonly Candidate[]): Promise<Trial | undefined> {
    const run = await this.attempt(answers);
    if (!run) return undefined;
    const failed = this.failedIn(run);
    const gaps = answerText(answers);
    const found = failed.has(wholeCommand) ? 'the command fails' : `${failed.size} of ${this.names.length - 1} fail`;
    this.options.say(`  run ${run.number}: ${gaps}: ${failed.size === 0 ? 'all pass' : found}`);
    const varied = new Set(answers.map(({ gap }) => gap));
    const missed = this.missedIn(placesOf(run.decisions, varied));
    const isExercised = ({ gap }: Candidate): boolean =>
      operationsAt.has(gap) || !missed.some((place) => place.startsWith(`${gap}\t`));
    return { answers, failed, isExercised };
  }

  /** The places of the first run that are not among these. */
  private missedIn(places: ReadonlySet<string>): string[] {
    return [...this.places].filter((place) => !places.has(place));
  }

  /** A run with results; undefined if it was ended, or if an error is reported instead. */
  private async attempt(answers: readonly Candidate[]): Promise<ReadRun | undefined> {
    const run = await this.runs.run(answersOf(answers));
    switch (run.kind) {
      case 'read':
        return run;
      case 'unread':
        return this.confirm(answers, run);
      case 'unserved':
        return this.avoid(answers, run);
      case 'failed':
        return this.fail(run, run.reason);
      case 'stopped':
        return undefined;
    }
  }

  /** A run that failed without results counts as failing if it does so twice, and the tests still pass with the original answers. */
  private async confirm(
    answers: readonly Candidate[],
    run: Extract<TestRun, { kind: 'unread' }>,
  ): Promise<ReadRun | undefined> {
    if (answers.length === 0) return this.fail(run, run.reason);
    this.options.say(`  run ${run.number}: ${answerText(answers)}: ${run.reason}; to be repeated, and without them`);
    const again = await this.repeated(answers);
    const original = await this.repeated([]);
    for (const each of [again, original])
      if (each?.kind === 'failed' || each?.kind === 'unserved') return this.fail(each, each.reason);
    const isConfirmed = original !== undefined && this.passes(original);
    if (isConfirmed && again?.kind === 'unread') return { ...again, kind: 'read', tests: [], isFixedPlace: false };
    if (isConfirmed && again?.kind === 'read') {
      this.errors.push(`run ${run.number}: ${run.reason}; the same answers left results in run ${again.number}`);
      return again;
    }
    if (this.canRun()) return this.fail(run, `${run.reason}; the tests do not pass without these answers any more`);
    this.errors.push(`run ${run.number}: ${run.reason}; it was not repeated`);
    return undefined;
  }

  private async repeated(answers: readonly Candidate[]): Promise<TestRun | undefined> {
    return this.canRun() ? this.runs.run(answersOf(answers)) : undefined;
  }

  /** Answers that cannot be served together are tried one by one. */
  private avoid(answers: readonly Candidate[], run: Extract<TestRun, { kind: 'unserved' }>): undefined {
    const [only, ...others] = answers;
    if (only === undefined) return this.fail(run, run.reason);
    if (others.length === 0) this.unserved.set(only, run.reason);
    this.search.avoid(answers);
  }

  /** Ends the search: what could not be started, read or written will hardly work with the next answers. */
  private fail({ number }: TestRun, reason: string): undefined {
    this.errors.push(`run ${number}: ${reason}`);
    this.runs.stop('error');
  }

  private passes(run: TestRun): run is ReadRun {
    return run.kind === 'read' && [...this.failedIn(run)].every((test) => this.flaky.has(test));
  }

  /** The tests that passed at first and do not pass in this run: those that it skips, too. */
  private failedIn(run: ReadRun): Set<string> {
    const passed = new Set(passedIn(run));
    const failed = this.names.filter((test) => test !== wholeCommand && !passed.has(test));
    const isOutside = !run.isSuccess && failed.length === 0;
    return new Set(isOutside ? [wholeCommand] : failed);
  }

  /** Finds out why a result contradicts earlier ones. */
  private async settle({ test, trial }: Dispute): Promise<void> {
    const didFail = trial.failed.has(test);
    const again = await this.fails(test, trial.answers);
    if (again === undefined) return;
    if (again !== didFail) return this.callFlaky(test);
    this.search.settle(test, trial.answers);
    if (didFail) return this.blame(test, trial.answers);
    // Other answers may keep the test from meeting the one that breaks it, or the conclusion was wrong.
    for (const each of this.search.breaking(test))
      if (trial.answers.includes(each) && (await this.fails(test, [each])) === false)
        this.search.correct(test, each, false);
    for (let [answers] = this.search.unexplained(test); answers; [answers] = this.search.unexplained(test)) {
      this.search.settle(test, answers);
      await this.blame(test, answers);
    }
  }

  private async blame(test: string, answers: readonly Candidate[]): Promise<void> {
    const [first, ...others] = await this.fewest(test, answers);
    if (first === undefined) return;
    if (others.length === 0) this.search.correct(test, first, true);
    else this.together.push({ test, answers: [first, ...others] });
  }

  private callFlaky(test: string): void {
    this.flaky.add(test);
    this.search.drop(test);
  }

  private async fails(test: string, answers: readonly Candidate[]): Promise<boolean | undefined> {
    if (!this.canRun()) return undefined;
    return (await this.trialOf(answers))?.failed.has(test);
  }

  /** The fewest of these answers with which the test still fails. */
  private async fewest(test: string, answers: readonly Candidate[]): Promise<readonly Candidate[]> {
    let left = answers;
    for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let at = 0; at < left.length && left.length > 1; ) {
        const without = [...left.slice(0, at), ...left.slice(at + size)];
        if (without.length > 0 && (await this.fails(test, without))) left = without;
        else at += size;
      }
    return left;
  }

  private async repeatDefaults(): Promise<void> {
    const run = await this.attempt([]);
    if (!run) return;
    const failed = this.failedIn(run);
    const found = failed.size === 0 ? 'all pass' : `${failed.size} fail`;
    this.options.say(`  run ${run.number}: the original answers, to confirm: ${found}`);
    for (const test of failed) this.callFlaky(test);
  }

  /** Breaking answers that no run shows by itself, as many as can be tried at once. */
  private unconfirmed(): readonly Candidate[] | undefined {
    const chosen: Candidate[] = [];
    for (const test of this.names) {
      const breaking = this.search.breaking(test);
      // Without names of tests, each costs a run.
      for (const each of this.names.length === 1 ? [] : breaking) {
        if (this.confirmed.has(each) || this.isShown(test, each, breaking)) continue;
        const isFree = chosen.every((other) => other.gap !== each.gap && !breaking.includes(other));
        const spoils = (other: string): boolean =>
          chosen.some((one) => this.search.breaking(other).includes(one)) && this.search.breaking(other).includes(each);
        if (isFree && !this.underWay.flat().includes(each) && !this.names.some(spoils)) chosen.push(each);
      }
    }
    for (const each of chosen) this.confirmed.add(each);
    return chosen.length > 0 ? chosen : undefined;
  }

  /** Whether the failed runs that an answer explains have no other gap in common: answers may hide each other's effects. */
  private isShown(test: string, answer: Candidate, breaking: readonly Candidate[]): boolean {
    const own = answer.gap;
    const explained = this.search.trials
      .filter(({ answers, failed }) => failed.has(test) && answers.some((each) => breaking.includes(each)))
      .filter(({ answers }) => answers.filter((each) => breaking.includes(each)).every(({ gap }) => gap === own))
      .map(({ answers }) => answers.map(({ gap }) => gap));
    const [first = [], ...others] = explained;
    return explained.length > 0 && first.every((gap) => gap === own || others.some((gaps) => !gaps.includes(gap)));
  }
}

const answersOf = (answers: readonly Candidate[]): Record<string, Json> =>
  Object.fromEntries(answers.map(({ gap, answer }) => [gap, answer]));

function answerText(answers: readonly Candidate[]): string {
  const [first, ...others] = answers;
  if (first === undefined || others.length > 0) return `${answers.length} other answers`;
  return `${first.gap}: ${JSON.stringify(first.answer)}`.slice(0, 100);
}

const passedIn = (run: ReadRun): string[] => passedTests(run).map(({ id }) => id);
