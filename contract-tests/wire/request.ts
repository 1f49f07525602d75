import type { Exchange } from '../model.ts';

/** What the suite ever sends: nothing that deletes or replaces. */
export type Method = 'GET' | 'POST' | 'PATCH';

export interface ClientRequest {
  method: Method;
  /** Relative to the base URL, with a leading slash, percent-encoded. */
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON with `Content-Type: application/json`. */
  json?: unknown;
  /** Sent as it is, instead of `json`: for what is not JSON, or has another media type. */
  raw?: { text: string; contentType: string };
}

/** A response that arrived whole. */
export interface Answer extends Exchange {
  response: NonNullable<Exchange['response']>;
}
