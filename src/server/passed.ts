/** Node's Buffer, by what of it is used: so these types need no @types/node. */
export interface Bytes extends Uint8Array {
  toString(encoding?: 'utf8' | 'base64'): string;
}

/** An exchange as it passed a server of ours. */
export interface Passed {
  readonly method: string;
  readonly url: string;
  readonly httpVersion: string;
  readonly requestHeaders: Record<string, string>;
  readonly requestBody: Bytes;
  readonly status: number;
  readonly statusText: string;
  /** Cookies are on a line each. */
  readonly responseHeaders: Record<string, string>;
  readonly responseBody: Bytes;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
}
