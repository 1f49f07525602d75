import type { Entry, Recorded } from '../log/entry.ts';
import { LogBuilder, type LogOptions } from '../log/log.ts';
import type { CheckResult } from '../model.ts';
import type { Rule } from '../rules/rule.ts';
import { allRules } from '../rules/rules.ts';
import { resultsOf, type Verdict, verdictsOf } from './judge.ts';

/** Exchanges of each kind that are kept when a window is full. */
const KEPT_OF_KIND = 2;

/** Judges traffic of a recording or a proxy by the rules that judge a run: in windows, so that it may be of any length. */
export class TrafficJudge {
  readonly builder: LogBuilder;
  /** What the windows before this one show. */
  #before: readonly Verdict[] = [];
  readonly #told = new Set<string>();

  /**
   * @param options where the token scopes may be, the base URL and the actors, as far as they are known
   * @param window exchanges that are judged together
   */
  constructor(
    options: Omit<LogOptions, 'isPartial'>,
    private readonly rules: readonly Rule[] = allRules,
    private readonly window = 4_000,
  ) {
    this.builder = new LogBuilder({ ...options, isPartial: true });
  }

  add(recorded: Recorded): void {
    if (!this.builder.add(recorded)) return;
    const { entries } = this.builder.log;
    if (entries.length < this.window) return;
    this.#before = this.#judged();
    this.builder.forget(lastOfEachKind(entries, this.window / 4));
  }

  #judged(): Verdict[] {
    return verdictsOf(this.rules, this.builder.log, this.#before);
  }

  results(): CheckResult[] {
    return resultsOf(this.rules, this.#judged(), this.builder.log);
  }

  /** The violations that are new since the last call. */
  news(): CheckResult[] {
    const keyOf = ({ id, message, also = [] }: CheckResult): string =>
      [id, message, ...also.map((each) => each.message)].join(' ');
    const found = this.results().filter((each) => each.outcome === 'violation' && !this.#told.has(keyOf(each)));
    for (const each of found) this.#told.add(keyOf(each));
    return found;
  }
}

/** The last exchanges of each operation, resource, credential and outcome, with which the next window starts. */
function lastOfEachKind(entries: readonly Entry[], most: number): (entry: Entry) => boolean {
  const counts = new Map<string, number>();
  const isLast = ({ operation, resource, credential, answer }: Entry): boolean => {
    const kind = `${operation} ${resource} ${credential.token} ${answer.response.status < 300} ${answer.request.url.includes('?')}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return (counts.get(kind) ?? 0) <= KEPT_OF_KIND;
  };
  const kept = new Set(entries.toReversed().filter(isLast).slice(0, most));
  return (entry) => kept.has(entry);
}
