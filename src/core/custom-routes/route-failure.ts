import type { Route } from './route.ts';

/** A custom route failed because of a mistake in its file. The client gets a 500 without the reason. */
export class RouteFailure extends Error {
  override readonly name = 'RouteFailure';

  constructor({ source }: Route, error: unknown) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    super(`your route ${source} failed: ${reason}`);
  }
}
