import { timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { Refusal } from '../control/refusal.ts';
import { type ClientAddress, directClient } from './client-address.ts';
import { isTrustedOrigin } from './cors.ts';

const localName = /^(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const localAddress = /^(127\.|::1$|::ffff:127\.)/;

/**
 * Allows the control plane to local clients whose Host is local too (with DNS rebinding a page still sends its own name),
 * or, if a token is set, to clients that send it.
 */
export const allowControl =
  (token: string | undefined, origins?: readonly string[], client = directClient): RequestHandler =>
  (request, response, next) => {
    const { origin } = request.headers;
    if (!isTrustedPage(request, origins))
      return refuseAccess(
        response,
        `Pages of this origin may not call the control plane; --cors ${origin} allows them.`,
      );
    if (token === undefined ? isLocal(request, client) : hasToken(request, token)) return next();
    const how = token === undefined ? 'local clients only' : 'clients that send Authorization: Bearer <control token>';
    refuseAccess(response, `The control plane is open to ${how}.`);
  };

/** Pages of any site can send requests without a preflight; browsers send their origin. */
export const isTrustedPage = ({ headers: { origin, host } }: Request, origins?: readonly string[]): boolean =>
  origin === undefined || isTrustedOrigin(origin, host, origins);

/** Answers a request for the control plane that may not call it. */
export function refuseAccess(response: Response, message: string): void {
  const refusal = new Refusal('forbidden', message);
  response.setHeader('X-Mock-Basis', 'control');
  response.status(refusal.status).json(refusal.body);
}

const isLocal = (request: Request, client: ClientAddress): boolean =>
  localName.test(request.headers.host ?? '') && localAddress.test(client.of(request));

/** Whether a request has that bearer token; takes as long for every wrong one. */
export function hasToken(request: Request, token: string): boolean {
  const [sent, expected] = [Buffer.from(request.headers.authorization ?? ''), Buffer.from(`Bearer ${token}`)];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
