import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { JSONParser } from '@streamparser/json';
import { UsageError } from '../errors.ts';
import type { Recorded } from '../log/entry.ts';
import { asNumber, asText, isObject, type JsonObject, show } from '../values/json.ts';

export type RecordedEntry = Recorded & { answer: { entry: { number: number; startedAt: string } } };

class NotHar extends Error {}

/** What every client adds by itself, so that repeating the request needs none of it. */
const OF_THE_CLIENT = /^(host|connection|content-length|accept-encoding|accept-language|user-agent|sec-.*|priority)$/;
/** How the suite writes the names of request headers that its judgements look for. */
const NAMES = new Map(Object.entries({ authorization: 'Authorization', 'content-type': 'Content-Type' }));

/** The answered, uncached exchanges of a HAR 1.2 file of any size, plain or gzip'd. Throws UsageError that names file, entry and problem. */
export async function* readHar(file: string): AsyncGenerator<RecordedEntry> {
  let number = 0;
  try {
    for await (const entry of entriesIn(file)) {
      number += 1;
      const recorded = parseEntry(entry, number);
      if (recorded) yield recorded;
    }
  } catch (error) {
    throw new UsageError(`${file}: ${reasonOf(error)}`);
  }
}

/** Each entry as it is read: a file may be larger than the memory. */
async function* entriesIn(file: string): AsyncGenerator<unknown> {
  const parser = new JSONParser({ paths: ['$.log.entries.*'], keepStack: false });
  let isEmpty = true;
  let found: unknown[] = [];
  parser.onValue = ({ value, key }) => {
    if (typeof key === 'number') found.push(value);
  };
  for await (const bytes of bytesOf(file)) {
    try {
      parser.write(bytes);
    } catch {
      throw new NotHar('it is not JSON, or was cut');
    }
    isEmpty &&= found.length === 0;
    yield* found;
    found = [];
  }
  if (!parser.isEnded) throw new NotHar('it is not JSON, or was cut (it ends too early)');
  if (isEmpty) throw new NotHar('it has no exchanges in log.entries');
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
