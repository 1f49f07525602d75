import type { Request, RequestHandler } from 'express';
import { ApiError, apiError } from '../../core/operations/api-error.ts';
import { bearerToken } from '../../core/operations/authenticate.ts';
import { exchangeOf } from './exchange.ts';

/** Security handler `bearer`: a JWT access token or a PAT (part 5). */
export function bearerHandler(request: Request): boolean {
  const exchange = exchangeOf(request);
  try {
    exchange.caller = exchange.behaviour.authenticate(exchange.world, request.headers.authorization);
    return true;
  } catch (error) {
    if (error instanceof ApiError) exchange.authError = error;
    throw error;
  } finally {
    exchange.noteHits();
  }
}

/** Security handler `refreshToken`: takes the token up; the operation judges it. */
export function refreshTokenHandler(request: Request): boolean {
  const exchange = exchangeOf(request);
  exchange.bearer = bearerToken(request.headers.authorization);
  return exchange.bearer !== undefined;
}

/** Step: who calls? */
export const authenticateCaller: RequestHandler = (request, response, next) => {
  const exchange = exchangeOf(request);
  const { answers } = exchange.world;
  if (hasTwo(request, 'authorization') && exchange.plan) {
    next(apiError(answers, 'invalid-credentials', 'The header Authorization was sent more than once.'));
    return;
  }
  void exchange.api.authenticate(request, response, (error?: unknown) => {
    if (!error) return next();
    if (exchange.authError) return next(exchange.authError);
    // The validator itself refused: there is no such header, or it is not about a bearer token.
    const status = (error as { status?: unknown }).status;
    if (status !== 401) return next(error);
    const kind = request.headers.authorization ? 'invalid-credentials' : 'missing-credentials';
    next(apiError(answers, kind, 'Send a token in the header Authorization: Bearer <token>.'));
  });
};

function hasTwo(request: Request, name: string): boolean {
  let found = 0;
  for (let at = 0; at < request.rawHeaders.length; at += 2)
    if (request.rawHeaders[at]?.length === name.length && request.rawHeaders[at]?.toLowerCase() === name) found += 1;
  return found > 1;
}
