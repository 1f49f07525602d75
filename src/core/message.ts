import { memberOf, setMember } from '../../contract-tests/values/json.ts';
import { memoized } from './memoized.ts';

// Requests and responses as plain values. Every door (socket, service worker, test) converts to and from these.

/** Names in lower case; a header that was sent more than once may be a list. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ReadBody {
  readonly bytes?: Uint8Array | undefined;
  readonly problem?: 'too-large' | 'encoding' | 'unreadable';
}

/** Reads a body that has not yet arrived, up to `limit` bytes. */
export type BodyReader = (limit: number) => ReadBody | Promise<ReadBody>;

/** Reads the body of a request, up to `limit` bytes. */
export const readBytes = ({ body }: MockRequest, limit: number): ReadBody | Promise<ReadBody> => {
  if (typeof body === 'function') return body(limit);
  return body !== undefined && body.length > limit ? { problem: 'too-large' } : { bytes: body };
};

export interface MockRequest {
  readonly method: string;
  /** Path and query as sent, with the prefix of a sandbox. */
  readonly url: string;
  readonly headers: RequestHeaders;
  /** Name, value, name, value, … as sent. */
  readonly rawHeaders: readonly string[];
  /** Decompressed, or a reader; code that reads ahead sets one that repeats. Undefined if none was sent. */
  body?: Uint8Array | BodyReader | undefined;
  /** Scheme and authority under which the mock was addressed, without a trailing slash. */
  readonly origin: string;
  /** Sent by a page of another site, which must not create sandboxes. */
  readonly isCrossSite?: boolean;
  /**
   * The client is Chromium on a connection that it has used before: it sends a request again, unseen by its page, where such a
   * connection closes without an answer.
   */
  readonly isRepeatedIfClosed?: boolean;
  /** Identifies clients without credentials, for the rate limit. */
  readonly client: string;
  /** How long it has waited since it arrived, in milliseconds. */
  readonly waitedMs?: number | undefined;
}

export interface MockResponse {
  readonly status: number;
  /** All except those of HTTP framing, such as Content-Length. */
  readonly headers: Readonly<Record<string, string>>;
  /** A stream only for events and HAR of the journal. */
  readonly body: string | ReadableStream<Uint8Array>;
}

/** A response of the API as it is sent, with the transport faults to apply. */
export interface Delivery {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly delayMs?: number;
  /** Sent in chunks of `size` characters every `everyMs` milliseconds, without Content-Length. */
  readonly pieces?: { readonly size: number; readonly everyMs: number };
  readonly bytesPerSecond?: number;
  /** Closes the connection after that many bytes of the body; 0: without a response. */
  readonly closeAfter?: number;
}

/** The connection is closed, and nothing is sent. */
export const dropped: Delivery = { status: 502, headers: {}, text: '', closeAfter: 0 };

export const bodiless: readonly number[] = [204, 205, 304];

/** Whether a response is sent at once and complete. */
export const isPlain = ({ delayMs, pieces, bytesPerSecond, closeAfter }: Delivery): boolean =>
  delayMs === undefined && pieces === undefined && bytesPerSecond === undefined && closeAfter === undefined;

export function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/** A path without the slash at its end. */
export const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

/** The parameters of a query; repeated ones as a list. Has no prototype, so any name is safe. */
export function queryOf(url: string): Record<string, string | string[]> {
  const start = url.indexOf('?');
  return formOf(start === -1 ? '' : url.slice(start + 1));
}

/** The members of a form, as of a query. */
export function formOf(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  if (text === '') return query;
  for (const [name, value] of new URLSearchParams(text)) {
    const before = memberOf(query, name);
    setMember(query, name, before === undefined ? value : [...[before].flat(), value]);
  }
  return query;
}

/** A header's value, if it was sent; several values are joined with commas. */
export const headerOf = (headers: RequestHeaders, name: string): string | undefined => {
  const value = memberOf(headers, name);
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
};

export function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === name.length && rawHeaders[at]?.toLowerCase() === name) count += 1;
  return count;
}

/** Whether a text is as a pattern says, in which `*` matches anything. In linear time, unlike a regular expression. */
export function isLike(text: string, pattern: string): boolean {
  if (!pattern.includes('*')) return text === pattern;
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop() ?? '';
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Type and charset of a Content-Type header, lower-case; clients send the same few. */
export const parseMediaType = memoized(100, (header) => {
  const [type = '', ...parameters] = header.toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/.exec(parameter)?.[1])
    .find(Boolean);
  return { type: type.trim(), charset };
});
