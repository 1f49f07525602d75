import { once } from 'node:events';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UsageError } from '../errors.ts';
import { type Asked, FLAW_KINDS, type Recorded } from '../log/entry.ts';
import { count } from '../report/text.ts';
import { asNumber, asText, isObject, type JsonObject, objectOf, show } from '../values/json.ts';
import { NotHar, openRecording } from './recording-files.ts';

export type RecordedEntry = Recorded & {
  answer: { entry: { number: number; startedAt: string } };
  /** That of a recording whose secrets are pseudonyms. */
  salt?: string;
  /** Who called, in a recording of ours. */
  actor?: string;
  /** For what the suite sent it, in the recording of a run. */
  asked?: Asked;
};

/** What every client adds by itself, so that repeating the request needs none of it. */
const OF_THE_CLIENT = /^(host|connection|content-length|accept-encoding|accept-language|user-agent|sec-.*|priority)$/;
/** How the suite writes the names of request headers that its judgements look for. */
const NAMES = new Map(
  Object.entries({ accept: 'Accept', authorization: 'Authorization', 'content-type': 'Content-Type' }),
);

/** What else there is in a file: entries that cannot be read, and are left out, and what is around them. */
export class LeftOut {
  count = 0;
  /** What is wrong with the first of them. */
  problem = '';
  /** The members of the log around the entries, once all are read. */
  log: JsonObject = {};

  /** `2 entries cannot be read (the first: entry 7 is not an object)`; undefined without any. */
  get text(): string | undefined {
    if (this.count === 0) return undefined;
    return `${count(this.count, 'entry', 'entries')} cannot be read (the first: ${this.problem})`;
  }

  note(problem: string): void {
    this.problem ||= problem;
    this.count += 1;
  }
}

/**
 * The answered, uncached exchanges of a HAR 1.2 file of any size: plain, gzip'd, or with attached bodies, as Playwright writes it.
 * @param leftOut takes the entries that cannot be read
 * @throws UsageError that names the file and the problem, where no entry can be read
 */
export async function* readHar(file: string, leftOut = new LeftOut()): AsyncGenerator<RecordedEntry> {
  let number = 0;
  try {
    const files = await openRecording(file);
    try {
      for await (const { text, salt } of entriesIn(await files.har(), leftOut)) {
        number += 1;
        try {
          const recorded = parseEntry(await withBodies(jsonOf(text, number), files.attached), number);
          if (recorded) yield { ...recorded, salt };
        } catch (error) {
          if (!(error instanceof NotHar)) throw error;
          leftOut.note(error.message);
        }
      }
    } finally {
      files.close();
    }
    if (number > 0 && leftOut.count === number) throw new NotHar(leftOut.problem);
  } catch (error) {
    throw new UsageError(`${file}: ${reasonOf(error)}`);
  }
}

function jsonOf(text: string, number: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotHar(`entry ${number} is not JSON`);
  }
}

/** The text of each entry as it is read: a file may be larger than the memory. */
async function* entriesIn(bytes: Readable, rest: LeftOut): AsyncGenerator<{ text: string; salt?: string }> {
  const splitter = new EntrySplitter();
  for await (const text of textOf(bytes))
    for (const entry of splitter.split(text)) yield { text: entry, salt: splitter.salt };
  const { entries, log } = splitter.rest();
  rest.log = log;
  if (entries === 0) throw new NotHar('it has no exchanges in log.entries');
}

/** An entry with the bodies that are attached to it. */
async function withBodies(entry: unknown, attached: (name: string) => Promise<Buffer | undefined>): Promise<unknown> {
  if (!isObject(entry)) return entry;
  const { request, response } = entry;
  for (const [part, member] of [
    [request, 'postData'],
    [response, 'content'],
  ] as const) {
    const content = isObject(part) ? part[member] : undefined;
    if (!isObject(part) || !isObject(content) || typeof content._file !== 'string') continue;
    const bytes = await attached(content._file);
    // Playwright writes an empty text next to it.
    part[member] = { ...content, text: bytes?.toString('base64'), encoding: 'base64' };
  }
  return entry;
}

/** The brackets around the entries, each after its name. */
const ENTRIES = '{log{entries[';
const SIGNS = '{}[],';

