import type { Entry, Log } from '../log/entry.ts';
import type { CheckResult } from '../model.ts';
import { count } from '../report/text.ts';
import { neverSucceeds, REPORTED_BY } from '../rules/established.ts';
import type { Judgement, Open, Rule, Violation } from '../rules/rule.ts';
import { allRules } from '../rules/rules.ts';

/** What a log shows of one rule: kept are the first exchange that shows it, and the findings, the earliest first. */
interface Verdict {
  shown?: readonly Entry[];
  violations: Violation[];
  open?: Open;
}

/** What the judgements of rules come to, window by window of a log of any length. */
export class Verdicts {
  readonly #verdicts = new Map<string, Verdict>();
  /** The findings that are known, by rule, requirement and decisive exchange: windows overlap. */
  readonly #known = new Set<string>();
  #news = new Set<string>();
  #log: Log | undefined;

  constructor(private readonly rules: readonly Rule[] = allRules) {}

  /** Judges a log, or one more window of it. */
  add(log: Log): void {
    this.#log = log;
    for (const rule of this.rules) for (const judgement of rule.judge(log)) this.#note(rule, judgement);
  }

  #note(rule: Rule, judgement: Judgement): void {
    const verdict = this.#verdicts.get(rule.id) ?? { violations: [] };
    this.#verdicts.set(rule.id, verdict);
    if (judgement.state === 'shown') verdict.shown ??= judgement.by;
    else if (judgement.state === 'open') {
      // What is reported elsewhere explains more than a doubt.
      if (!verdict.open || rankOf(judgement) > rankOf(verdict.open)) verdict.open = judgement;
    } else {
      const key = `${rule.id} ${judgement.requirement} ${judgement.by.at(-1)?.n} ${judgement.message}`;
      if (this.#known.has(key)) return;
      this.#known.add(key);
      this.#news.add(rule.id);
      verdict.violations.push(judgement);
    }
  }

  /** The results of these rules, in their order; a rule that is optional, and of which nothing is shown, is left out. */
  results(reasonOf: (rule: Rule) => string | undefined = () => undefined): CheckResult[] {
    return this.rules.flatMap((rule) => this.#result(rule, reasonOf) ?? []);
  }

  /** The violations found since the last call. */
  news(): CheckResult[] {
    const found = this.rules
      .filter(({ id }) => this.#news.has(id))
      .flatMap((rule) => this.#result(rule, () => undefined) ?? []);
    this.#news = new Set();
    return found;
  }

  #result(rule: Rule, reasonOf: (rule: Rule) => string | undefined): CheckResult | undefined {
    const { id, title } = rule;
    const { violations, shown, open } = this.#verdicts.get(id) ?? { violations: [] };
    const base = { id, requirements: [...rule.requirements], title };
    if (open?.isBroken) return { ...base, outcome: 'error', message: open.reason, exchanges: [] };
    const own = violations.toSorted((a, b) => placeOf(a) - placeOf(b));
    const main = own.find((violation) => this.#reporterOf(rule, violation) === undefined) ?? own[0];
    if (main) {
      const by = this.#reporterOf(rule, main);
      const requirements = [...new Set(own.flatMap(({ requirement }) => requirement ?? rule.requirements))];
      return {
        ...base,
        requirements,
        outcome: by === undefined ? 'violation' : 'blocked',
        message: `${main.message}${placesOf(main.by)}${own.length > 1 ? ` ${count(own.length - 1, 'more exchange')} like it.` : ''}${by === undefined ? '' : ` (see ${by})`}`,
        expected: main.expected,
        actual: main.actual,
        exchanges: main.by.map(({ answer }, at) =>
          at === main.by.length - 1 ? { ...answer, decisive: true as const } : answer,
        ),
      };
    }
    if (open?.isDoubt) return { ...base, outcome: 'untested', message: open.reason, exchanges: [] };
    if (shown) return { ...base, outcome: 'pass', message: '', exchanges: shown.slice(-2).map(({ answer }) => answer) };
    if (rule.isOptional && !open?.isSetUp) return undefined;
    const untested = (message: string): CheckResult => ({ ...base, outcome: 'untested', message, exchanges: [] });
    if (open?.isSetUp) return { ...untested(open.reason), outcome: 'error' };
    if (open?.because) return { ...untested(`${open.reason} (see ${open.because})`), outcome: 'blocked' };
    const operation = rule.of;
    if (operation && this.#log && neverSucceeds(this.#log, operation)) {
      const { rule: reporter } = REPORTED_BY[operation];
      if (reporter !== id)
        return { ...untested(`The operation never succeeded (see ${reporter})`), outcome: 'blocked' };
    }
    return untested(reasonOf(rule) ?? open?.reason ?? NOT_SHOWN);
  }

  /** The rule that reports the same fault: its requirement is named as a cause, and an exchange shows both. */
  #reporterOf(rule: Rule, { related = [], by }: Violation): string | undefined {
    return this.rules.find(
      ({ id, requirements }) =>
        id !== rule.id &&
        requirements.some((requirement) => related.includes(requirement)) &&
        this.#verdicts.get(id)?.violations.some((other) => other.by.some((entry) => by.includes(entry))),
    )?.id;
  }
}

const rankOf = ({ isDoubt, isSetUp, isBroken }: Open): number => (isBroken ? 3 : isSetUp ? 2 : isDoubt ? 1 : 0);
export const NOT_SHOWN = 'no exchange shows it';
const placeOf = ({ by }: Violation): number => by.at(-1)?.n ?? 0;

/** ` Entry 17 (2026-03-01T10:00:00Z).`, for exchanges of a recording. */
function placesOf(by: readonly Entry[]): string {
  const places = [
    ...new Set(by.flatMap(({ answer: { entry } }) => (entry ? [`${entry.number} (${entry.startedAt})`] : []))),
  ];
  return places.length === 0 ? '' : ` ${places.length === 1 ? 'Entry' : 'Entries'} ${places.join(' and ')}.`;
}
