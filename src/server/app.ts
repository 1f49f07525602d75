import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { isControl } from '../control/is-control.ts';
import { splitSandbox, type Worlds } from '../core/world/worlds.ts';
import { dashboard } from '../dashboard/router.ts';
import { allowControl } from './access.ts';
import { allowOrigins, isPreflight } from './cors.ts';
import { packageFile } from './files/package-root.ts';
import { type NodeDoorOptions, nodeDoor, observeEnd } from './node-door.ts';
import { openHealth } from './open-health.ts';
import type { PublicMode } from './public/public.ts';
import { servedMetrics } from './served-metrics.ts';
import type { Upstream } from './upstream.ts';

export interface AppOptions extends NodeDoorOptions {
  /** Required by the control plane; without it only local clients may call. */
  readonly controlToken?: string | undefined;
  /** Who may read metrics: `control`, whoever may call the control plane; `open`, everybody. */
  readonly metrics?: 'control' | 'open' | undefined;
  /** For a mock on the Internet. */
  readonly publicMode?: PublicMode | undefined;
}

/** The mock for a Node process. */
export interface NodeMock {
  /** The complete mock as an Express app, to be mounted anywhere. Never listens. */
  readonly app: Express;
  /** The same as a listener for Node's server: bypasses Express where possible. */
  readonly listener: RequestHandler;
}

/**
 * Combines CORS, the dashboard, access control and the mock.
 * @param upstream answers what the mock does not know
 */
export function createApp(worlds: Worlds, options: AppOptions = {}, upstream?: Upstream): NodeMock {
  const own = nodeDoor(worlds, options);
  const { observe, latencyMs = 0, publicMode } = options;
  const door = (request: IncomingMessage, response: ServerResponse): void => {
    if (!upstream?.takes(request)) own(request, response);
    else {
      // First: what is forwarded is changed.
      if (observe) observeEnd(request, response, { ...options, observe });
      if (isPreflight(request) && response.hasHeader('Access-Control-Allow-Origin')) letIn(request, response);
      else if (latencyMs > 0) setTimeout(() => upstream.forward(request, response), latencyMs);
      else upstream.forward(request, response);
    }
  };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(allowOrigins(options.cors));
  if (publicMode) app.use(publicMode.gate);
  app.use(belowMock(answerPreflight));
  app.use(belowMock(dashboard(packageFile('dist', 'dashboard'))));
  app.use(belowMock(openHealth(worlds)));
  if (options.metrics === 'open') app.use(belowMock(servedMetrics(worlds)));
  app.use(belowMock(publicMode?.allow ?? allowControl(options.controlToken, options.cors, options.client)));
  if (options.metrics === 'control') app.use(belowMock(servedMetrics(worlds)));
  app.use((request, response) => door(request, response));
  const fail: ErrorRequestHandler = (error, request, response, next) => {
    worlds.services.log('error', `BUG: ${request.method} ${request.path}: ${error?.stack ?? String(error)}`);
    if (response.headersSent) next(error);
    else
      response.status(500).json({ error: { code: 'internal_error', message: 'The mock failed; its log says why.' } });
  };
  app.use(fail);
  const listener: RequestHandler = (request, response, next) => {
    // Pages need CORS; the control plane has static files and access control.
    const needsExpress = request.headers.origin !== undefined || request.method === 'OPTIONS' || isControl(request.url);
    if (needsExpress) app(request, response, next);
    else if (publicMode) publicMode.gate(request, response, () => door(request, response));
    else door(request, response);
  };
  return { app, listener };
}

/** A preflight to the upstream, whose own answer is about other pages. Whether cookies count, its answer to the request says. */
function letIn({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Methods', headers['access-control-request-method'] ?? '');
  response.setHeader('Access-Control-Allow-Credentials', 'true');
  response.setHeader('X-Mock-Basis', 'upstream');
  response.writeHead(204).end();
}

/** Answers a preflight to the control plane; access is checked with the request itself. */
const answerPreflight: RequestHandler = (request, response, next) => {
  if (!isPreflight(request)) return next();
  response.setHeader('X-Mock-Basis', 'control');
  response.status(204).end();
};

/** Mounts a handler below the /_mock of every world. */
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
