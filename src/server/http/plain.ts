import { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express, type Request, type Response } from 'express';

// Express gives each request and response another prototype. That costs more than all else that it does: V8 then neither
// optimises what touches them nor lets go of them in time (bare Node answers three times as many a second without it).
// So the API's steps take them as Node made them, and they become Express's own where something needs it to be so.

/** Has an app leave requests and responses as they are. */
export function leavePlain(app: Express): void {
  // Where it is mounted in another app, Express would change the prototypes of these prototypes.
  app.removeAllListeners('mount');
  app.request = IncomingMessage.prototype as Request;
  app.response = ServerResponse.prototype as Response;
}

const whole = express();
whole.disable('x-powered-by');
whole.disable('etag');
whole.set('query parser', 'simple');
whole.enable('case sensitive routing');
whole.enable('strict routing');

/** Gives a request what Express adds to it, such as `path`, `query` and `app`. */
export function asExpress(request: Request, response?: Response): void {
  if (Object.getPrototypeOf(request) === IncomingMessage.prototype) Object.setPrototypeOf(request, whole.request);
  if (response && Object.getPrototypeOf(response) === ServerResponse.prototype)
    Object.setPrototypeOf(response, whole.response);
}

/** The path of a request, without its query. */
export function pathOf({ url }: { readonly url: string }): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
