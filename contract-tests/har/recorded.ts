import type { Recorded } from '../log/entry.ts';
import type { Answer } from '../values/answer.ts';
import { isObject, type JsonObject, show } from '../values/json.ts';
import type { Unpacked } from './bodies.ts';
import { type EntryText, NotHar } from './split-entries.ts';

/** An exchange of a recording, with its place in it. */
export interface RecordedEntry extends Recorded {
  answer: Answer & { entry: { number: number; startedAt: string } };
}

/** What every client adds by itself, so that repeating the request needs none of it. */
const OF_THE_CLIENT = /^(host|connection|content-length|accept-encoding|accept-language|user-agent|sec-.*|priority)$/;
/** How the suite writes the names of request headers that its judgements look for. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['authorization', 'Authorization'],
  ['content-type', 'Content-Type'],
]);

/** An entry as an exchange; undefined where it was aborted or cached. Throws NotHar with entry number and wrong member. */
export function parseEntry({ number, bytes }: EntryText): RecordedEntry | undefined {
  const entry = jsonOfEntry(number, bytes);
  const wrong = (member: string, expected: string, found: unknown): NotHar =>
    new NotHar(`entry ${number}: ${member} must be ${expected}; it is ${show(found)}`);
  const { request, response, startedDateTime, time } = entry;
  if (!isObject(request)) throw wrong('request', 'an object', request);
  if (!isObject(response)) throw wrong('response', 'an object', response);
  const { method, url } = request;
  if (typeof method !== 'string') throw wrong('request.method', 'a string', method);
  if (typeof url !== 'string' || !URL.canParse(url)) throw wrong('request.url', 'a URL', url);
  const { status } = response;
  if (typeof status !== 'number') throw wrong('response.status', 'a number', status);
  const startedAt = Date.parse(String(startedDateTime));
  if (!Number.isFinite(startedAt)) throw wrong('startedDateTime', 'an ISO 8601 date-time', startedDateTime);
  if (status < 200 || status === 304 || isCached(entry)) return undefined;
  const requestHeaders = headersOf(request, (name) =>
    OF_THE_CLIENT.test(name) ? undefined : (NAMES.get(name) ?? name),
  );
  const durationMs = typeof time === 'number' && time > 0 ? time : 0;
  const sent = isObject(request.postData) ? request.postData.text : undefined;
  const body = bodyOf(response);
  return {
    answer: {
      entry: { number, startedAt: String(startedDateTime) },
      request: {
        method: method.toUpperCase(),
        url,
        headers: requestHeaders,
        ...(typeof sent === 'string' ? { body: sent } : {}),
      },
      response: { status, headers: headersOf(response, (name) => name), body: body ?? '' },
      durationMs,
    },
    ...timesOf(startedAt, durationMs),
    hasRequestBody: typeof sent === 'string' || !(Number(request.bodySize) > 0),
    hasBody: body !== undefined,
    hasCookies: requestHeaders.cookie !== undefined || (Array.isArray(request.cookies) && request.cookies.length > 0),
  };
}

/** An exchange that was seen as it passed. */
export function recordedOf(
  { exchange, sent, answered }: Unpacked,
  entry: RecordedEntry['answer']['entry'],
): RecordedEntry {
  const { request, response = { status: 0, headers: {}, body: '' }, durationMs } = exchange;
  const named = Object.entries(request.headers).map(([name, value]) => [NAMES.get(name.toLowerCase()) ?? name, value]);
  const startedAt = Date.parse(entry.startedAt);
  return {
    answer: { ...exchange, entry, request: { ...request, headers: Object.fromEntries(named) }, response },
    ...timesOf(startedAt, durationMs),
    hasRequestBody: sent.text !== undefined,
    hasBody: answered.text !== undefined,
    hasCookies: request.headers.cookie !== undefined,
  };
}

/** Times of an entry are of one clock: they say in which order exchanges were, too. */
function timesOf(startedAt: number, durationMs: number) {
  const endedAt = startedAt + durationMs;
  return { begin: startedAt, end: endedAt, startedAt, endedAt, date: endedAt };
}

function jsonOfEntry(number: number, bytes: Buffer): JsonObject {
  try {
    return JSON.parse(bytes.toString('utf8')) as JsonObject;
  } catch (error) {
    throw new NotHar(`entry ${number} is not JSON (${(error as Error).message.slice(0, 120)})`);
  }
}

/** Chromium says so of what it did not request. */
const isCached = ({ _fromCache: fromCache }: JsonObject): boolean => typeof fromCache === 'string' && fromCache !== '';

function headersOf({ headers }: JsonObject, named: (name: string) => string | undefined): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  for (const header of Array.isArray(headers) ? headers : []) {
    if (!isObject(header) || typeof header.name !== 'string' || typeof header.value !== 'string') continue;
    if (header.name.startsWith(':')) continue; // of HTTP/2, such as :authority
    const name = named(header.name.toLowerCase());
    if (name === undefined) continue;
    found[name] = found[name] === undefined ? header.value : `${found[name]}, ${header.value}`;
  }
  return { ...found };
}

/** The body of a response; undefined where the recording has left it out. */
function bodyOf({ content, status, bodySize }: JsonObject): string | undefined {
  const { text, encoding, size } = isObject(content) ? content : ({} as JsonObject);
  if (typeof text === 'string') return encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
  // Of a redirect, Chromium knows that nothing came, and not the size of the content.
  const isRedirect = Number(status) >= 300 && Number(status) < 400;
  const isSizeEmpty = Number(size ?? 0) === 0 || (isRedirect && size === -1);
  const isEmpty = status === 204 || (isSizeEmpty && !(Number(bodySize) > 0));
  return isEmpty ? '' : undefined;
}
