export interface Observed {
  readonly method: string;
  /** As sent, with sandbox prefix and query. */
  readonly url: string;
  /** Undefined if the connection was closed before the whole response was sent. */
  readonly status: number | undefined;
  /** Value of the header X-Mock-Basis. */
  readonly basis: string;
  readonly milliseconds: number;
  /** Milliseconds of armed delays in these. */
  readonly delayMs: number;
  /** Id of the API's operation; undefined for other requests. */
  readonly operation: string | undefined;
  /** Ids of the faults that affected it. */
  readonly faults: readonly string[];
  readonly isPreflight: boolean;
  /** The origin of the page that sent it, if that is neither local nor allowed by `cors`. */
  readonly refusedOrigin: string | undefined;
}

export type Observer = (observed: Observed) => void;
