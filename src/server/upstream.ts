import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { baseUrlProblem, isLocalName } from '../../contract-tests/values/url.ts';
import { isControl } from '../control/is-control.ts';
import { pathOf } from '../core/message.ts';
import { claimsOf } from '../core/operations/tokens.ts';
import { checkOptions, kinds } from '../core/options.ts';
import { ConfigError } from '../core/spec/config-error.ts';
import { goesUpstream, splitOf } from '../core/upstream-split.ts';
import { splitSandbox, type Worlds } from '../core/world/worlds.ts';
import { type AccessRules, forwardRefusal } from './access.ts';
import { forwarder } from './forward.ts';
import { type NodeDoorOptions, observeEnd } from './node-door.ts';
import { type UpstreamOptions, upstreamOptions } from './options.ts';

/** The service behind the mock, as the doors see it. */
export type Upstream = ReturnType<typeof upstreamOf>;

const upstreamTls = { rejectUnauthorized: { kind: kinds.switch }, ca: { kind: kinds.text } };

/** Forwards what neither an operation nor a custom route answers; the control plane can change that. Throws ConfigError. */
export function upstreamOf(worlds: Worlds, options: UpstreamOptions, door: NodeDoorOptions & AccessRules) {
  checkOptions('upstream', options, upstreamOptions);
  if (options.tls) checkOptions('upstream.tls', options.tls, upstreamTls);
  const { observe } = door;
  const { upstream, token, allowWrites = false } = options;
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new ConfigError(['the upstream token must be printable ASCII without spaces']);
  const problem = baseUrlProblem(upstream);
  if (problem !== undefined) throw new ConfigError([`upstream ${problem}`]);
  const split = splitOf(worlds.main, options, { only: '--upstream-only ', mockOnly: '--mock-only ' });
  const service = { url: upstream, allowsWrites: allowWrites || isLocalName(new URL(upstream).hostname), split };
  worlds.services.upstream = service;
  const pageKey = randomUUID();
  const { web: forward, webSocket } = forwarder({
    ...options,
    isOwnToken: (sent) => sent === door.controlToken || sent === pageKey || isOwnToken(worlds, sent),
    refusalOf: (request) => forwardRefusal(request, door.cors),
  });
  // Control plane and sandboxes always belong to the mock.
  const takes = ({ method = 'GET', url = '/' }: IncomingMessage): boolean =>
    !isControl(url) && splitSandbox(url).url === url && goesUpstream(worlds.main, service.split, method, pathOf(url));
  const sockets = new Set<Socket>();
  const attach = (server: Server): void => {
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      if (!isWebSocket(request) || !takes(request)) return serveWithoutUpgrade(server, request, socket, head);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      const response = new ServerResponse(request);
      response.assignSocket(socket);
      response.shouldKeepAlive = false;
      if (observe) observeEnd(request, response, { ...door, observe, latency: 0 });
      webSocket(request, response, socket, head);
    });
  };
  // A closing server waits for WebSockets.
  const close = (): void => {
    for (const socket of sockets) socket.destroySoon();
  };
  return { origin: new URL(upstream).origin, pageKey, takes, forward, attach, close };
}

/** A handshake has no body (RFC 6455, 4.1): client and upstream would interpret it differently. */
const isWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers.upgrade?.toLowerCase() === 'websocket' &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined;

/** Serves a request as if it had not asked for another protocol, as RFC 9110, 7.8 allows. */
function serveWithoutUpgrade(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`, 'Connection: keep-alive'];
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (!/^(connection|upgrade|http2-settings)$/i.test(rawHeaders[at] ?? ''))
      lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  // The server reads the request again from its first byte.
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit(server instanceof HttpsServer ? 'secureConnection' : 'connection', socket);
  socket.resume();
}

/** Whether any world of this mock issued the token, which no other service may see. */
function isOwnToken(worlds: Worlds, token: string): boolean {
  return worlds.all().some((world) => {
    if (claimsOf(world, token) !== undefined) return true;
    const prefix = `${world.answers.get('pat-prefix')}_`;
    const [tokenId = ''] = token.startsWith(prefix) ? token.slice(prefix.length).split('.') : [];
    return world.store.pats.get(tokenId) !== undefined;
  });
}
