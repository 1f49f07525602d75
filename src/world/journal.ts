import type { StoreChange } from './store.ts';

/** A body as the journal keeps it: by reference where it is small, else its beginning as text. */
export type KeptBody =
  | { readonly value: unknown; readonly size: number }
  | { readonly start: string; readonly size: number };

/** What a journal keeps of one request and its answer: references, rendered when somebody looks. */
export interface JournalRecord {
  /** 1 for the first request of the world. */
  readonly number: number;
  /** Milliseconds since 1970, on the machine's clock and on the world's. */
  readonly startedAt: number;
  readonly worldTime: number;
  /** Undefined while it goes on. */
  readonly milliseconds: number | undefined;
  readonly method: string;
  /** As it was sent. */
  readonly url: string;
  /** Name, value, name, value, … */
  readonly rawHeaders: readonly string[];
  readonly sentBody: KeptBody | undefined;
  readonly answered: JournalAnswer | undefined;
  readonly changes: readonly StoreChange[];
}

export interface JournalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: KeptBody | undefined;
}

/** Told of what happens in a journal. */
export interface JournalListener<T> {
  /** A request is over. */
  entry(record: T): void;
  /** There is no more to come. */
  end(): void;
}

/** Requests that a world's journal keeps at the most. */
const journalCapacity = 500;

/** The last requests of a world, in a ring. */
export class Journal<T extends { readonly number: number }> {
  private readonly ring: (T | undefined)[] = [];
  private readonly listeners = new Set<JournalListener<T>>();
  private last = 0;
  private first = 1;

  constructor(
    readonly capacity = journalCapacity,
    private readonly budget?: JournalBudget,
  ) {}

  /** The number that the next request gets. */
  nextNumber(): number {
    this.last += 1;
    return this.last;
  }

  /** Keeps a record under its number, in the place of the oldest one. */
  add(record: T): void {
    this.ring[record.number % this.capacity] = record;
    this.first = Math.max(this.first, record.number - this.capacity + 1);
    this.budget?.spend(this, record.number);
  }

  /** Says that a request is over. */
  ended(record: T): void {
    for (const listener of this.listeners) listener.entry(record);
  }

  get(number: number): T | undefined {
    const record = number < this.first ? undefined : this.ring[number % this.capacity];
    return record?.number === number ? record : undefined;
  }

  /** What is kept, the latest first. */
  *latest(): Generator<T> {
    for (let number = this.last; number >= this.first; number -= 1) {
      const record = this.get(number);
      if (record) yield record;
    }
  }

  /** Requests since the journal was cleared. */
  get total(): number {
    return this.last - this.cleared;
  }

  /** Forgets everything; numbers go on. */
  clear(): void {
    this.ring.length = 0;
    this.first = this.last + 1;
    this.cleared = this.last;
  }
  private cleared = 0;

  /** Forgets one request: the budget is spent. */
  forget(number: number): void {
    if (this.get(number)) this.ring[number % this.capacity] = undefined;
  }

  /** @returns stops listening */
  listen(listener: JournalListener<T>): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Sends every listener home. */
  close(): void {
    for (const listener of this.listeners) listener.end();
    this.listeners.clear();
  }
}

interface Forgetful {
  forget(number: number): void;
}

/** Bounds what all journals of a server keep together: a thousand sandboxes must not keep half a million requests. */
export class JournalBudget {
  private readonly spent: { readonly journal: Forgetful; readonly number: number }[] = [];
  private at = 0;

  constructor(private readonly limit = 20_000) {}

  /** One more is kept: the one that was kept longest ago is forgotten. */
  spend(journal: Forgetful, number: number): void {
    const oldest = this.spent[this.at];
    oldest?.journal.forget(oldest.number);
    this.spent[this.at] = { journal, number };
    this.at = (this.at + 1) % this.limit;
  }
}
