import { allChecks } from '../checks/catalogue.ts';
import type { Finding } from '../checks/findings.ts';

import type { CheckResult } from '../model.ts';
import { count } from '../report/text.ts';
import type { Answer } from '../wire/exchange.ts';

interface Entry {
  shown?: Answer;
  finding?: Finding;
  /** How many more findings there are than the one that is kept. */
  more: number;
  open?: string;
}

/** What a recording shows of each check: kept are the first exchange that shows it, and the first that violates it. */
export class Book {
  readonly #entries = new Map<string, Entry>();
  /** The checks that were violated since somebody last asked. */
  #news: string[] = [];

  /** The exchange keeps what the check asserts. */
  pass(check: string, answer: Answer): void {
    const entry = this.#entry(check);
    entry.shown ??= answer;
  }

  /** Exchanges break what the check asserts. */
  violate(check: string, finding: Finding): void {
    const entry = this.#entry(check);
    if (entry.finding) entry.more += 1;
    else {
      entry.finding = finding;
      this.#news.push(check);
    }
  }

  /** Why exchanges that are about the check show nothing; counts where no other exchange shows anything. */
  open(check: string, reason: string): void {
    this.#entry(check).open ??= reason;
  }

  /** The results of these checks, in the catalogue's order. */
  results(checks: ReadonlySet<string>): CheckResult[] {
    return allChecks.filter(({ id }) => checks.has(id)).map((check) => this.#result(check));
  }

  /** The violations found since the last call. */
  news(): CheckResult[] {
    const found = this.results(new Set(this.#news));
    this.#news = [];
    return found;
  }

  /** Whether exchanges break what the check asserts. */
  isViolated(check: string): boolean {
    return this.#entries.get(check)?.finding !== undefined;
  }

  /** Whether anything is known of the check. */
  has(check: string): boolean {
    const entry = this.#entries.get(check);
    return entry?.finding !== undefined || entry?.shown !== undefined;
  }

  #entry(check: string): Entry {
    const entry = this.#entries.get(check) ?? { more: 0 };
    this.#entries.set(check, entry);
    return entry;
  }

  #result({ id, requirements, title }: { id: string; requirements: string[]; title: string }): CheckResult {
    const { finding, more, shown, open } = this.#entries.get(id) ?? { more: 0 };
    const base = { id, requirements, title };
    if (finding) {
      const { message, expected, actual, answers } = finding;
      const others = more > 0 ? ` ${count(more, 'more exchange')} like it.` : '';
      const exchanges = answers.map((answer, at) =>
        at === answers.length - 1 ? { ...answer, decisive: true as const } : answer,
      );
      return {
        ...base,
        requirements: [finding.requirement],
        outcome: 'violation',
        message: `${message} ${placesOf(answers)}.${others}`,
        expected,
        actual,
        exchanges,
      };
    }
    if (shown) return { ...base, outcome: 'pass', message: '', exchanges: [shown] };
    return { ...base, outcome: 'untested', message: open ?? 'no exchange of the recording shows it', exchanges: [] };
  }
}

/** `Entry 17 (2026-03-01T10:00:00Z)`, `Entries 3 (…) and 17 (…)`. */
function placesOf(answers: readonly Answer[]): string {
  const places = answers.flatMap(({ entry }) => (entry ? [`${entry.number} (${entry.startedAt})`] : []));
  return `${places.length === 1 ? 'Entry' : 'Entries'} ${[...new Set(places)].join(' and ')}`;
}