/** Cuts the text of a HAR, which comes in pieces, into its entries. */
class EntrySplitter {
  readonly #path: string[] = [];
  /** What is around the entries, with a 0 for each. */
  #outline = '';
  #entry = '';
  #entries = 0;
  /** The member `_salt` before the entries. */
  salt: string | undefined;
  /** How many brackets are open in the entry. */
  #depth = 0;
  #isInString = false;
  /** Where the next piece goes on: its first character may be escaped. */
  #next = 0;

  *split(text: string): Generator<string> {
    let from = 0;
    let at = this.#next;
    for (; at < text.length; at += 1) {
      const sign = text[at] ?? '';
      if (sign === '"') this.#isInString = !this.#isInString;
      else if (this.#isInString) at += sign === '\\' ? 1 : 0;
      else if (SIGNS.includes(sign) && !this.#isWithinEntry(sign)) {
        this.#keep(text.slice(from, at));
        if (this.#entry.trim() !== '') yield this.#cut();
        this.#enter(sign);
        from = at + 1;
      }
    }
    this.#keep(text.slice(from));
    this.#next = at - text.length;
  }

  /** The members around the entries. Throws SyntaxError for invalid JSON. */
  rest() {
    const outline: unknown = JSON.parse(this.#outline);
    return { entries: this.#entries, log: objectOf(objectOf(outline).log) };
  }

  get #isAtEntries(): boolean {
    return this.#path.join('') === ENTRIES;
  }

  #isWithinEntry(sign: string): boolean {
    const isOpening = sign === '{' || sign === '[';
    if (this.#depth === 0 && !(isOpening && this.#isAtEntries)) return false;
    if (sign !== ',') this.#depth += isOpening ? 1 : -1;
    return true;
  }

  #keep(text: string): void {
    if (this.#isAtEntries) this.#entry += text;
    else this.#outline += text;
  }

  #cut(): string {
    if (this.#entries === 0) this.salt = /"_salt":\s*"(\w+)"/.exec(this.#outline)?.[1];
    const entry = this.#entry;
    this.#entry = '';
    this.#entries += 1;
    this.#outline += '0';
    return entry;
  }

  #enter(sign: string): void {
    const name = /"(\w+)"\s*:\s*$/.exec(this.#outline.slice(-100))?.[1] ?? '';
    if (sign === '{' || sign === '[') this.#path.push(name + sign);
    else if (sign !== ',') this.#path.pop();
    this.#outline += sign;
  }
}

async function* textOf(bytes: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const piece of unzipped(bytes)) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

/** The bytes of a stream, whether they are gzip'd or not. */
async function* unzipped(bytes: Readable): AsyncGenerator<Buffer> {
  await once(bytes, 'readable');
  const start: Buffer | null = bytes.read(2);
  if (start) bytes.unshift(start);
  yield* start?.toString('hex') === '1f8b' ? pipeline(bytes, createGunzip(), () => undefined) : bytes;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof NotHar) return `not a readable HAR: ${message}.`;
  if (error instanceof SyntaxError || code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return 'not a readable HAR: it is not JSON, or was cut.';
  if (error instanceof RangeError) return 'an entry, or all that is around the entries, has more than 500 MB.';
  if (code === undefined) throw error;
  if (code.startsWith('Z_')) return `its gzip is damaged or truncated (${message}).`;
  if (code === 'ESPIPE') return 'it is a pipe; name a file, which can be read from its start again.';
  return code === 'ENOENT' ? 'there is no such file.' : `it cannot be read (${code}).`;
}

/** An entry as an exchange; undefined where it was aborted or cached. Throws NotHar with entry number and wrong member. */
export function parseEntry(entry: unknown, number: number): RecordedEntry | undefined {
  if (!isObject(entry)) throw new NotHar(`entry ${number} is not an object`);
  const wrong = (member: string, expected: string, found: unknown): NotHar =>
    new NotHar(`entry ${number}: ${member} must be ${expected}; it is ${show(found)}`);
  const { request, response, startedDateTime, time, _fromCache: cache, _actor: actor, _asked } = entry;
  if (!isObject(request)) throw wrong('request', 'an object', request);
  if (!isObject(response)) throw wrong('response', 'an object', response);
  const { method, url } = request;
  const { status } = response;
  if (typeof method !== 'string') throw wrong('request.method', 'a string', method);
  if (typeof url !== 'string' || !URL.canParse(url)) throw wrong('request.url', 'a URL', url);
  if (typeof status !== 'number') throw wrong('response.status', 'a number', status);
  const startedAt = timeOf(asText(startedDateTime));
  if (!Number.isFinite(startedAt)) throw wrong('startedDateTime', 'an ISO 8601 date-time', startedDateTime);
  // Chromium says so of what it did not request.
  if (status < 200 || status === 304 || cache) return undefined;
  const headers = headersOf(request, (name) => (OF_THE_CLIENT.test(name) ? undefined : (NAMES.get(name) ?? name)));
  const durationMs = typeof time === 'number' && time > 0 ? time : 0;
  const endedAt = startedAt + durationMs;
  const sent = isObject(request.postData) ? textIn(request.postData) : undefined;
  const body = bodyOf(response);
  return {
    answer: {
      entry: { number, startedAt: asText(startedDateTime) },
      request: { method: method.toUpperCase(), url, headers, ...(sent !== undefined && { body: sent }) },
      response: { status, headers: headersOf(response, (name) => name), body: body ?? '' },
      durationMs,
    },
    // Times of an entry are of one clock: they say in which order exchanges were, too.
    ...{ begin: startedAt, end: endedAt, startedAt, endedAt, date: endedAt },
    hasRequestBody: sent !== undefined || !(asNumber(request.bodySize) > 0),
    hasBody: body !== undefined,
    ...(typeof actor === 'string' && { actor }),
    asked: askedIn(_asked),
    hasCookies: headers.cookie !== undefined || (Array.isArray(request.cookies) && request.cookies.length > 0),
  };
}

/** In milliseconds; what is finer than those, Date does not read. */
const timeOf = (text: string): number => Date.parse(text) + Number(`0.${/\.\d{3}(\d+)/.exec(text)?.[1] ?? 0}`);

function askedIn(given: unknown): Asked | undefined {
  if (!isObject(given) || !Array.isArray(given.odd)) return undefined;
  const { kind: named, what } = objectOf(given.flaw);
  const kind = ([...FLAW_KINDS, 'lax-token'] as const).find((each) => each === named);
  const texts = given.odd.filter((part): part is string => typeof part === 'string');
  return {
    ...{ for: asText(given.for), odd: texts },
    ...(kind && { flaw: { kind, what: asText(what) } }),
    ...(given.isSegmented === true && { isSegmented: true }),
  };
}

function headersOf({ headers }: JsonObject, named: (name: string) => string | undefined): Record<string, string> {
  const found = new Map<string, string>();
  for (const header of Array.isArray(headers) ? headers : []) {
    if (!isObject(header) || typeof header.name !== 'string' || typeof header.value !== 'string') continue;
    const name = named(header.name.toLowerCase());
    // Those of HTTP/2, such as :authority, are none.
    if (name === undefined || name.startsWith(':')) continue;
    found.set(name, found.has(name) ? `${found.get(name)}, ${header.value}` : header.value);
  }
  return Object.fromEntries(found);
}

/** The text of a body. `encoding` is HAR's for responses; other tools write it for requests, too, or `_encoding`, as HAR wants its additions. */
function textIn({ text, encoding, _encoding = encoding }: JsonObject): string | undefined {
  if (typeof text !== 'string') return undefined;
  return _encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
}

/** The body of a response; undefined where the recording has left it out. */
function bodyOf({ content, status, bodySize }: JsonObject): string | undefined {
  const { size = 0 } = isObject(content) ? content : ({} as JsonObject);
  const text = isObject(content) ? textIn(content) : undefined;
  if (text !== undefined) return text;
  // Of a redirect, Chromium knows that nothing came, and not the size of the content.
  const isRedirect = asNumber(status) >= 300 && asNumber(status) < 400;
  const isSizeEmpty = asNumber(size) === 0 || (isRedirect && size === -1);
  return status === 204 || (isSizeEmpty && !(asNumber(bodySize) > 0)) ? '' : undefined;
}
