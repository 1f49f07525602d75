import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * Several steps as one: as Express would run them one after the other, without the search through all its layers that
 * it makes between any two.
 */
export function inOrder(...steps: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => run(steps, 0, request, response, next);
}

function run(
  steps: readonly RequestHandler[],
  at: number,
  request: Request,
  response: Response,
  done: NextFunction,
): void {
  const step = steps[at];
  if (step === undefined) {
    done();
    return;
  }
  let isOver = false;
  const next: NextFunction = (error?: unknown) => {
    if (isOver) return;
    isOver = true;
    if (error) done(error);
    else run(steps, at + 1, request, response, done);
  };
  try {
    const result: unknown = step(request, response, next);
    if (result instanceof Promise) result.catch((error: unknown) => next(error ?? new Error('Rejected.')));
  } catch (error) {
    next(error ?? new Error('Thrown.'));
  }
}
