import type { Exchange } from '../model.ts';
import { parseJson } from './json.ts';

/** What the suite ever sends: nothing that deletes or replaces. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'OPTIONS';

export interface ClientRequest {
  method: Method;
  /** Relative to the base URL, with a leading slash, percent-encoded. */
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON with `Content-Type: application/json`. */
  json?: unknown;
  /** Sent as it is, instead of `json`: for what is not JSON, or has another media type. */
  raw?: { text: string; contentType: string };
  /** Sent without Content-Length, in chunks. */
  isChunked?: true;
  /** Handed on with the exchange: for what it was sent. */
  note?: unknown;
}

/** An exchange as it was carried out: the request that was meant, and the order of sending and answering. */
export interface Carried {
  request: ClientRequest;
  /** Numbers on one scale: two exchanges were under way at the same time where these ranges overlap. */
  begin: number;
  end: number;
}

/** A response that arrived whole. */
export interface Answer extends Exchange {
  response: NonNullable<Exchange['response']>;
}

/** Whether it is a "success response" (part 4): the document names no code, so any 2xx is one. */
export function isSuccess({ response }: Pick<Answer, 'response'>): boolean {
  return response.status >= 200 && response.status < 300;
}

/** `200 application/json`, for messages. */
export function describe({ response }: Answer): string {
  const type = response.headers['content-type'];
  return type ? `${response.status} ${type}` : String(response.status);
}

/** The response's body as JSON, whatever its media type says; undefined when it is not JSON. */
export function jsonOf({ response }: Pick<Answer, 'response'>): unknown {
  if (!parsed.has(response)) parsed.set(response, parseJson(response.body));
  return parsed.get(response);
}

/** Many checks look into the same answer. */
const parsed = new WeakMap<object, unknown>();
