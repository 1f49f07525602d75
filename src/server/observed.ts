/** A summary of one completed exchange. */
export interface Observed {
  readonly method: string;
  /** As sent, with sandbox prefix and query. */
  readonly url: string;
  /** Undefined if the connection was closed before the whole response was sent. */
  readonly status: number | undefined;
  /** Value of the header X-Mock-Basis. */
  readonly basis: string;
  readonly milliseconds: number;
  /** Milliseconds of these by which the response was delayed on purpose. */
  readonly delayMs: number;
  /** Id of the API's operation; undefined if the request is none. */
  readonly operation: string | undefined;
  /** Ids of the faults that affected it. */
  readonly faults: readonly string[];
  /** A browser asks whether a page may send a request. */
  readonly isPreflight: boolean;
  /** The origin of the page that sent it, if that is neither local nor allowed by `cors`. */
  readonly refusedOrigin: string | undefined;
}

export type Observer = (observed: Observed) => void;
