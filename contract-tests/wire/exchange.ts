import type { Method } from '../api/operations.ts';

export interface ClientRequest {
  method: Method;
  /** Relative to the base URL, with a leading slash, percent-encoded. */
  path: string;
  headers?: Record<string, string>;
  /** The header Accept, none where it is empty; default: application/json. */
  accept?: string;
  /** Sent as JSON with `Content-Type: application/json`. */
  json?: unknown;
  /** Sent as it is, instead of `json`: for what is not JSON, or has another media type. */
  raw?: { text: string; contentType: string };
  /** Sent without Content-Length, in chunks. */
  isChunked?: true;
  /** Its body is sent in two parts, some milliseconds apart. */
  isSegmented?: true;
  /** JSON in ASCII: other characters, @, and the first one of each name as `\\u` and four digits. */
  isEscaped?: boolean;
  note?: unknown;
}

/** An exchange as it was carried out: the request that was meant, and the order of sending and answering. */
export interface Carried {
  request: ClientRequest;
  /** A gateway answered in the API's place, or nothing did, and the request is sent again. */
  isTrouble: boolean;
  /** Numbers on one scale: two exchanges were under way at the same time where these ranges overlap. */
  begin: number;
  end: number;
}
