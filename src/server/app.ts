import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { isControl } from '../control/is-control.ts';
import { splitSandbox, type Worlds } from '../core/world/worlds.ts';
import { dashboard } from '../dashboard/router.ts';
import { type AccessRules, allowControl } from './access.ts';
import { allowOrigins, isPreflight } from './cors.ts';
import { packageFile } from './files/package-root.ts';
import type { NodeDoorOptions } from './node-door.ts';
import { openHealth } from './open-health.ts';
import { servedMetrics } from './served-metrics.ts';

/** Answers the API and its control plane without Express. */
export type Door = (request: IncomingMessage, response: ServerResponse) => void;

export interface ListenerOptions extends NodeDoorOptions, AccessRules {
  /** Who may read metrics: `control`, clients of the control plane; `open`, everyone. */
  readonly metrics?: 'control' | 'open' | undefined;
}

/** The mock as an Express app: CORS, pages, probes and access rules come before the mock. Never listens. */
export function createApp(worlds: Worlds, options: ListenerOptions, door: Door): Express {
  const { metrics, upstreamPages } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(allowOrigins(options.cors));
  app.use(belowMock(answerPreflight));
  app.use(belowMock(dashboard(packageFile('dist', 'dashboard'), upstreamPages?.pageKey)));
  app.use(belowMock(openHealth(worlds)));
  if (metrics === 'open') app.use(belowMock(servedMetrics(worlds)));
  app.use(belowMock(allowControl(options)));
  if (metrics === 'control') app.use(belowMock(servedMetrics(worlds)));
  app.use((request, response) => door(request, response));
  const fail: ErrorRequestHandler = (error, request, response, next) => {
    worlds.services.log('error', `BUG: ${request.method} ${request.path}: ${error?.stack ?? String(error)}`);
    if (response.headersSent) next(error);
    else
      response.status(500).json({ error: { code: 'internal_error', message: 'The mock failed; its log says why.' } });
  };
  app.use(fail);
  return app;
}

/** Answers a preflight to the control plane; access is checked with the actual request. */
const answerPreflight: RequestHandler = (request, response, next) => {
  if (!isPreflight(request)) return next();
  response.setHeader('X-Mock-Basis', 'control');
  response.status(204).end();
};

function belowMock(handler: RequestHandler): RequestHandler {
  const router = express.Router({ caseSensitive: true }).use('/_mock', handler);
  return (request, response, next) => {
    if (!isControl(request.url)) return next();
    const sent = request.url;
    request.url = splitSandbox(sent).url;
    router(request, response, (error?: unknown) => {
      request.url = sent;
      next(error);
    });
  };
}
