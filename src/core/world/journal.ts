import type { OperationId } from '../spec/document.ts';
import type { GapId } from '../spec/gaps.ts';
import type { TableName } from './store.ts';

/** Larger bodies are cut: a journal of them would be larger than all that the mock otherwise needs. */
const largestKept = 16 * 1024;

/** What there is to say about one request and its answer, but for their bodies: plain data. */
export interface JournalRecord {
  /** 1 for the first request of the world. */
  readonly number: number;
  /** Milliseconds since 1970, on the machine's clock and on the world's. */
  readonly startedAt: number;
  readonly worldTime: number;
  /** Undefined while it goes on. */
  readonly milliseconds?: number | undefined;
  readonly isDropped: boolean;
  readonly method: string;
  /** As it was sent. */
  readonly url: string;
  /** Name, value, name, value, … */
  readonly rawHeaders: readonly string[];
  /** The body was read as JSON. */
  readonly isJson: boolean;
  readonly answered?: JournalAnswer | undefined;
  /** Value of the header X-Mock-Basis. */
  readonly basis: string;
  readonly caller?: { readonly user: string; readonly username: string; readonly via: 'jwt' | 'pat' } | undefined;
  readonly operation?: OperationId | undefined;
  /** The operation is for callers with credentials only. */
  readonly isProtected: boolean;
  /** Parameters and body were found valid. */
  readonly isValid: boolean;
  /** `Prefer: code=…` decided the status. */
  readonly forced: boolean;
  /** Why it was refused. */
  readonly error?: { readonly kind: string; readonly message: string } | undefined;
  /** The gaps that decided the answer, as they were answered. */
  readonly gaps: readonly { readonly id: GapId; readonly answer: unknown }[];
  readonly faults: readonly string[];
  readonly changes: readonly JournalChange[];
}

export interface JournalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface JournalChange {
  readonly resource: TableName;
  readonly id: string;
  readonly change: 'created' | 'updated' | 'deleted';
  /** Of an update: those that have another value now. */
  readonly fields?: readonly string[] | undefined;
}

/** A body as it was on the wire. */
export interface JournalBody {
  /** Its beginning, where it is long. */
  readonly text: string;
  /** Bytes of the whole. */
  readonly size: number;
}

/** What a journal keeps of one request; rendered when somebody looks. */
export interface JournalEntry extends JournalRecord {
  readonly sentBody?: JournalBody | undefined;
  readonly answeredBody?: JournalBody | undefined;
}

/** A request on its way. */
export interface Journalled {
  /** Its body, once it was read. */
  readonly sentBytes: Uint8Array | undefined;
  /** The body of the answer, once there is one. */
  readonly answeredText: string | undefined;
  /** What there is to say about it by now. */
  record(): JournalRecord;
}

/** Told of what happens in a journal. */
export interface JournalListener {
  /** A request is over. */
  entry(entry: JournalEntry): void;
  /** There is no more to come. */
  end(): void;
}

/** Requests that a world's journal keeps at the most. */
const journalCapacity = 500;

/** The last requests of a world, in a ring. */
export class Journal {
  private readonly ring: Slot[] = [];
  private readonly listeners = new Set<JournalListener>();
  private last = 0;
  private first = 1;
  private cleared = 0;

  constructor(
    readonly capacity = journalCapacity,
    private readonly budget?: JournalBudget,
  ) {}

  /**
   * Records a request, in the slot of the oldest one.
   * @returns its number
   */
  begin(request: Journalled): number {
    this.last += 1;
    const number = this.last;
    this.first = Math.max(this.first, number - this.capacity + 1);
    this.ring[number % this.capacity] ??= new Slot();
    this.ring[number % this.capacity]?.take(number, request);
    this.budget?.spend(this, number);
    return number;
  }

  /** The request of that number is over. */
  end(number: number, request: Journalled): void {
    this.slotOf(number)?.keep(request);
    if (this.listeners.size === 0) return;
    const entry = entryOf(request);
    for (const listener of this.listeners) listener.entry(entry);
  }

  get(number: number): JournalEntry | undefined {
    return this.slotOf(number)?.read();
  }

