import { groupBy } from '../../contract-tests/values/group.ts';
import type { Json } from '../core/spec/gaps.ts';

/** An answer to try. */
export interface Candidate {
  readonly gap: string;
  readonly answer: Json;
}

/** A run of the tests: the answers that it varied, and what came of it. */
export interface Trial {
  readonly answers: readonly Candidate[];
  readonly failed: ReadonlySet<string>;
  /** Whether the answer decided a response of this run: another one may have kept the app from getting there. */
  readonly isExercised: (answer: Candidate) => boolean;
}

/** A result that contradicts earlier ones: of a flaky test, or of answers that matter only together. */
export interface Dispute {
  readonly test: string;
  readonly trial: Trial;
}

interface Facts {
  readonly clear: Set<Candidate>;
  readonly breaking: Set<Candidate>;
  /** The answers of each failed run, at least one of which breaks the test. */
  suspects: Set<Candidate>[];
  readonly settled: Set<string>;
}

/** Chance that an answer breaks a test, before any is known: so many of so many. */
const usual = { breaking: 0.4, all: 20 };
const mostCertain = 0.97;
/** Information of a run whose outcome is certain, but which confirms a conclusion. */
const littleGain = 0.0001;
/** Rounds over all gaps in which a combination is improved. */
const rounds = 3;

/** Finds which answers break which tests: a run of many answers clears all or makes suspects; the next one is to tell most. */
export class Search {
  readonly trials: Trial[] = [];
  /** To be settled by the caller. */
  readonly disputes: Dispute[] = [];
  private readonly facts: Map<string, Facts>;
  /** Answers that cannot be served, or not exercised, with others. */
  private readonly alone = new Set<Candidate>();
  /** Gaps of which another answer leaves nothing to decide: that it was exercised cannot be seen. */
  private readonly silent = new Set<string>();
  /** By gap: those of which another answer keeps the app from exercising it. */
  private readonly known = new Map<string, Set<string>>();
  /** … may keep it. */
  private readonly muters = new Map<string, ReadonlySet<string>>();
  private readonly gaps: ReadonlyMap<string, readonly Candidate[]>;

  /** `fits`: whether answers can be served together. */
  constructor(
    tests: readonly string[],
    private readonly candidates: readonly Candidate[],
    private readonly fits: (answers: readonly Candidate[]) => boolean,
  ) {
    const unknown = (): Facts => ({ clear: new Set(), breaking: new Set(), suspects: [], settled: new Set() });
    this.facts = new Map(tests.map((test) => [test, unknown()]));
    this.gaps = groupBy(candidates, ({ gap }) => gap);
  }

  breaking(test: string): Candidate[] {
    return this.candidates.filter((each) => this.facts.get(test)?.breaking.has(each));
  }

  /** Whether it is not known of each test if the answer breaks it. Of no test, nothing is known. */
  isOpen(answer: Candidate): boolean {
    return this.facts.size === 0 || [...this.facts.values()].some((facts) => isOpen(facts, answer));
  }

  /** Forgets a test whose results mean nothing. */
  drop(test: string): void {
    this.facts.delete(test);
    this.settle(test);
  }

  /** Ends the disputes about a test. @param answers are not disputed again */
  settle(test: string, answers?: readonly Candidate[]): void {
    if (answers) this.facts.get(test)?.settled.add(keyOf(answers));
    const others = this.disputes.filter((dispute) => dispute.test !== test);
    this.disputes.splice(0, this.disputes.length, ...others);
  }

  /** Corrects a conclusion: whether the answer breaks the test. */
  correct(test: string, answer: Candidate, breaks: boolean): void {
    const facts = this.facts.get(test);
    facts?.[breaks ? 'clear' : 'breaking'].delete(answer);
    facts?.[breaks ? 'breaking' : 'clear'].add(answer);
  }

  /** The answers of failed runs of a test of which none breaks it alone. */
  unexplained(test: string): (readonly Candidate[])[] {
    const facts = this.facts.get(test);
    const isUnexplained = (answers: readonly Candidate[]): boolean =>
      facts !== undefined && answers.every((each) => facts.clear.has(each)) && !facts.settled.has(keyOf(answers));
    return this.trials
      .filter(({ answers, failed }) => failed.has(test) && isUnexplained(answers))
      .map(({ answers }) => answers);
  }

  /** Whether the test failed, and it is not known with which answers it does. */
  isUnexplained(test: string): boolean {
    return (this.facts.get(test)?.suspects.length ?? 0) > 0 || this.unexplained(test).length > 0;
  }

  /** Another answer to `muter` keeps the app from exercising the gap. */
  mute(gap: string, muter: string): void {
    this.known.set(gap, (this.known.get(gap) ?? new Set()).add(muter));
  }

  /** For answers that cannot be served: each of several is tried alone, a single one not at all. */
  avoid(answers: readonly Candidate[]): void {
    for (const each of answers)
      if (answers.length > 1) this.alone.add(each);
      else for (const { clear } of this.facts.values()) clear.add(each);
  }

