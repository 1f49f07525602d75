import type { OperationId } from '../spec/document.ts';
import type { GapId } from '../spec/gaps.ts';

/** Larger bodies are truncated, to limit the journal's memory. */
const maxBodyLength = 16 * 1024;

/** A request and its response without their bodies, as plain data. */
export interface JournalRecord {
  /** 1 for the first request of the world. */
  readonly number: number;
  /** Milliseconds since 1970, on the machine's clock and on the world's. */
  readonly startedAt: number;
  readonly worldTime: number;
  /** Undefined while the request is in progress. */
  readonly milliseconds?: number | undefined;
  readonly isDropped: boolean;
  readonly method: string;
  /** As sent. */
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
  /** The custom route that answered: `routes.yaml:12`. */
  readonly route?: string | undefined;
  /** The operation requires credentials. */
  readonly isProtected: boolean;
  /** Parameters and body are valid. */
  readonly isValid: boolean;
  /** The status was chosen by `Prefer: code=…`. */
  readonly forced: boolean;
  /** Why it was refused. */
  readonly error?: { readonly kind: string; readonly message: string } | undefined;
  /** The gaps that affected the response, with their answers. */
  readonly gaps: readonly { readonly id: GapId; readonly answer: unknown }[];
  readonly faults: readonly string[];
  readonly changes: readonly JournalChange[];
}

export interface JournalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface JournalChange {
  /** The table: of the API, or of custom routes. */
  readonly resource: string;
  readonly id: string;
  readonly change: 'created' | 'updated' | 'deleted';
  /** The fields that an update changed. */
  readonly fields?: readonly string[] | undefined;
}

/** A body as sent. */
export interface JournalBody {
  /** Truncated if long. */
  readonly text: string;
  /** Size of the whole body in bytes. */
  readonly size: number;
}

/** A journal entry; it is rendered on demand. */
export interface JournalEntry extends JournalRecord {
  readonly sentBody?: JournalBody | undefined;
  readonly answeredBody?: JournalBody | undefined;
}

/** A request in progress. */
export interface Journalled {
  /** The request body, once read. */
  readonly sentBytes: Uint8Array | undefined;
  /** The response body, once known. */
  readonly answeredText: string | undefined;
  /** The record of its current state. */
  record(): JournalRecord;
}

/** Receives the events of a journal. */
export interface JournalListener {
  /** The request of that number has ended. @param outlived its entry, if the journal no longer keeps it */
  entry(number: number, outlived?: JournalEntry): void;
  /** Entries that the journal did not keep until this process has read them. */
  missed(count: number): void;
  /** The journal is closed. */
  end(): void;
}

/** Takes the records of a journal when several processes share a world, and numbers the entries of all of them. */
export interface JournalOutlet {
  /** A request of this process has ended. */
  entry(entry: JournalEntry): void;
  /** Requests that all entries be cleared. */
  clear(): void;
}

/** Maximum number of requests in a world's journal. */
export const journalCapacity = 500;

/** The latest requests of a world, in a ring buffer. */
export class Journal {
  private readonly ring: Slot[] = [];
  private readonly listeners = new Set<JournalListener>();
  /** Number of the latest request. */
  last = 0;
  private first = 1;
  /** Number of the latest request when it was cleared. */
  cleared = 0;
  private outlet: JournalOutlet | undefined;
  /** Requests of this process that were sent to the outlet. */
  private begun = 0;

  constructor(
    readonly capacity = journalCapacity,
    private readonly budget?: JournalBudget,
  ) {}

  /**
   * Records a request in the slot of the oldest one.
   * @returns its number
   */
  begin(request: Journalled): number {
    if (this.outlet) {
      this.begun += 1;
      return this.begun;
    }
    this.slotFor(this.last + 1).assign(request);
    return this.last;
  }

