import express, { type Express, type RequestHandler, Router } from 'express';
import { controlPlane } from '../control/router.ts';
import { dashboard } from '../dashboard/router.ts';
import { behaviourFor, checkFaultIds } from '../core/faults/index.ts';
import { begin } from './http/begin.ts';
import { allowOrigins } from './http/cors.ts';
import { answerThrown } from './http/errors.ts';
import { guard } from './http/guards.ts';
import { inOrder } from './http/in-order.ts';
import { journalled } from './http/journal.ts';
import { matchOperation } from './http/match.ts';
import { meetEnvironment } from './http/meet.ts';
import { type Observer, observed } from './http/observe.ts';
import { asExpress, leavePlain } from './http/plain.ts';
import { answerPreferred } from './http/prefer.ts';
import { limitRate } from './http/rate-limit.ts';
import { runOperation } from './http/run.ts';
import { packageFile } from './files/package-root.ts';
import type { Worlds } from '../core/world/worlds.ts';

export interface AppOptions {
  /** Origins whose pages may call the API, beside the local ones. */
  readonly cors?: readonly string[] | undefined;
  /** Milliseconds that every answer of the API is held back. */
  readonly latencyMs?: number | undefined;
  /** Needed on the control plane, where set; else it is for this machine only. */
  readonly controlToken?: string | undefined;
  /** Sees every exchange once it is over: the place for a log, and for the journal. */
  readonly observe?: Observer | undefined;
}

/** The mock as an Express app: the way of a request, in order. Never listens. */
export function createApp(worlds: Worlds, options: AppOptions = {}): Express {
  const app = express();
  leavePlain(app);
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.enable('case sensitive routing');
  app.enable('strict routing');

  app.use(
    inOrder(
      begin(worlds, { behaviourFor, checkFaultIds }),
      journalled,
      observed(options.observe),
      allowOrigins(options.cors),
      // Files without data, before the control plane, which answers every path.
      below('/_mock', dashboard(packageFile('dist', 'dashboard'))),
      below('/_mock', controlPlane(worlds, { token: options.controlToken, cors: options.cors })),
      delay(options.latencyMs ?? 0),
      meetEnvironment,
      limitRate,
      matchOperation,
      answerPreferred,
      guard,
      runOperation,
    ),
  );
  app.use(answerThrown);
  return app;
}

const delay =
  (milliseconds: number): RequestHandler =>
  (_request, _response, next) => {
    if (milliseconds > 0) setTimeout(next, milliseconds);
    else next();
  };

/** A handler for what is below a path; asked for nothing else. */
function below(path: string, handler: RequestHandler): RequestHandler {
  const router = Router({ caseSensitive: true }).use(path, handler);
  return (request, response, next) => {
    if (!request.url.startsWith(path)) return next();
    asExpress(request, response);
    router(request, response, next);
  };
}
