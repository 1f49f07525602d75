import { isEqual } from '../../../contract-tests/values/json.ts';
import type { components } from '../spec/control-types.ts';
import type { OperationId } from '../spec/document.ts';
import type { GapId } from '../spec/gaps.ts';
import type { Immutable } from '../spec/json.ts';

/** Larger bodies are truncated, to limit the journal's memory. */
const maxBodyLength = 16 * 1024;

export interface JournalTimes {
  /** 1 for the first request of the world. */
  readonly number: number;
  /** Milliseconds since 1970, on the machine's clock and on the world's. */
  readonly startedAt: number;
  readonly worldTime: number;
  /** Undefined while the request is in progress. */
  readonly milliseconds?: number | undefined;
}

type Schemas = Immutable<components['schemas']>;

/** What else is known of a request and its response without their bodies, as plain data. Entries that are alike share one. */
export interface JournalOutline extends Pick<Schemas['Trace'], 'route' | 'forced' | 'error' | 'faults' | 'changes'> {
  readonly isDropped: boolean;
  readonly method: string;
  /** As sent. */
  readonly url: string;
  /** Name, value, name, value, … */
  readonly rawHeaders: readonly string[];
  readonly isJson: boolean;
  readonly answered?: JournalAnswer | undefined;
  /** Value of the header X-Mock-Basis. */
  readonly basis: string;
  readonly caller?: Schemas['JournalEntry']['actor'];
  readonly operation?: OperationId | undefined;
  readonly isProtected: boolean;
  readonly isValid: boolean;
  /** The gaps that affected the response, with their answers. */
  readonly gaps: readonly { readonly id: GapId; readonly answer: unknown }[];
}

export interface JournalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Its resource is the table: of the API, or of custom routes. */
export type JournalChange = Schemas['Trace']['changes'][number];

/** Text, truncated if long, and size of the whole body in bytes. */
export type JournalBody = Omit<Schemas['JournalBody'], 'cut'>;

/** A journal entry; it is rendered on demand. */
export interface JournalEntry extends JournalTimes, JournalOutline {
  readonly sentBody?: JournalBody | undefined;
  readonly answeredBody?: JournalBody | undefined;
}