  /** What is kept, the latest first. */
  *latest(): Generator<JournalEntry> {
    for (let number = this.last; number >= this.first; number -= 1) {
      const entry = this.get(number);
      if (entry) yield entry;
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

  /** Forgets one request: the budget is spent. */
  forget(number: number): void {
    if (this.slotOf(number)) delete this.ring[number % this.capacity];
  }

  /** @returns stops listening */
  listen(listener: JournalListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Whether somebody listens. */
  get isWatched(): boolean {
    return this.listeners.size > 0;
  }

  /** Ends every listener. */
  close(): void {
    for (const listener of this.listeners) listener.end();
    this.listeners.clear();
  }

  private slotOf(number: number): Slot | undefined {
    const slot = number < this.first ? undefined : this.ring[number % this.capacity];
    return slot?.number === number ? slot : undefined;
  }
}

/**
 * Holds one request: as JSON and the bodies as they were, in bytes of its own that the next request reuses. Objects that
 * live for some hundred requests and then die are what costs a garbage collector most: kept as objects, they made half
 * of the longest pauses, and half of the memory under load.
 */
class Slot {
  number = 0;
  private pending: Journalled | undefined;
  private bytes = noBytes;
  private readonly sizes: Sizes = { record: 0, sent: none, sentKept: 0, answered: none, answeredKept: 0 };

  take(number: number, request: Journalled): void {
    this.number = number;
    this.pending = request;
  }

  keep(request: Journalled): void {
    const { sizes } = this;
    const { sentBytes, answeredText } = request;
    sizes.sent = sentBytes?.length ?? none;
    sizes.sentKept = Math.min(sentBytes?.length ?? 0, largestKept);
    const record = JSON.stringify(request.record());
    const answered = answeredText === undefined ? '' : beginningOf(answeredText);
    // Written side by side where there is room for any text of that length, then copied: nobody counts bytes before.
    const scratch = scratchFor(3 * (record.length + answered.length));
    sizes.record = encoder.encodeInto(record, scratch).written;
    sizes.answeredKept = encoder.encodeInto(answered, scratch.subarray(sizes.record)).written;
    sizes.answered = answeredText === undefined ? none : sizeOf(answeredText, answered, sizes.answeredKept);

    const written = sizes.record + sizes.answeredKept;
    const bytes = this.roomFor(written + sizes.sentKept);
    bytes.set(scratch.subarray(0, written));
    if (sentBytes) bytes.set(sentBytes.subarray(0, sizes.sentKept), written);
    this.pending = undefined;
  }

  read(): JournalEntry {
    if (this.pending) return entryOf(this.pending);
    const { bytes, sizes } = this;
    const endOfAnswered = sizes.record + sizes.answeredKept;
    const text = (from: number, to: number): string => decoder.decode(bytes.subarray(from, to));
    return {
      ...(JSON.parse(text(0, sizes.record)) as JournalRecord),
      sentBody: bodyOf(text(endOfAnswered, endOfAnswered + sizes.sentKept), sizes.sent),
      answeredBody: bodyOf(text(sizes.record, endOfAnswered), sizes.answered),
    };
  }

  private roomFor(size: number): Uint8Array {
    // In steps, so that requests of like sizes find room where another one was.
    const room = Math.ceil(size / 512) * 512;
    // A long one must not hold its room for all the short ones after it.
    if (this.bytes.length < size || this.bytes.length > 4 * room) this.bytes = new Uint8Array(room);
    return this.bytes;
  }
}

const encoder = new TextEncoder();
// A byte order mark is part of what was sent.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
let scratch: Uint8Array = new Uint8Array(64 * 1024);

function scratchFor(size: number): Uint8Array {
  if (scratch.length < size) scratch = new Uint8Array(2 * size);
  return scratch;
}

/** Bytes of a text of which the beginning was encoded. */
const sizeOf = (text: string, beginning: string, encoded: number): number =>
  beginning.length === text.length ? encoded : encoder.encode(text).length;

/** Bytes of the parts of what is kept, and of the bodies as they were on the wire; `none` where there was no body. */
interface Sizes {
  record: number;
  sent: number;
  sentKept: number;
  answered: number;
  answeredKept: number;
}

const noBytes = new Uint8Array(0);
const none = -1;

const beginningOf = (text: string): string => (text.length > largestKept ? text.slice(0, largestKept) : text);

const bodyOf = (text: string, size: number): JournalBody | undefined => (size === none ? undefined : { text, size });

function entryOf(request: Journalled): JournalEntry {
  const { sentBytes, answeredText } = request;
  return {
    ...request.record(),
    sentBody: sentBytes && { text: decoder.decode(sentBytes.subarray(0, largestKept)), size: sentBytes.length },
    answeredBody:
      answeredText === undefined
        ? undefined
        : { text: beginningOf(answeredText), size: encoder.encode(answeredText).length },
  };
}

interface Forgetful {
  forget(number: number): void;
}

/** Bounds what all journals of a server keep together: a thousand sandboxes must not keep half a million requests. */
export class JournalBudget {
  private readonly journals: Forgetful[] = [];
  private readonly numbers: number[] = [];
  private at = 0;

  constructor(private readonly limit = 20_000) {}

  /** One more is kept: the one that was kept longest ago is forgotten. */
  spend(journal: Forgetful, number: number): void {
    const { at } = this;
    this.journals[at]?.forget(this.numbers[at] ?? 0);
    this.journals[at] = journal;
    this.numbers[at] = number;
    this.at = (at + 1) % this.limit;
  }
}
