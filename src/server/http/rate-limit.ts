import type { RequestHandler } from 'express';
import { apiError } from '../../core/operations/api-error.ts';
import { exchangeOf } from './exchange.ts';

/** Step: counts requests a minute and caller, on the world's clock (gap rate-limit). A caller is a token, or an address. */
export const limitRate: RequestHandler = (request, response, next) => {
  const { world } = exchangeOf(request);
  const limit = world.answers.get('rate-limit');
  if (limit === 0) return next();
  const caller = request.headers.authorization ?? request.socket.remoteAddress ?? '';
  const { made, secondsLeft } = world.rates.count(caller, world.clock.now());
  response.setHeader('RateLimit-Limit', String(limit));
  response.setHeader('RateLimit-Remaining', String(Math.max(0, limit - made)));
  if (made <= limit) return next();
  const message = `More than ${limit} requests in a minute; go on in ${secondsLeft} s.`;
  next(apiError(world.answers, 'rate-limited', message, { headers: { 'Retry-After': String(secondsLeft) } }));
};
