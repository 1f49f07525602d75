import type { RequestHandler } from 'express';
import { deliver } from './deliver.ts';
import { exchangeOf } from './exchange.ts';

/** Step: what the request meets on its way to the service. Normally nothing: it arrives as it was sent. */
export const meetEnvironment: RequestHandler = (request, response, next) => {
  const { world, behaviour, arrival } = exchangeOf(request);
  const instead = behaviour.intercept(arrival, world);
  if (instead) return deliver(response, instead);
  const received = behaviour.receive(arrival, world);
  if (received !== arrival) {
    request.method = received.method;
    request.url = received.url;
    request.headers = received.headers;
  }
  next();
};
