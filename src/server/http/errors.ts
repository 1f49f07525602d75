import type { ErrorRequestHandler } from 'express';
import { logError } from '../../log.ts';
import { ApiError } from '../../core/operations/api-error.ts';
import { answerError, internalError } from './answer.ts';
import { bodyGaps, contentOf, renderError } from './error-body.ts';
import { exchangeOrNone } from './exchange.ts';
import { pathOf } from './plain.ts';

/** The last step: tells the client what was thrown. Wire errors say what they say; anything else is a bug of ours. */
export const answerThrown: ErrorRequestHandler = (error, request, response, next) => {
  const exchange = exchangeOrNone(request);
  if (!exchange || response.headersSent) {
    logError(`BUG: ${describe(error)}`);
    return next(error);
  }
  const { answers } = exchange.world;
  for (const gap of bodyGaps(answers)) exchange.assume(gap);
  if (error instanceof ApiError) {
    exchange.error = error;
    for (const gap of error.gaps) exchange.assume(gap);
    const body = renderError(contentOf(error), answers);
    return answerError(request, response, { status: error.kind.status, headers: error.headers, body });
  }
  exchange.world.ownViolations += 1;
  logError(`BUG: ${request.method} ${pathOf(request)}: ${describe(error)}`);
  answerError(request, response, internalError(exchange));
};

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