  /** Completes the request of that number. */
  end(number: number, request: Journalled): void {
    if (this.outlet) {
      this.outlet.entry(entryOf(request));
      return;
    }
    const slot = this.slotOf(number);
    slot?.store(request);
    if (this.listeners.size === 0) return;
    const outlived = slot ? undefined : entryOf(request);
    for (const listener of this.listeners) listener.entry(number, outlived);
  }

  get(number: number): JournalEntry | undefined {
    return this.slotOf(number)?.read();
  }

  /** Numbers of the entries that are kept, in order. */
  numbers(): number[] {
    const numbers: number[] = [];
    for (let number = this.first; number <= this.last; number += 1) if (this.slotOf(number)) numbers.push(number);
    return numbers;
  }

  /** Requests since the journal was cleared. */
  get total(): number {
    return this.last - this.cleared;
  }

  /** Removes all entries; numbering continues. */
  clear(): void {
    this.outlet?.clear();
    this.ring.length = 0;
    this.first = this.last + 1;
    this.cleared = this.last;
  }

  /** Stops numbering requests: the outlet does, and `follow` returns its entries. */
  shareBy(outlet: JournalOutlet): void {
    this.outlet = outlet;
  }

  /**
   * Applies entries of the outlet.
   * @param entries new ones, in order
   * @param total number of the latest request; `cleared`: of the latest one when the journal was cleared
   */
  follow(entries: readonly JournalEntry[], total: number, cleared: number): void {
    // Others have cleared it, or it is a new one.
    if (cleared !== this.cleared || total < this.last) {
      this.ring.length = 0;
      this.first = cleared + 1;
      this.cleared = cleared;
    }
    const [oldest = { number: this.last + 1 }] = entries;
    const missed = oldest.number - Math.max(this.last, this.cleared) - 1;
    if (missed > 0) for (const listener of this.listeners) listener.missed(missed);
    for (const entry of entries) {
      this.slotFor(entry.number).keep(entry);
      for (const listener of this.listeners) listener.entry(entry.number);
    }
    this.last = total;
    this.first = Math.max(this.first, total - this.capacity + 1);
  }

  /** Removes one entry when the budget is exceeded. */
  evict(number: number): void {
    if (this.slotOf(number)) delete this.ring[number % this.capacity];
  }

  /** @returns a function that removes the listener */
  listen(listener: JournalListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Whether it has listeners. */
  get isWatched(): boolean {
    return this.listeners.size > 0;
  }

  /** Ends all listeners. */
  close(): void {
    for (const listener of this.listeners) listener.end();
    this.listeners.clear();
  }

  /** The slot for the next request; reuses that of the oldest one. */
  private slotFor(number: number): Slot {
    this.last = number;
    this.first = Math.max(this.first, number - this.capacity + 1);
    const slot = this.ring[number % this.capacity] ?? new Slot();
    this.ring[number % this.capacity] = slot;
    slot.number = number;
    this.budget?.spend(this, number);
    return slot;
  }

  private slotOf(number: number): Slot | undefined {
    const slot = number < this.first ? undefined : this.ring[number % this.capacity];
    return slot?.number === number ? slot : undefined;
  }
}

/**
 * Stores one request as JSON and its bodies as sent, in a buffer that later requests reuse. Objects that live for some
 * hundred requests are what garbage collection handles worst: they caused half of the longest pauses and half of the
 * memory under load.
 */
class Slot {
  number = 0;
  private pending: Journalled | undefined;
  /** An entry that another process may have recorded. */
  private kept: JournalEntry | undefined;
  private bytes = noBytes;
  private readonly sizes: Sizes = { record: 0, sent: none, sentStored: 0, answered: none, answeredStored: 0 };

  assign(request: Journalled): void {
    this.pending = request;
    this.kept = undefined;
  }

  keep(entry: JournalEntry): void {
    this.kept = entry;
  }

