import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../control/refusal.ts';
import { isTrustedOrigin } from './cors.ts';

const localName = /^(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const localAddress = /^(127\.|::1$|::ffff:127\.)/;

export interface AccessRules {
  /** Required by the control plane; without it only local clients may call. */
  readonly controlToken?: string | undefined;
  /** Origins whose pages may call, beside the local ones. */
  readonly cors?: readonly string[] | undefined;
}

/**
 * Allows the control plane to local clients whose Host is local too (with DNS rebinding a page still sends its own name),
 * or, if a token is set, to clients that send it.
 * @returns why it refuses the request; undefined if it does not
 */
export function controlRefusal(
  request: IncomingMessage,
  { controlToken: token, cors }: AccessRules,
): Refusal | undefined {
  const { origin, host } = request.headers;
  // Pages of any site can send requests without a preflight; browsers send their origin.
  if (origin !== undefined && !isTrustedOrigin(origin, host, cors))
    return forbidden(`Pages of this origin may not call the control plane; --cors ${origin} allows them.`);
  if (token === undefined ? isLocal(request) : hasToken(request, token)) return undefined;
  const how = token === undefined ? 'local clients only' : 'clients that send Authorization: Bearer <control token>';
  return forbidden(`The control plane is open to ${how}.`);
}

const forbidden = (message: string): Refusal => new Refusal('forbidden', message);

const isLocal = (request: IncomingMessage): boolean =>
  localName.test(request.headers.host ?? '') && localAddress.test(request.socket.remoteAddress ?? '');

function hasToken(request: IncomingMessage, token: string): boolean {
  const [sent, expected] = [Buffer.from(request.headers.authorization ?? ''), Buffer.from(`Bearer ${token}`)];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
