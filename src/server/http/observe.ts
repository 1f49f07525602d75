import type { RequestHandler, Response } from 'express';
import { type Exchange, exchangeOf } from './exchange.ts';

/** What there is to see of one exchange. */
export interface Observed {
  readonly exchange: Exchange;
  readonly method: string;
  /** As the client sent it, sandbox prefix and query included. */
  readonly url: string;
  readonly status: number;
  /** Value of the header X-Mock-Basis. */
  readonly basis: string;
  readonly milliseconds: number;
}

export type Observer = (observed: Observed) => void;

/** Step: tells the observer once the answer is out. */
export function observed(observe: Observer | undefined): RequestHandler {
  return (request, response, next) => {
    if (!observe) return next();
    const started = performance.now();
    const { method, originalUrl: url } = request;
    const exchange = exchangeOf(request);
    response.once('finish', () => {
      const basis = basisOf(exchange, response);
      const milliseconds = performance.now() - started;
      observe({ exchange, method, url, status: response.statusCode, basis, milliseconds });
    });
    next();
  };
}

/** The API's answers are written out with all their headers at once; the control plane's are set one by one. */
function basisOf({ answered }: Exchange, response: Response): string {
  const headers = answered?.headers ?? {};
  return String(headers['X-Mock-Basis'] ?? response.getHeader('X-Mock-Basis') ?? '');
}
