import type { RequestHandler } from 'express';
import { readBody } from './body.ts';
import { authenticateCaller } from './credentials.ts';
import { exchangeOf } from './exchange.ts';
import { validateRequest } from './validation.ts';

const orders: { readonly [Precedence in 'credentials' | 'validation']: readonly RequestHandler[] } = {
  credentials: [authenticateCaller, readBody, validateRequest],
  validation: [readBody, validateRequest, authenticateCaller],
};

/** Step: who calls, and is the request valid? Which is told first is the gap error-precedence. */
export const guard: RequestHandler = (request, response, next) => {
  const steps = orders[exchangeOf(request).world.answers.get('error-precedence')];
  const run = (at: number): void => {
    const step = steps[at];
    if (!step) next();
    else void step(request, response, (error?: unknown) => (error ? next(error) : run(at + 1)));
  };
  run(0);
};
