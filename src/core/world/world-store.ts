import type { MockRequest } from '../message.ts';

/** Keeps the worlds beyond this process: what an answer acknowledges is kept before it leaves, for the next request and process. */
export interface WorldStore {
  /** Where it keeps them, for messages: without credentials. */
  readonly place: string;
  /**
   * Answers a request: the changes of `run` are kept before this resolves.
   * @param run may be called more than once; earlier effects are undone before
   * @param discard called for an outcome that does not count
   * @throws StoreUnavailable if it cannot confirm that they were kept
   */
  serve<T>(request: MockRequest, run: () => Promise<T>, discard?: (outcome: T) => void): Promise<T>;
  /** Whether a world that was in use is gone from the store, so that it is new; says so once. */
  tellLost?(name: string): boolean;
  /** Changes the main world outside of any request, as `serve` does; may throw StoreUnavailable. */
  change<T>(work: () => T): Promise<T>;
}

/** The store cannot be reached, or did not confirm in time. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(
    message: string,
    /** Whether the request may have been carried out. */
    readonly isUncertain = false,
  ) {
    super(message);
  }
}
