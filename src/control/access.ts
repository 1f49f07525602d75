import { timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { ControlError } from './error.ts';

const localName = /^(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const localAddress = /^(127\.|::1$|::ffff:127\.)/;

/**
 * Step: the control plane is for clients on this machine that say so in Host too (a page that rebinds its name to
 * 127.0.0.1 still sends its own), or for those who know the token where one is set.
 */
export const allowControl =
  (token: string | undefined): RequestHandler =>
  (request, _response, next) => {
    if (token === undefined ? isLocal(request) : knows(request, token)) return next();
    const how =
      token === undefined ? 'only from this machine, by its own name' : 'with Authorization: Bearer <control token>';
    next(new ControlError(403, `The control plane answers ${how}.`));
  };

const isLocal = (request: Request): boolean =>
  localName.test(request.headers.host ?? '') && localAddress.test(request.socket.remoteAddress ?? '');

function knows(request: Request, token: string): boolean {
  const [sent, wanted] = [Buffer.from(request.headers.authorization ?? ''), Buffer.from(`Bearer ${token}`)];
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
}
