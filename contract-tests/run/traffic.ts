import type { Entry, Recorded } from '../log/entry.ts';
import { LogBuilder, type LogOptions } from '../log/log.ts';
import type { CheckResult } from '../model.ts';
import { allRules } from '../rules/rules.ts';
import { judgeLog } from './judge.ts';

/** Exchanges that are judged together: traffic of any length is judged in constant memory. */
const MOST = 4_000;
/** Exchanges of each kind, and of all, that are kept then. */
const KEPT = { ofKind: 2, all: 1_000 };

/** Judges traffic as a proxy passes it, by the rules that judge a run. */
export class TrafficJudge {
  readonly #builder: LogBuilder;
  readonly #told = new Set<string>();

  /** @param options where the token scopes may be, the base URL and the actors, as far as they are known */
  constructor(options: Omit<LogOptions, 'isPartial'>) {
    this.#builder = new LogBuilder({ ...options, isPartial: true });
  }

  /** Adds one more exchange; gives the violations that are new by it. */
  see(recorded: Recorded): CheckResult[] {
    if (!this.#builder.add(recorded)) return [];
    const { log } = this.#builder;
    const isNew = ({ id, outcome, message }: CheckResult): boolean =>
      outcome === 'violation' && !this.#told.has(`${id} ${message}`);
    const found = judgeLog(allRules, log).filter(isNew);
    for (const { id, message } of found) this.#told.add(`${id} ${message}`);
    if (log.entries.length >= MOST) this.#builder.forget(lastOfEachKind(log.entries));
    return found;
  }
}

/** The last exchanges of each operation, resource, credential and outcome. */
function lastOfEachKind(entries: readonly Entry[]): (entry: Entry) => boolean {
  const counts = new Map<string, number>();
  const isLast = ({ operation, resource, credential, answer }: Entry): boolean => {
    const kind = `${operation} ${resource} ${credential.token} ${answer.response.status < 300} ${answer.request.url.includes('?')}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return (counts.get(kind) ?? 0) <= KEPT.ofKind;
  };
  const kept = new Set(entries.toReversed().filter(isLast).slice(0, KEPT.all));
  return (entry) => kept.has(entry);
}
