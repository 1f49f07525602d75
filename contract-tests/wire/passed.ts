/** Node's Buffer, by what of it is used: so these types need no @types/node. */
export interface Bytes extends Uint8Array {
  toString(encoding?: 'utf8' | 'base64'): string;
}

/** Bytes of a body that are kept; of a longer one nothing is, or no reader would take the recording: in JSON, one may need six. */
export const LONGEST_BODY = 5 * 1024 * 1024;

export interface Passed {
  readonly method: string;
  readonly url: string;
  readonly httpVersion: string;
  readonly requestHeaders: Record<string, string>;
  /** As sent; empty where it is longer than 5 MB. */
  readonly requestBody: Bytes;
  /** In bytes. Default: that of `requestBody`. */
  readonly requestSize?: number;
  readonly status: number;
  readonly statusText: string;
  /** Cookies are on a line each. */
  readonly responseHeaders: Record<string, string>;
  /** As sent; empty where it is longer than 5 MB. */
  readonly responseBody: Bytes;
  /** In bytes. Default: that of `responseBody`. */
  readonly responseSize?: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** Who called, where that is known: an actor by its name, or a user by the id. */
  readonly actor?: string | undefined;
  /** For what the suite sent it: `replay --finding` judges by that, too. */
  readonly asked?: object | undefined;
}