  /** The answers of the next run, given those of runs under way; undefined if nothing is left to ask. */
  next(underWay: readonly (readonly Candidate[])[]): readonly Candidate[] | undefined {
    const isAsked = new Set(underWay.flat());
    const all = [...this.facts.values()].map((facts) => ({
      facts,
      chances: new Map(this.candidates.map((each) => [each, this.chance(facts, each)])),
    }));
    const gain = (answers: readonly Candidate[]): number =>
      all.reduce((sum, { facts, chances }) => {
        const asks = answers.some((each) => isOpen(facts, each) && !isAsked.has(each));
        return asks ? sum + gainOf(facts, answers, chances) : sum;
      }, 0);
    let best: readonly Candidate[] = [];
    const bestOf = (choices: readonly (readonly Candidate[])[]): readonly Candidate[] =>
      choices.map((answers) => ({ answers, gain: gain(answers) })).reduce((a, b) => (b.gain > a.gain ? b : a)).answers;
    for (let round = 0; round < rounds; round++)
      for (const candidates of this.gaps.values()) {
        const others = best.filter((each) => !candidates.includes(each));
        const together = candidates.filter((each) => !this.alone.has(each)).map((each) => [...others, each]);
        best = bestOf([others, ...together.filter((each) => this.isHeard(each) && this.fits(each))]);
      }
    best = bestOf([best, ...[...this.alone].map((each) => [each])]);
    return gain(best) > 0 ? best : undefined;
  }

  record({ answers, failed, isExercised: isSeen }: Trial): void {
    const isExercised = (each: Candidate): boolean => this.silent.has(each.gap) || isSeen(each);
    const trial = { answers, failed, isExercised };
    this.trials.push(trial);
    this.noteMuters(trial);
    for (const [test, facts] of this.facts) {
      const isSound = trial.failed.has(test) ? fail(facts, trial) : pass(facts, trial);
      const isDisputed = (!isSound || !conclude(facts)) && !facts.settled.has(keyOf(trial.answers));
      if (isDisputed && !this.disputes.some((dispute) => dispute.test === test)) this.disputes.push({ test, trial });
    }
  }

  /** Of the gaps that may mute another one, a combination has at most half: what it shows halves them. */
  private isHeard(answers: readonly Candidate[]): boolean {
    const gaps = answers.map(({ gap }) => gap);
    return gaps.every((gap) => {
      const muters = this.muters.get(gap);
      if (gaps.some((other) => this.known.get(gap)?.has(other))) return false;
      return !muters || gaps.filter((other) => muters.has(other)).length <= muters.size / 2;
    });
  }

  private noteMuters({ answers, isExercised }: Trial): void {
    const gaps = answers.map(({ gap }) => gap);
    const [only] = gaps;
    if (only !== undefined && gaps.length === 1 && !answers.every(isExercised)) {
      this.silent.add(only);
      for (const each of this.gaps.get(only) ?? []) this.alone.delete(each);
    }
    if (gaps.length < 2) return;
    for (const [at, each] of answers.entries()) {
      const gap = gaps[at] as string;
      const before = this.muters.get(gap);
      if (isExercised(each)) {
        if (before) this.muters.set(gap, new Set([...before].filter((other) => !gaps.includes(other))));
        continue;
      }
      const left = gaps.filter((other) => other !== gap && (!before || before.has(other)));
      const [only, ...more] = left;
      if (only === undefined) this.alone.add(each);
      else if (more.length > 0) this.muters.set(gap, new Set(left));
      else {
        this.muters.delete(gap);
        this.mute(gap, only);
      }
    }
  }

  private chance({ clear, breaking, suspects }: Facts, answer: Candidate): number {
    if (clear.has(answer)) return 0;
    if (breaking.has(answer)) return 1;
    const shares = suspects.filter((set) => set.has(answer)).map(({ size }) => 1 / size);
    const known = breaking.size + clear.size;
    return Math.min(mostCertain, Math.max((usual.breaking + breaking.size) / (usual.all + known), ...shares));
  }
}

const keyOf = (answers: readonly Candidate[]): string =>
  answers
    .map((each) => JSON.stringify(each))
    .sort()
    .join();

const isOpen = ({ clear, breaking }: Facts, answer: Candidate): boolean => !clear.has(answer) && !breaking.has(answer);

/** Bits of information that a run with these answers is expected to give of a test. */
function gainOf(
  { breaking, suspects }: Facts,
  answers: readonly Candidate[],
  chances: ReadonlyMap<Candidate, number>,
): number {
  if (answers.some((each) => breaking.has(each))) return 0;
  // It fails in any case.
  if (suspects.some((set) => [...set].every((each) => answers.includes(each)))) return 0;
  const passes = answers.reduce((product, each) => product * (1 - (chances.get(each) ?? 0)), 1);
  const fails = 1 - passes;
  return Math.max(littleGain, -passes * Math.log2(passes) - fails * Math.log2(fails));
}

/** @returns false for a contradiction: each of the answers is known not to break the test */
function fail({ breaking, clear, suspects }: Facts, { answers }: Trial): boolean {
  if (answers.some((each) => breaking.has(each))) return true;
  const left = answers.filter((each) => !clear.has(each));
  if (left.length > 0) suspects.push(new Set(left));
  return left.length > 0;
}

/** @returns false for a contradiction: one of the answers is known to break the test */
function pass({ breaking, clear }: Facts, { answers, isExercised }: Trial): boolean {
  const exercised = answers.filter((each) => answers.length === 1 || isExercised(each));
  for (const each of exercised) if (!breaking.has(each)) clear.add(each);
  return !exercised.some((each) => breaking.has(each));
}

/** @returns false for a contradiction: a failed run of which no answer is left to blame */
function conclude(facts: Facts): boolean {
  for (const suspects of facts.suspects) for (const each of suspects) if (facts.clear.has(each)) suspects.delete(each);
  const isSound = facts.suspects.every(({ size }) => size > 0);
  for (const suspects of facts.suspects) if (suspects.size === 1) for (const each of suspects) facts.breaking.add(each);
  const isExplained = (suspects: ReadonlySet<Candidate>) => [...suspects].some((each) => facts.breaking.has(each));
  facts.suspects = facts.suspects.filter((suspects) => suspects.size > 0 && !isExplained(suspects));
  return isSound;
}
