import type { RequestHandler } from 'express';
import { isControl } from './begin.ts';
import { exchangeOf } from './exchange.ts';

/** Step: the world's journal takes note of every request to the API. */
export const journalled: RequestHandler = (request, _response, next) => {
  if (!isControl(request)) {
    const exchange = exchangeOf(request);
    exchange.number = exchange.world.journal.begin(exchange);
  }
  next();
};
