import { timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { Refusal } from '../control/refusal.ts';
import { isTrustedOrigin } from './cors.ts';

const localName = /^(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const localAddress = /^(127\.|::1$|::ffff:127\.)/;

/**
 * Allows the control plane to local clients whose Host is local too (with DNS rebinding a page still sends its own name),
 * or, if a token is set, to clients that send it.
 */
export const allowControl =
  (token: string | undefined, origins?: readonly string[]): RequestHandler =>
  (request, response, next) => {
    const refuse = (message: string): void => {
      const refusal = new Refusal('forbidden', message);
      response.setHeader('X-Mock-Basis', 'control');
      response.status(refusal.status).json(refusal.body);
    };
    const { origin } = request.headers;
    // Pages of any site can send requests without a preflight; browsers send their origin.
    if (origin !== undefined && !isTrustedOrigin(origin, request.headers.host, origins))
      return refuse(`Pages of this origin may not call the control plane; --cors ${origin} allows them.`);
    if (token === undefined ? isLocal(request) : hasToken(request, token)) return next();
    const how = token === undefined ? 'local clients only' : 'clients that send Authorization: Bearer <control token>';
    refuse(`The control plane is open to ${how}.`);
  };

const isLocal = (request: Request): boolean =>
  localName.test(request.headers.host ?? '') && localAddress.test(request.socket.remoteAddress ?? '');

function hasToken(request: Request, token: string): boolean {
  const [sent, expected] = [Buffer.from(request.headers.authorization ?? ''), Buffer.from(`Bearer ${token}`)];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
