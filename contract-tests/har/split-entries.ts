/** One entry of a HAR as text, by its number from 1. */
export interface EntryText {
  number: number;
  bytes: Buffer;
}

/** No exchange that a browser keeps comes near it: what is longer would have to be held in memory. */
const MAX_ENTRY_BYTES = 64 * 1024 * 1024;
/** `log` and `entries` are shorter. */
const MAX_NAME = 16;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]); // a byte order mark counts as one

/** Why a file is not a HAR, with the number of the entry where that shows. */
export class NotHar extends Error {
  override name = 'NotHar';
}

/**
 * Cuts `log.entries` out of the bytes of a HAR, entry by entry, so that a file of any length is read in the memory that one
 * entry takes. Only the nesting is read here: whether an entry is JSON shows when it is parsed. Throws NotHar.
 */
export class EntrySplitter {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  /** The names of the members that hold the text, by depth; only the two that lead to the entries matter. */
  readonly #names = ['', '', ''];
  #text = '';
  #isInEntries = false;
  #areEntriesOver = false;
  #count = 0;
  /** The parts of the entry under way. */
  #parts: Buffer[] = [];
  #length = 0;
  #isInEntry = false;

  /** How many entries were complete so far. */
  get count(): number {
    return this.#count;
  }

  /** Takes the next bytes and gives the entries that they complete. */
  push(chunk: Buffer): EntryText[] {
    const entries: EntryText[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInText = false;
        else if (!this.#isInEntries && this.#text.length < MAX_NAME) this.#text += String.fromCharCode(byte);
        continue;
      }
      if (byte === QUOTE) {
        this.#isInText = true;
        this.#text = '';
        if (this.#isInEntries && !this.#isInEntry) throw this.#notAnObject();
      } else if (byte === OPEN || byte === OPEN_LIST) {
        if (this.#isInEntries && !this.#isInEntry) {
          if (byte === OPEN_LIST) throw this.#notAnObject();
          this.#isInEntry = true;
          start = at;
        } else if (this.#opensEntries(byte)) this.#isInEntries = true;
        this.#depth += 1;
      } else if (byte === CLOSE || byte === CLOSE_LIST) {
        this.#depth -= 1;
        if (this.#depth < 0) throw new NotHar('it is not JSON: a bracket closes that none has opened');
        if (this.#isInEntries && this.#depth === 2) {
          this.#isInEntries = false;
          this.#areEntriesOver = true;
        } else if (this.#isInEntry && this.#depth === 3) {
          entries.push(this.#complete(chunk.subarray(start, at + 1)));
        }
      } else if (byte === COLON) {
        if (this.#depth <= 2) this.#names[this.#depth] = this.#text;
      } else if (!SPACES.has(byte)) {
        if (this.#depth === 0) throw new NotHar('it is not JSON: a HAR starts with {');
        if (this.#isInEntries && !this.#isInEntry && byte !== COMMA) throw this.#notAnObject();
      }
    }
    if (this.#isInEntry) this.#keep(chunk.subarray(start));
    return entries;
  }

  /** Throws NotHar unless the file ended where a HAR ends. */
  end(): void {
    if (this.#depth > 0 || this.#isInText) {
      const where = this.#isInEntry
        ? `inside entry ${this.#count + 1}`
        : this.#isInEntries
          ? `after entry ${this.#count}`
          : 'before its last bracket';
      throw new NotHar(`the file is truncated: it ends ${where}`);
    }
    if (!this.#areEntriesOver) throw new NotHar('it has no log.entries, a list of exchanges');
  }

  #opensEntries(byte: number): boolean {
    return byte === OPEN_LIST && this.#depth === 2 && this.#names[1] === 'log' && this.#names[2] === 'entries';
  }

  #complete(last: Buffer): EntryText {
    this.#keep(last);
    const [only] = this.#parts;
    const bytes = this.#parts.length === 1 && only ? only : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    this.#isInEntry = false;
    this.#count += 1;
    return { number: this.#count, bytes };
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > MAX_ENTRY_BYTES)
      throw new NotHar(`entry ${this.#count + 1} is longer than ${MAX_ENTRY_BYTES / 1024 / 1024} MB`);
    this.#parts.push(part);
  }

  #notAnObject(): NotHar {
    return new NotHar(`entry ${this.#count + 1} is not an object`);
  }
}