  store(request: Journalled): void {
    const { sizes } = this;
    const { sentBytes, answeredText } = request;
    sizes.sent = sentBytes?.length ?? none;
    sizes.sentStored = Math.min(sentBytes?.length ?? 0, maxBodyLength);
    const record = JSON.stringify(request.record());
    const answered = answeredText === undefined ? '' : truncate(answeredText);
    // Encoded into a scratch buffer of the maximum size first, so that bytes need not be counted.
    const scratch = scratchFor(3 * (record.length + answered.length));
    sizes.record = encoder.encodeInto(record, scratch).written;
    sizes.answeredStored = encoder.encodeInto(answered, scratch.subarray(sizes.record)).written;
    sizes.answered = answeredText === undefined ? none : sizeOf(answeredText, answered, sizes.answeredStored);

    const written = sizes.record + sizes.answeredStored;
    const bytes = this.bufferFor(written + sizes.sentStored);
    bytes.set(scratch.subarray(0, written));
    if (sentBytes) bytes.set(sentBytes.subarray(0, sizes.sentStored), written);
    this.pending = undefined;
  }

  read(): JournalEntry {
    if (this.kept) return this.kept;
    if (this.pending) return entryOf(this.pending);
    const { bytes, sizes } = this;
    const endOfAnswered = sizes.record + sizes.answeredStored;
    const text = (from: number, to: number): string => decoder.decode(bytes.subarray(from, to));
    return {
      ...(JSON.parse(text(0, sizes.record)) as JournalRecord),
      sentBody: bodyOf(text(endOfAnswered, endOfAnswered + sizes.sentStored), sizes.sent),
      answeredBody: bodyOf(text(sizes.record, endOfAnswered), sizes.answered),
    };
  }

  private bufferFor(size: number): Uint8Array {
    // In steps, so that requests of similar sizes reuse the buffer.
    const capacity = Math.ceil(size / 512) * 512;
    // A large buffer must not be retained for small requests.
    if (this.bytes.length < size || this.bytes.length > 4 * capacity) this.bytes = new Uint8Array(capacity);
    return this.bytes;
  }
}

const encoder = new TextEncoder();
// A byte order mark is part of the body.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
let scratch: Uint8Array = new Uint8Array(64 * 1024);

function scratchFor(size: number): Uint8Array {
  if (scratch.length < size) scratch = new Uint8Array(2 * size);
  return scratch;
}

/** The size of a text in bytes; `encoded` is that of its truncated form. */
const sizeOf = (text: string, truncated: string, encoded: number): number =>
  truncated.length === text.length ? encoded : encoder.encode(text).length;

/** Sizes in bytes of the stored parts, and of the bodies as sent; `none` without a body. */
interface Sizes {
  record: number;
  sent: number;
  sentStored: number;
  answered: number;
  answeredStored: number;
}

const noBytes = new Uint8Array(0);
const none = -1;

const truncate = (text: string): string => (text.length > maxBodyLength ? text.slice(0, maxBodyLength) : text);

const bodyOf = (text: string, size: number): JournalBody | undefined => (size === none ? undefined : { text, size });

function entryOf(request: Journalled): JournalEntry {
  const { sentBytes, answeredText } = request;
  return {
    ...request.record(),
    sentBody: sentBytes && { text: decoder.decode(sentBytes.subarray(0, maxBodyLength)), size: sentBytes.length },
    answeredBody:
      answeredText === undefined
        ? undefined
        : { text: truncate(answeredText), size: encoder.encode(answeredText).length },
  };
}

interface Evicting {
  evict(number: number): void;
}

/** Limits the entries of all journals of a server: 1,000 sandboxes must not hold 500,000 requests. */
export class JournalBudget {
  private readonly journals: Evicting[] = [];
  private readonly numbers: number[] = [];
  private at = 0;

  constructor(private readonly limit = 20_000) {}

  /** Counts one more entry; evicts the oldest one. */
  spend(journal: Evicting, number: number): void {
    const { at } = this;
    this.journals[at]?.evict(this.numbers[at] ?? 0);
    this.journals[at] = journal;
    this.numbers[at] = number;
    this.at = (at + 1) % this.limit;
  }
}
