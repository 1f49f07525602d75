/** How a server ends, in milliseconds. */
export interface DrainOptions {
  /** It goes on answering for so long, while readiness probes and `Connection: close` send clients elsewhere. Default 0. */
  readonly delayMs?: number;
  /** Requests in flight may take so long after that. Default 2000. */
  readonly timeoutMs?: number;
}
