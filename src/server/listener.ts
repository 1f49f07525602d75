import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers';
import type { Express, Request, Response } from 'express';
import { isControl, isPage } from '../control/is-control.ts';
import type { Worlds } from '../core/world/worlds.ts';
import { controlRefusal, refuse } from './access.ts';
import type { Door, ListenerOptions } from './app.ts';
import { isPreflight } from './cors.ts';
import { nodeDoor, observeEnd } from './node-door.ts';
import type { Upstream } from './upstream.ts';

type Next = (error?: unknown) => void;

export type Listener = ReturnType<typeof listenerFor>;

/** Bypasses Express where possible: it serves pages, files and access rules. `upstream` answers what the mock does not know. */
export function listenerFor(worlds: Worlds, options: ListenerOptions = {}, upstream?: Upstream) {
  const door = doorFor(worlds, options, upstream);
  const rules = { ...options, upstreamPages: upstream };
  const serve: Door = (request, response) => {
    const refusal = isControl(request.url ?? '/') ? controlRefusal(request, rules) : undefined;
    if (refusal) refuse(response, refusal);
    else door(request, response);
  };
  let loading: Promise<Express> | undefined;
  const load = (): Promise<Express> => {
    loading ??= import('./app.ts').then(({ createApp }) => createApp(worlds, rules, serve));
    return loading;
  };
  const listener = (request: IncomingMessage, response: ServerResponse, next?: Next): void => {
    const { url = '/', method, headers } = request;
    const control = isControl(url);
    // A page of the upstream cannot hold a window that it opens here.
    if (control && upstream) response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    // Requests of pages need CORS; the mock's own pages are files.
    if (headers.origin !== undefined || method === 'OPTIONS' || (control && isPage(url))) {
      // Express adds what Node's requests and responses lack.
      load().then((app) => app(request as Request, response as Response, next as never), next);
    } else if (control) serve(request, response);
    else door(request, response);
  };
  return Object.assign(listener, { warm: load });
}

/** Answers without Express: the mock and the service behind it, if any. */
function doorFor(worlds: Worlds, options: ListenerOptions, upstream: Upstream | undefined): Door {
  const own = nodeDoor(worlds, options);
  if (!upstream) return own;
  const { observe, latency = 0 } = options;
  return (request, response) => {
    if (!upstream.takes(request)) return own(request, response);
    if (observe) observeEnd(request, response, { ...options, observe });
    // Whether cookies count is for the upstream to say.
    response.removeHeader('Access-Control-Allow-Credentials');
    if (isPreflight(request) && response.hasHeader('Access-Control-Allow-Origin')) letIn(request, response);
    else if (latency > 0) setTimeout(() => upstream.forward(request, response), latency);
    else upstream.forward(request, response);
  };
}

/** A preflight for the upstream. Its own answer is about other origins. Whether cookies count follows from the actual request. */
function letIn({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Methods', headers['access-control-request-method'] ?? '');
  response.setHeader('Access-Control-Allow-Credentials', 'true');
  response.setHeader('X-Mock-Basis', 'upstream');
  response.writeHead(204).end();
}
