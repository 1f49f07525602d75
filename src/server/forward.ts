import { randomUUID } from 'node:crypto';
import { type AgentOptions, Agent as HttpAgent, type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { createProxyServer } from 'httpxy';
import { trimmedBase } from '../../contract-tests/values/url.ts';
import { ElsewhereError, isLocalName, lookupLoopback } from '../../contract-tests/wire/loopback.ts';
import { atTheMock } from './at-the-mock.ts';
import type { Forwarding } from './upstream-options.ts';

/** Which credential the upstream got: the client's, our `--upstream-token`, none, or none in place of the mock's own. */
export type UpstreamCredential = 'client' | 'own' | 'none' | 'withheld';

/** Sends requests on to another server, and its answers back, both as streams. */
export interface Forwarder {
  web(request: IncomingMessage, response: ServerResponse): void;
  /**
   * A WebSocket: whatever it carries, it counts as a request that may change something.
   * @param onStatus told how the upstream, or we in its place, answered
   */
  webSocket(request: IncomingMessage, socket: Socket, head: Buffer, onStatus: (status: number) => void): void;
}

const defaultTimeoutMs = 30_000;
/** Of one connection (RFC 9110, 7.6.1). How a request's body is framed stays, since nothing else says that it has one. */
const hopByHop = ['connection', 'keep-alive', 'te', 'trailer', 'upgrade', 'proxy-connection', 'proxy-authenticate'];
/** What Node does itself: it has sent `100 Continue` by now. */
const answered = ['expect', 'proxy-authorization'];
const reading = new Set(['GET', 'HEAD', 'OPTIONS']);
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'it closed the connection before its answer was complete',
  EPIPE: 'it closed the connection before it had the whole request',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
};

