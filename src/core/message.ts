// What comes in and what goes out, as plain values: whatever brings requests (a socket, a service worker, a test) turns
// them into these.

/** Names in lower case; a header that was sent several times may be a list. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A body, decompressed, or why there is none. */
export interface ReadBody {
  readonly bytes?: Uint8Array | undefined;
  readonly problem?: 'too-large' | 'encoding' | 'unreadable';
}

/** Reads a body that is still on its way, up to so many bytes. */
export type BodyReader = (limit: number) => Promise<ReadBody>;

/** The body of a request, read up to `limit` bytes. */
export const bodyOf = ({ body }: MockRequest, limit: number): ReadBody | Promise<ReadBody> => {
  if (typeof body === 'function') return body(limit);
  return body !== undefined && body.length > limit ? { problem: 'too-large' } : { bytes: body };
};

export interface MockRequest {
  readonly method: string;
  /** Path and query as they were sent, with the prefix of a sandbox. */
  readonly url: string;
  readonly headers: RequestHeaders;
  /** Name, value, name, value, … as they were sent. */
  readonly rawHeaders: readonly string[];
  /** Decompressed, or still to be read; undefined where none was sent. */
  readonly body?: Uint8Array | BodyReader | undefined;
  /** Scheme and authority by which the mock was reached, without a slash at the end. */
  readonly origin: string;
  /** Sent by a page of another site, which is not allowed to make sandboxes. */
  readonly isCrossSite?: boolean;
  /** Tells clients without credentials apart, for the rate limit. */
  readonly client: string;
}

export interface MockResponse {
  readonly status: number;
  /** All of them but those that HTTP itself needs, such as Content-Length. */
  readonly headers: Readonly<Record<string, string>>;
  /** A stream only where the answer is one: the journal's events. */
  readonly body: string | ReadableStream<Uint8Array>;
}

/** An answer of the API as it goes out, and what goes wrong on its way: on purpose, by a fault. */
export interface Delivery {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Milliseconds that it is held back. */
  readonly delayMs?: number;
  /** In pieces of that many characters, so far apart, and without Content-Length. */
  readonly pieces?: { readonly size: number; readonly everyMs: number };
  /** The connection is closed after that many bytes of the body; 0: without any answer. */
  readonly closeAfter?: number;
}

/** Whether an answer goes out at once and whole. */
export const isPlain = ({ delayMs, pieces, closeAfter }: Delivery): boolean =>
  delayMs === undefined && pieces === undefined && closeAfter === undefined;

/** The path of a URL without its query. */
export function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/** The parameters of a query; those sent several times as a list. Names of any kind are safe. */
export function queryOf(url: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  const start = url.indexOf('?');
  if (start === -1) return query;
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    const before = query[name];
    query[name] = before === undefined ? value : [...[before].flat(), value];
  }
  return query;
}

/** A header's value where it was sent; several as one, with commas between them. */
export const headerOf = (headers: RequestHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
};

/** How often a header was sent. */
export function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === name.length && rawHeaders[at]?.toLowerCase() === name) count += 1;
  return count;
}
