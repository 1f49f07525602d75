import { ApiError } from '../operations/api-error.ts';
import type { Route } from './route.ts';

/** A custom route failed because of a mistake in its file. The client gets a 500 without the reason. */
export class RouteFailure extends Error {
  override readonly name = 'RouteFailure';

  private constructor(
    route: Route,
    /** With its stack, if any. */
    readonly reason: string,
  ) {
    super(`your route ${route.source} failed: ${reason}`);
  }

  /** A failure from what a route threw; an ApiError is an answer and is returned unchanged. */
  static of(route: Route, error: unknown): Error {
    if (error instanceof ApiError) return error;
    return new RouteFailure(route, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}