/** Forwards to `upstream`. What cannot be forwarded is answered with 403, 502 or 508 and the reason. */
export function forwarder(options: Forwarding): Forwarder {
  const { upstream, allowWrites = false, timeoutMs = defaultTimeoutMs, marks = true, tls } = options;
  const base = new URL(upstream);
  const prefix = trimmedBase(base.pathname);
  const isSecure = base.protocol === 'https:';
  const agentWith = (more: AgentOptions): HttpAgent =>
    isSecure ? new HttpsAgent({ keepAlive: true, ...more, ...tls }) : new HttpAgent({ keepAlive: true, ...more });
  const agent = agentWith({});
  // What counts is the address that is connected to: connections of its own, since those of reads may be elsewhere.
  const localAgent = agentWith({ lookup: lookupLoopback });
  // Known by it, a request that comes back is not sent round again.
  const via = `1.1 platform-mock-${randomUUID()}`;
  const target = { protocol: base.protocol, hostname: base.hostname.replace(/^\[|\]$/g, ''), port: base.port };
  const proxy = createProxyServer({ target, prependPath: false, secure: tls?.rejectUnauthorized ?? true });

  const credentials = new WeakMap<ServerResponse, UpstreamCredential>();
  const told = new WeakMap<object, (status: number) => void>();
  const refused = (client: ServerResponse | Socket, why: Refused): void => {
    told.get(client)?.(why.status);
    refuse(client, why);
  };
  const refusalOf = (error: NodeJS.ErrnoException): Refused =>
    error instanceof ElsewhereError
      ? { status: 403, message: `${error.message}.` }
      : {
          status: 502,
          message: `The upstream ${base.origin} did not answer: ${reasons[error.code ?? ''] ?? error.message}.`,
        };
  proxy.on('proxyReq', (outgoing) => {
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error(`nothing came within ${timeoutMs} ms`)));
  });
  proxy.on('proxyReqWs', (outgoing, _request, socket) => {
    const tell = (answer: IncomingMessage): void => told.get(socket)?.(answer.statusCode ?? 0);
    outgoing.once('upgrade', tell).once('response', tell);
  });
  proxy.on('error', (error, _request, client) => {
    if (client instanceof ServerResponse && client.headersSent) client.destroy();
    else if (client && !client.destroyed) refused(client, refusalOf(error));
  });
  proxy.on('proxyRes', ({ headers }, request, response) => {
    for (const name of [...hopByHop, 'transfer-encoding']) delete headers[name];
    headers.connection = response.shouldKeepAlive ? 'keep-alive' : 'close';
    if (marks) atTheMock(headers, { response, base, from: `${base.origin}${request.url}` });
    // The upstream may be a mock, too, with marks of its own.
    if (marks) headers['x-mock-basis'] = 'upstream';
    const credential = credentials.get(response);
    if (marks && credential !== undefined) headers['x-mock-upstream-credential'] = credential;
  });

  /** Makes a request the upstream's, in place; where it must not be sent, says why. */
  const redirect = (request: IncomingMessage, isWrite: boolean): Refused | UpstreamCredential => {
    const { method, url = '/', headers } = request;
    if (headers.via?.includes(via))
      return { status: 508, message: `${upstream} sends the requests that it gets back to this mock: a loop.` };
    if (isWrite && !allowWrites && !isLocalName(base.hostname)) {
      const what = headers.upgrade ? 'A WebSocket' : method;
      return { status: 403, message: `${what} may change something at ${base.host}; allow that with --allow-writes.` };
    }
    request.url = prefix + url;
    headers.host = base.host;
    headers.via = headers.via ? `${headers.via}, ${via}` : via;
    return setCredential(headers, options);
  };
  const agentFor = (isWrite: boolean): HttpAgent => (isWrite && !allowWrites ? localAgent : agent);

  return {
    web(request, response) {
      const { headers } = request;
      const isWrite = !reading.has(request.method ?? 'GET');
      const named = headers.connection?.toLowerCase().split(/[\s,]+/) ?? [];
      for (const name of [...hopByHop, ...answered, ...named]) if (name !== 'transfer-encoding') delete headers[name];
      const credential = redirect(request, isWrite);
      if (typeof credential === 'object') return refuse(response, credential);
      credentials.set(response, credential);
      void proxy.web(request, response, { agent: agentFor(isWrite) });
    },
    webSocket(request, socket, head, onStatus) {
      told.set(socket, onStatus);
      const credential = redirect(request, true);
      if (typeof credential === 'object') return refused(socket, credential);
      void proxy.ws(request, socket, { agent: agentFor(true), upgradeTimeout: timeoutMs }, head);
    },
  };
}

/** Decides which credential goes along, and says which. */
function setCredential(
  headers: IncomingMessage['headers'],
  { token, isOwnToken = () => false }: Pick<Forwarding, 'token' | 'isOwnToken'>,
): UpstreamCredential {
  if (token !== undefined) {
    headers.authorization = `Bearer ${token}`;
    return 'own';
  }
  const { authorization } = headers;
  if (authorization === undefined) return 'none';
  const [, bearer] = /^Bearer +(\S+)/i.exec(authorization) ?? [];
  if (bearer === undefined || !isOwnToken(bearer)) return 'client';
  delete headers.authorization;
  return 'withheld';
}

interface Refused {
  readonly status: 403 | 502 | 508;
  readonly message: string;
}

const codes = { 403: 'upstream_write_not_allowed', 502: 'upstream_failed', 508: 'upstream_loop' };

/** An answer of our own in the upstream's place; a connection that was to be a WebSocket's ends with it. */
function refuse(client: ServerResponse | Socket, { status, message }: Refused): void {
  const text = JSON.stringify({ error: { code: codes[status], message } });
  const headers = {
    'X-Mock-Basis': 'upstream',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  };
  if (client instanceof ServerResponse) {
    // Not by writeHead: an observer could not read them then.
    for (const [name, value] of Object.entries(headers)) client.setHeader(name, value);
    client.writeHead(status).end(text);
    return;
  }
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  client.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
  // Read to its end, so that it closes.
  client.resume();
}
