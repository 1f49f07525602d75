import type { Entry, Recorded } from '../log/entry.ts';
import { LogBuilder, type LogOptions } from '../log/log.ts';
import type { CheckResult } from '../model.ts';
import type { Rule } from '../rules/rule.ts';
import { allRules } from '../rules/rules.ts';
import { Verdicts } from './judge.ts';

/** Limits of a window: a recording of any length is judged in constant memory. */
interface Window {
  exchanges: number;
  characters: number;
}

const WINDOW: Window = { exchanges: 4_000, characters: 16 * 1024 * 1024 };
/** Exchanges of each kind, and of all, that the next window starts with. */
const KEPT = { ofKind: 2, all: 1_000 };

/** Judges traffic as it comes, from a recording or a proxy, by the rules that judge a run. */
export class TrafficJudge {
  readonly #builder: LogBuilder;
  readonly #verdicts: Verdicts;
  #characters = 0;
  #isJudged = true;

  /** @param options where the token scopes may be, the base URL and the actors, as far as they are known */
  constructor(
    options: Omit<LogOptions, 'isPartial'>,
    rules: readonly Rule[] = allRules,
    private readonly window: Window = WINDOW,
  ) {
    this.#builder = new LogBuilder({ ...options, isPartial: true });
    this.#verdicts = new Verdicts(rules);
  }

  /** How many exchanges were of the API. */
  get count(): number {
    return this.#builder.count;
  }

  /** The base URL of the API; throws UsageError where there is none, or more than one. */
  base(file: string): string {
    return this.#builder.operations.base(file);
  }

  /** Adds one more exchange; undefined where it is elsewhere. */
  see(recorded: Recorded): Entry | undefined {
    const entry = this.#builder.add(recorded);
    if (!entry) return undefined;
    this.#isJudged = false;
    const { request, response } = entry.answer;
    this.#characters += response.body.length + (request.body?.length ?? 0);
    if (this.#builder.log.entries.length >= this.window.exchanges || this.#characters > this.window.characters) {
      this.#judge();
      this.#characters = 0;
      this.#builder.forget(lastOfEachKind(this.#builder.log.entries));
    }
    return entry;
  }

  /** What the traffic shows of every rule. */
  results(): CheckResult[] {
    this.#judge();
    return this.#verdicts.results();
  }

  /** The violations found since the last call, for a proxy that prints them as they pass. */
  news(): CheckResult[] {
    this.#judge();
    return this.#verdicts.news();
  }

  #judge(): void {
    if (this.#isJudged) return;
    this.#isJudged = true;
    this.#verdicts.add(this.#builder.log);
  }
}

/** What the next window is compared with: the last exchanges of each operation, resource, credential and outcome. */
function lastOfEachKind(entries: readonly Entry[]): (entry: Entry) => boolean {
  const counts = new Map<string, number>();
  const kept = new Set<Entry>();
  for (const entry of entries.toReversed()) {
    if (kept.size >= KEPT.all) break;
    const { operation, resource, credential, answer } = entry;
    const kind = `${operation} ${resource} ${credential.token} ${answer.response.status < 300} ${answer.request.url.includes('?')}`;
    const seen = counts.get(kind) ?? 0;
    if (seen >= KEPT.ofKind) continue;
    counts.set(kind, seen + 1);
    kept.add(entry);
  }
  return (entry) => kept.has(entry);
}