export interface Journalled extends JournalTimes {
  readonly sentBytes: Uint8Array | undefined;
  /** The response body, once known. */
  readonly answeredText: string | undefined;
  /** What is known of it by now. */
  outline(): JournalOutline;
}

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
  entry(request: Journalled): void;
  clear(): void;
}

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

  /** Records a request in the slot of the oldest one, and returns its number. */
  begin(request: Journalled): number {
    if (this.outlet) {
      this.begun += 1;
      return this.begun;
    }
    this.slotFor(this.last + 1).assign(request);
    return this.last;
  }

  end(number: number, request: Journalled): void {
    if (this.outlet) {
      this.outlet.entry(request);
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

  /** Applies new entries of the outlet. `total`: number of the latest request; `cleared`: the same when the journal was cleared. */
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
      this.slotFor(entry.number).kept = entry;
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

  get isWatched(): boolean {
    return this.listeners.size > 0;
  }

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
 * One request. Text is made when somebody reads it. New objects that live for some hundred requests are what garbage collection
 * handles worst: times and bodies are written over those of an older request, and alike requests share all else.
 */
class Slot {
  number = 0;
  private pending: Journalled | undefined;
  /** An entry that another process may have recorded. */
  kept: JournalEntry | undefined;
  private startedAt = 0;
  private worldTime = 0;
  private milliseconds: number | undefined;
  private outline: JournalOutline | undefined;
  private readonly sent = new StoredBody();
  private readonly answered = new StoredBody();

  assign(request: Journalled): void {
    this.pending = request;
    this.kept = undefined;
  }

  store(request: Journalled): void {
    this.startedAt = request.startedAt;
    this.worldTime = request.worldTime;
    this.milliseconds = request.milliseconds;
    this.outline = shared(request.outline());
    this.sent.storeBytes(request.sentBytes);
    this.answered.storeText(request.answeredText);
    this.pending = undefined;
  }

  read(): JournalEntry {
    if (this.kept) return this.kept;
    const { number, startedAt, worldTime, milliseconds, outline } = this;
    if (this.pending || !outline) return entryOf(this.pending as Journalled);
    const bodies = { sentBody: this.sent.read(), answeredBody: this.answered.read() };
    return { number, startedAt, worldTime, milliseconds, ...outline, ...bodies };
  }
}

/** A body, truncated if long, in a buffer that later ones reuse. */
class StoredBody {
  private bytes = noBytes;
  private stored = 0;
  /** Of the whole body; `none` without one. */
  private size = none;
  /** In the place of bytes, a text that is kept anyway: lists are answered with the same one until they change. */
  private text: string | undefined;

  storeBytes(bytes: Uint8Array | undefined): void {
    this.size = bytes?.length ?? none;
    if (bytes) this.write(bytes.subarray(0, maxBodyLength));
  }

  storeText(text: string | undefined): void {
    const isKept = text !== undefined && text === latestText;
    this.text = isKept ? latestText : undefined;
    this.size = none;
    if (text === undefined || isKept) return;
    latestText = text.length > maxBodyLength ? undefined : text;
    const { written, size } = encoded(text);
    this.write(scratch.subarray(0, written));
    this.size = size;
  }

  read(): JournalBody | undefined {
    if (this.text !== undefined) return bodyOfText(this.text);
    if (this.size === none) return undefined;
    return { text: decoder.decode(this.bytes.subarray(0, this.stored)), size: this.size };
  }

  private write(bytes: Uint8Array): void {
    this.stored = bytes.length;
    // In steps, so that bodies of similar sizes reuse the buffer.
    const capacity = Math.ceil(this.stored / 512) * 512;
    // A large buffer must not be retained for small bodies.
    if (this.bytes.length < this.stored || this.bytes.length > 4 * capacity) this.bytes = new Uint8Array(capacity);
    this.bytes.set(bytes);
  }
}

const encoder = new TextEncoder();
// A byte order mark is part of the body.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const scratch = new Uint8Array(3 * maxBodyLength);
const noBytes = new Uint8Array(0);
const none = -1;
let latestText: string | undefined;

/** Encodes what is kept of a text into `scratch`, a buffer of the maximum size, so that bytes need not be counted. */
function encoded(text: string): { readonly written: number; readonly size: number } {
  const { written } = encoder.encodeInto(text.slice(0, maxBodyLength), scratch);
  return { written, size: text.length > maxBodyLength ? encoder.encode(text).length : written };
}

const bodyOfText = (text: string): JournalBody => ({ text: text.slice(0, maxBodyLength), size: encoded(text).size });

const latest = new Map<string | undefined, JournalOutline>();

/** The latest outline if this one is equal; else this one, with the equal parts of that one. */
function shared(outline: JournalOutline): JournalOutline {
  const before = latest.get(outline.operation);
  if (before && isEqual(outline, before)) return before;
  if (before) shareParts(outline, before);
  latest.set(outline.operation, outline);
  return outline;
}

function shareParts<T extends object>(after: T, before: T): void {
  for (const name in before) if (isEqual(after[name], before[name])) after[name] = before[name];
}

function entryOf(request: Journalled): JournalEntry {
  const { number, startedAt, worldTime, milliseconds } = request;
  return { number, startedAt, worldTime, milliseconds, ...request.outline(), ...bodiesOf(request) };
}

/** The bodies of a request, as entries have them. */
export function bodiesOf({ sentBytes: sent, answeredText: text }: Journalled) {
  return {
    sentBody: sent && { text: decoder.decode(sent.subarray(0, maxBodyLength)), size: sent.length },
    answeredBody: text === undefined ? undefined : bodyOfText(text),
  };
}

/** Limits the entries of all journals of a server: 1,000 sandboxes must not hold 500,000 requests. */
export class JournalBudget {
  private readonly journals: Journal[] = [];
  private readonly numbers: number[] = [];
  private at = 0;

  constructor(private readonly limit = 20_000) {}

  /** Counts one more entry; evicts the oldest one. */
  spend(journal: Journal, number: number): void {
    const { at } = this;
    this.journals[at]?.evict(this.numbers[at] ?? 0);
    this.journals[at] = journal;
    this.numbers[at] = number;
    this.at = (at + 1) % this.limit;
  }
}
