import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UsageError } from '../errors.ts';
import type { Recorded } from '../log/entry.ts';
import { asNumber, asText, isObject, type JsonObject, show } from '../values/json.ts';

export type RecordedEntry = Recorded & {
  answer: { entry: { number: number; startedAt: string } };
  /** That of a recording whose secrets are pseudonyms. */
  salt?: string;
};

class NotHar extends Error {}

/** What every client adds by itself, so that repeating the request needs none of it. */
const OF_THE_CLIENT = /^(host|connection|content-length|accept-encoding|accept-language|user-agent|sec-.*|priority)$/;
/** How the suite writes the names of request headers that its judgements look for. */
const NAMES = new Map(Object.entries({ authorization: 'Authorization', 'content-type': 'Content-Type' }));

/** The answered, uncached exchanges of a HAR 1.2 file of any size, plain or gzip'd. Throws UsageError that names file, entry and problem. */
export async function* readHar(file: string): AsyncGenerator<RecordedEntry> {
  let number = 0;
  try {
    for await (const { entry, salt } of entriesIn(file)) {
      number += 1;
      const recorded = parseEntry(entry, number);
      if (recorded) yield { ...recorded, salt };
    }
  } catch (error) {
    throw new UsageError(`${file}: ${reasonOf(error)}`);
  }
}

/** Each entry as it is read: a file may be larger than the memory. */
async function* entriesIn(file: string): AsyncGenerator<{ entry: unknown; salt?: string }> {
  const splitter = new EntrySplitter();
  for await (const text of textOf(file))
    for (const entry of splitter.split(text)) yield { entry: JSON.parse(entry), salt: splitter.salt };
  const { entries } = splitter.rest();
  if (entries === 0) throw new NotHar('it has no exchanges in log.entries');
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

  /** What was around the entries. Throws SyntaxError where that is no JSON. */
  rest() {
    JSON.parse(this.#outline);
    return { entries: this.#entries };
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

async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const bytes of bytesOf(file)) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  await using handle = await open(file);
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  const start = buffer.toString('hex', 0, bytesRead);
  const bytes = handle.createReadStream({ start: 0 });
  if (start === '') throw new NotHar('the file is empty');
  if (start === '504b') throw new NotHar('it is a ZIP archive; unpack it, and name the .har file that is in it');
  yield* start === '1f8b' ? pipeline(bytes, createGunzip(), () => undefined) : bytes;
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
  const { request, response, startedDateTime, time, _fromCache: cache } = entry;
  if (!isObject(request)) throw wrong('request', 'an object', request);
  if (!isObject(response)) throw wrong('response', 'an object', response);
  const { method, url } = request;
  const { status } = response;
  if (typeof method !== 'string') throw wrong('request.method', 'a string', method);
  if (typeof url !== 'string' || !URL.canParse(url)) throw wrong('request.url', 'a URL', url);
  if (typeof status !== 'number') throw wrong('response.status', 'a number', status);
  const startedAt = Date.parse(asText(startedDateTime));
  if (!Number.isFinite(startedAt)) throw wrong('startedDateTime', 'an ISO 8601 date-time', startedDateTime);
  // Chromium says so of what it did not request.
  if (status < 200 || status === 304 || cache) return undefined;
  const headers = headersOf(request, (name) => (OF_THE_CLIENT.test(name) ? undefined : (NAMES.get(name) ?? name)));
  const durationMs = typeof time === 'number' && time > 0 ? time : 0;
  const endedAt = startedAt + durationMs;
  const sent = isObject(request.postData) ? request.postData.text : undefined;
  const body = bodyOf(response);
  return {
    answer: {
      entry: { number, startedAt: asText(startedDateTime) },
      request: { method: method.toUpperCase(), url, headers, ...(typeof sent === 'string' && { body: sent }) },
      response: { status, headers: headersOf(response, (name) => name), body: body ?? '' },
      durationMs,
    },
    // Times of an entry are of one clock: they say in which order exchanges were, too.
    ...{ begin: startedAt, end: endedAt, startedAt, endedAt, date: endedAt },
    hasRequestBody: typeof sent === 'string' || !(asNumber(request.bodySize) > 0),
    hasBody: body !== undefined,
    hasCookies: headers.cookie !== undefined || (Array.isArray(request.cookies) && request.cookies.length > 0),
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

/** The body of a response; undefined where the recording has left it out. */
function bodyOf({ content, status, bodySize }: JsonObject): string | undefined {
  const { text, encoding, size = 0 } = isObject(content) ? content : ({} as JsonObject);
  if (typeof text === 'string') return encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
  // Of a redirect, Chromium knows that nothing came, and not the size of the content.
  const isRedirect = asNumber(status) >= 300 && asNumber(status) < 400;
  const isSizeEmpty = asNumber(size) === 0 || (isRedirect && size === -1);
  return status === 204 || (isSizeEmpty && !(asNumber(bodySize) > 0)) ? '' : undefined;
}
