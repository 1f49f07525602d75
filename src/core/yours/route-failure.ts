import { ApiError } from '../operations/api-error.ts';
import type { Route } from './route.ts';

/** A route of your own that failed: a mistake in its file, not of the mock. The client gets a 500 without the reason. */
export class RouteFailure extends Error {
  override readonly name = 'RouteFailure';

  private constructor(
    route: Route,
    /** With its stack, where there is one. */
    readonly reason: string,
  ) {
    super(`your route ${route.source} failed: ${reason}`);
  }

  /** What a route threw; an ApiError is an answer, and stays what it is. */
  static of(route: Route, error: unknown): Error {
    if (error instanceof ApiError) return error;
    return new RouteFailure(route, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}
