import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { asText } from '../../contract-tests/values/json.ts';
import { isControl } from '../control/is-control.ts';
import { splitSandbox, type Worlds } from '../core/world/worlds.ts';
import { dashboard } from '../dashboard/router.ts';
import type { AccessRules } from './access.ts';
import { allowOrigins, isPreflight } from './cors.ts';
import { packageFile } from './files/package-root.ts';
import type { NodeDoorOptions } from './node-door.ts';

/** Answers without Express. */
export type Door = (request: IncomingMessage, response: ServerResponse) => void;

export interface ListenerOptions extends NodeDoorOptions, AccessRules {}

/** The mock as an Express app: CORS and pages come before `serve`. Never listens. */
export function createApp(worlds: Worlds, options: ListenerOptions, serve: Door): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(allowOrigins(options.cors));
  const pages = express.Router({ caseSensitive: true });
  pages.use('/_mock', dashboard(packageFile('dist', 'dashboard'), options.upstreamPages?.pageKey));
  app.use((request, response, next) => {
    const sent = request.url;
    if (!isControl(sent)) return next();
    if (isPreflight(request)) {
      // Access is checked with the actual request.
      response.setHeader('X-Mock-Basis', 'control');
      response.status(204).end();
      return;
    }
    request.url = splitSandbox(sent).url;
    pages(request, response, (error?: unknown) => {
      request.url = sent;
      next(error);
    });
  });
  app.use((request, response) => serve(request, response));
  const fail: ErrorRequestHandler = (error, request, response, next) => {
    worlds.services.log('error', `BUG: ${request.method} ${request.path}: ${asText(error?.stack ?? asText(error))}`);
    if (response.headersSent) next(error);
    else
      response.status(500).json({ error: { code: 'internal_error', message: 'The mock failed; its log says why.' } });
  };
  app.use(fail);
  return app;
}
