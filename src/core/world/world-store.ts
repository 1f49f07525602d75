import type { MockRequest } from '../message.ts';
import type { World } from './world.ts';

/**
 * Keeps the worlds beyond this process. Without one they are in memory only, and a request passes none of this.
 *
 * What every store promises: what an answer acknowledges is kept by the time it leaves; the next request reads it, and so does
 * whoever opens the store again.
 */
export interface WorldStore {
  /** Where it keeps them, for people: no credentials. */
  readonly place: string;
  /**
   * Answers a request: what `run` changes is kept before this resolves.
   * @param run may be called more than once, with a request that stands for the sent one; what it did before is undone then
   * @param discard is told of an outcome that does not count after all
   * @throws StoreUnavailable where it cannot be said that it was kept
   */
  serve<T>(request: MockRequest, run: (request: MockRequest) => Promise<T>, discard?: (outcome: T) => void): Promise<T>;
  /**
   * Changes the main world outside of any request, as `serve` does.
   * @throws StoreUnavailable
   */
  change<T>(work: (main: World) => T): Promise<T>;
}

/** The store cannot be reached, or did not confirm in time. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(
    message: string,
    /** Whether the request may have been carried out all the same. */
    readonly isUncertain = false,
  ) {
    super(message);
  }
}
