import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { Refusal } from '../control/refusal.ts';
import { type ClientAddress, directClient } from './client-address.ts';
import { isTrustedOrigin } from './cors.ts';

const localName = /^(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const localAddress = /^(127\.|::1$|::ffff:127\.)/;

export interface AccessRules {
  /** Required by the control plane; without it only local clients may call. */
  readonly controlToken?: string | undefined;
  /** Origins whose pages may call, beside the local ones. */
  readonly cors?: readonly string[] | undefined;
  readonly client?: ClientAddress | undefined;
}

/**
 * Allows the control plane to local clients whose Host is local too (with DNS rebinding a page still sends its own name),
 * or, if a token is set, to clients that send it.
 * @returns why it refuses the request; undefined if it does not
 */
export function controlRefusal(
  request: IncomingMessage,
  { controlToken: token, cors, client = directClient }: AccessRules,
): Refusal | undefined {
  if (!isTrustedPage(request, cors))
    return forbidden(
      `Pages of this origin may not call the control plane; --cors ${request.headers.origin} allows them.`,
    );
  if (token === undefined ? isLocal(request, client) : hasToken(request, token)) return undefined;
  const how = token === undefined ? 'local clients only' : 'clients that send Authorization: Bearer <control token>';
  return forbidden(`The control plane is open to ${how}.`);
}

const forbidden = (message: string): Refusal => new Refusal('forbidden', message);

/** As `controlRefusal`, for Express. */
export const allowControl =
  (rules: AccessRules): RequestHandler =>
  (request, response, next) => {
    const refusal = controlRefusal(request, rules);
    if (refusal) refuse(response, refusal);
    else next();
  };

/** Pages of any site can send requests without a preflight; browsers send their origin. */
export const isTrustedPage = ({ headers: { origin, host } }: IncomingMessage, origins?: readonly string[]): boolean =>
  origin === undefined || isTrustedOrigin(origin, host, origins);

/** Answers with a refusal, of the control plane or in the place of the upstream. */
export function refuse(
  response: ServerResponse,
  { status, body }: { readonly status: number; readonly body: object },
  basis = 'control',
): void {
  const text = JSON.stringify(body);
  response.setHeader('X-Mock-Basis', basis);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.writeHead(status, { 'Content-Length': Buffer.byteLength(text) }).end(text);
}

const isLocal = (request: IncomingMessage, client: ClientAddress): boolean =>
  localName.test(request.headers.host ?? '') && localAddress.test(client.of(request));

/** Whether a request has that bearer token; takes as long for every wrong one. */
function hasToken(request: IncomingMessage, token: string): boolean {
  const [sent, expected] = [Buffer.from(request.headers.authorization ?? ''), Buffer.from(`Bearer ${token}`)];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
