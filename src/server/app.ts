import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { isControl } from '../control/handle.ts';
import { splitSandbox, type Worlds } from '../core/world/worlds.ts';
import { dashboard } from '../dashboard/router.ts';
import { allowControl } from './access.ts';
import { allowOrigins } from './cors.ts';
import { packageFile } from './files/package-root.ts';
import { type NodeDoorOptions, nodeDoor } from './node-door.ts';

export interface AppOptions extends NodeDoorOptions {
  /** Needed on the control plane, where set; else it is for this machine only. */
  readonly controlToken?: string | undefined;
}

/** The mock for a Node process: as an Express app, and as what to give Node's own server. */
export interface NodeMock {
  /** Everything, to be mounted anywhere. Never listens. */
  readonly app: Express;
  /** The same for a server of its own: what needs nothing of Express goes past it. */
  readonly listener: RequestHandler;
}

/** Puts the doors of a process together: CORS, the dashboard and its files, access to the control plane, the mock. */
export function createApp(worlds: Worlds, options: AppOptions = {}): NodeMock {
  const door = nodeDoor(worlds, options);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(allowOrigins(options.cors));
  app.use(belowMock(answerPreflight));
  app.use(belowMock(dashboard(packageFile('dist', 'dashboard'))));
  app.use(belowMock(allowControl(options.controlToken, options.cors)));
  app.use((request, response) => door(request, response));
  const fail: ErrorRequestHandler = (error, request, response, next) => {
    worlds.services.log('error', `BUG: ${request.method} ${request.path}: ${error?.stack ?? String(error)}`);
    if (response.headersSent) next(error);
    else
      response.status(500).json({ error: { code: 'internal_error', message: 'The mock failed; its log says why.' } });
  };
  app.use(fail);
  const listener: RequestHandler = (request, response, next) => {
    // Pages need CORS; the control plane has files and rules of access.
    const needsExpress = request.headers.origin !== undefined || request.method === 'OPTIONS' || isControl(request.url);
    if (needsExpress) app(request, response, next);
    else door(request, response);
  };
  return { app, listener };
}

/** A browser asks before it calls the control plane; who may call is decided when it does. */
const answerPreflight: RequestHandler = ({ method, headers }, response, next) => {
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return next();
  response.setHeader('X-Mock-Basis', 'control');
  response.status(204).end();
};

/** A handler for the control plane of every world: it sees the path below /_mock, whatever stands before it. */
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
