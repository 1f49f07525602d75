import type { RequestHandler } from 'express';
import { deliver } from './deliver.ts';
import { exchangeOf } from './exchange.ts';

/** Step: what the request meets on its way to the service. Normally nothing: it arrives as it was sent. */
export const meetEnvironment: RequestHandler = (request, response, next) => {
  const exchange = exchangeOf(request);
  const { world, behaviour, arrival } = exchange;
  const instead = behaviour.intercept(arrival, world);
  exchange.noteHits();
  if (instead) return deliver(response, exchange, instead);
  const received = behaviour.receive(arrival, world);
  exchange.noteHits();
  if (received !== arrival) {
    request.method = received.method;
    request.url = received.url;
    request.headers = received.headers;
  }
  next();
};
