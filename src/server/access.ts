import { timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { Refusal } from '../control/refusal.ts';
import { isTrustedOrigin } from './cors.ts';

const localName = /^(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const localAddress = /^(127\.|::1$|::ffff:127\.)/;

/**
 * The control plane is for clients on this machine that say so in Host too (a page that rebinds its name to
 * 127.0.0.1 still sends its own), or for those who know the token where one is set.
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
    // A page elsewhere can send requests here that need no preflight; browsers say whose page it is.
    if (origin !== undefined && !isTrustedOrigin(origin, request.headers.host, origins))
      return refuse('Pages on this origin may not call the control plane; --cors allows them.');
    if (token === undefined ? isLocal(request) : knows(request, token)) return next();
    const how =
      token === undefined ? 'only from this machine, by its own name' : 'with Authorization: Bearer <control token>';
    refuse(`The control plane answers ${how}.`);
  };

const isLocal = (request: Request): boolean =>
  localName.test(request.headers.host ?? '') && localAddress.test(request.socket.remoteAddress ?? '');

function knows(request: Request, token: string): boolean {
  const [sent, wanted] = [Buffer.from(request.headers.authorization ?? ''), Buffer.from(`Bearer ${token}`)];
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
}
