import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { UsageError } from '../errors.ts';
import type { Recorded } from '../log/entry.ts';
import { isObject, type JsonObject, show } from '../values/json.ts';

export type RecordedEntry = Recorded & { answer: { entry: { number: number; startedAt: string } } };

class NotHar extends Error {}

/** What every client adds by itself, so that repeating the request needs none of it. */
const OF_THE_CLIENT = /^(host|connection|content-length|accept-encoding|accept-language|user-agent|sec-.*|priority)$/;
/** How the suite writes the names of request headers that its judgements look for. */
const NAMES = new Map(Object.entries({ authorization: 'Authorization', 'content-type': 'Content-Type' }));

/** The answered, uncached exchanges of a HAR 1.2 file, plain or gzip'd. Throws UsageError that names file, entry and problem. */
export async function readHar(file: string): Promise<RecordedEntry[]> {
  try {
    const bytes = await readFile(file);
    const start = bytes.toString('hex', 0, 2);
    if (bytes.length === 0) throw new NotHar('the file is empty');
    if (start === '504b') throw new NotHar('it is a ZIP archive; unpack it, and name the .har file that is in it');
    const text = (start === '1f8b' ? await promisify(gunzip)(bytes) : bytes).toString('utf8');
    return entriesIn(text.replace(/^\ufeff/, '')).flatMap((entry, at) => parseEntry(entry, at + 1) ?? []);
  } catch (error) {
    throw new UsageError(`${file}: ${reasonOf(error)}`);
  }
}

function entriesIn(text: string): unknown[] {
  const har: unknown = JSON.parse(text);
  const log = isObject(har) && isObject(har.log) ? har.log : {};
  if (!Array.isArray(log.entries)) throw new NotHar('it has no log.entries, a list of exchanges');
  return log.entries;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof NotHar) return `not a readable HAR: ${message}.`;
  if (error instanceof SyntaxError) return `not a readable HAR: it is not JSON, or was cut (${message.slice(0, 120)}).`;
  if (code === undefined) throw error;
  if (code.startsWith('Z_')) return `its gzip is damaged or truncated (${message}).`;
  if (code === 'ERR_STRING_TOO_LONG') return 'it is longer than 500 MB: record less at a time.';
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
  const startedAt = Date.parse(String(startedDateTime));
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
      entry: { number, startedAt: String(startedDateTime) },
      request: { method: method.toUpperCase(), url, headers, ...(typeof sent === 'string' && { body: sent }) },
      response: { status, headers: headersOf(response, (name) => name), body: body ?? '' },
      durationMs,
    },
    // Times of an entry are of one clock: they say in which order exchanges were, too.
    ...{ begin: startedAt, end: endedAt, startedAt, endedAt, date: endedAt },
    hasRequestBody: typeof sent === 'string' || !(Number(request.bodySize) > 0),
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
  const isRedirect = Number(status) >= 300 && Number(status) < 400;
  const isSizeEmpty = Number(size) === 0 || (isRedirect && size === -1);
  return status === 204 || (isSizeEmpty && !(Number(bodySize) > 0)) ? '' : undefined;
}
