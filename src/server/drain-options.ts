/** How a server ends, in milliseconds. */
export interface DrainOptions {
  /** How long it still answers while readiness probes and `Connection: close` send clients elsewhere. Default 0. */
  readonly delayMs?: number;
  /** How long requests in flight may then take. Default 2000. */
  readonly timeoutMs?: number;
}
