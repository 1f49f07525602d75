import { randomUUID } from 'node:crypto';
import http, { type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { memberOf, setMember } from '../../contract-tests/values/json.ts';
import { isLocalName, pathBelow, trimmedBase } from '../../contract-tests/values/url.ts';
import { agentFor, proxyOf, proxyProblem } from '../../contract-tests/wire/proxy.ts';
import { pathOf } from '../core/message.ts';
import { refuse } from './access.ts';
import { ElsewhereError, lookupLoopback } from './loopback.ts';
import type { UpstreamOptions } from './options.ts';
import { parsedBody } from './parsed-body.ts';

/** How requests are sent on, with decisions of the mock's process; apart from the users' types, which need no types of Node. */
interface Forwarding extends UpstreamOptions {
  /** Whether a word of `Authorization` is one of the mock's tokens, which no upstream may get. */
  readonly isOwnToken?: (token: string) => boolean;
  /** Why a request must not be forwarded; undefined if it may. */
  readonly refusalOf?: (request: IncomingMessage) => string | undefined;
}

const defaultTimeoutMs = 30_000;
/** Hop-by-hop headers (RFC 9110, 7.6.1), and Expect: Node has already sent `100 Continue`. */
const hopByHop = /^(?:keep-alive|te|trailer|upgrade|expect|proxy-(?:connection|authenticate|authorization))$/;
/** Headers with the length of a body. */
const framing = ['content-length', 'transfer-encoding'];
const reading = new Set(['GET', 'HEAD', 'OPTIONS']);
const switching = { connection: 'Upgrade', upgrade: 'websocket' };
/** `..` in a path, percent-encoded any number of times, also with a parameter: `..;`. */
const upwards = /(?:^|[/\\]|%(?:25)*(?:2f|5c))(?:\.|%(?:25)*2e){2}(?=$|[/\\;]|%(?:25)*(?:2f|5c|3b))/i;
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'it closed the connection before its answer was complete',
  EPIPE: 'it closed the connection before it had the whole request',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
};

/** CORS headers of the upstream, which the mock replaces by its own. */
const letsIn = ['origin', 'methods', 'headers', 'max-age'].map((name) => `access-control-allow-${name}`);
/** Headers about the whole host, which is the mock's. Without an opener policy, its pages cannot hold the dashboard's window. */
const ofTheHost = ['strict-transport-security', 'cross-origin-opener-policy'];
const joined = ['vary', 'access-control-expose-headers'];

/** Why the upstream does not answer a request. */
class NotForwarded extends Error {
  constructor(
    readonly status: number,
    private readonly code: string,
    message: string,
  ) {
    super(message);
  }

  get body() {
    return { error: { code: `upstream_${this.code}`, message: this.message } };
  }
}

/** Forwards requests by Node's client and server, which refuse unclear framing, and streams the answers back; what cannot be forwarded is answered with the reason. */
export function forwarder(options: Forwarding) {
  const { upstream, allowWrites = false, timeoutMs = defaultTimeoutMs, marks = true, tls, refusalOf } = options;
  const base = new URL(upstream);
  const prefix = trimmedBase(base.pathname);
  const isSecure = base.protocol === 'https:';
  const proxy = proxyOf(upstream);
  // Writes are decided by the connected address, so they use separate connections, and no proxy.
  const writes: http.AgentOptions = allowWrites ? {} : { lookup: lookupLoopback };
  const agentWith = (more: http.AgentOptions): http.Agent =>
    agentFor(upstream, { timeout: timeoutMs, ...more, ...tls }, more.lookup ? undefined : proxy);
  const agents = {
    read: agentWith({ keepAlive: true }),
    write: agentWith({ ...writes, keepAlive: true }),
    // Not kept alive: an upstream that refuses a handshake may read what follows as a body.
    upgrade: agentWith(writes),
  };
  // Marks requests, so that one that comes back is not forwarded again.
  const via = `1.1 platform-mock-${randomUUID()}`;
  const target = { hostname: base.hostname.replace(/^\[|\]$/g, ''), port: base.port };

  const check = (request: IncomingMessage, isWrite: boolean): void => {
    const { method, url = '/', headers } = request;
    const refusal = refusalOf?.(request);
    if (refusal !== undefined) throw new NotForwarded(403, 'page_not_allowed', refusal);
    if (headers.via?.includes(via))
      throw new NotForwarded(508, 'loop', `${upstream} sends the requests that it gets back to this mock: a loop.`);
    if (isWrite && !allowWrites && !isLocalName(base.hostname)) {
      const what = headers.upgrade ? 'A WebSocket' : method;
      const message = `${what} may change something at ${base.host}; allow that with --allow-writes.`;
      throw new NotForwarded(403, 'write_not_allowed', message);
    }
    if (!url.startsWith('/') || (prefix !== '' && upwards.test(pathOf(url))))
      throw new NotForwarded(400, 'path_not_below', 'The path does not stay below the base URL of the upstream.');
    if (!isInChunks(headers))
      throw new NotForwarded(501, 'transfer_coding', 'Bodies may be chunked, and nothing else.');
  };
  const open = (request: IncomingMessage, kind: keyof typeof agents) => {
    check(request, kind !== 'read');
    const headers: IncomingHttpHeaders = { ...passing(request.headers), host: base.host };
    const parsed = parsedBody(request);
    if (parsed) {
      for (const name of [...framing, 'content-encoding']) delete headers[name];
      headers['content-length'] = String(parsed.length);
    }
    headers.via = headers.via ? `${headers.via}, ${via}` : via;
    if (kind === 'upgrade') Object.assign(headers, switching);
    const credential = setCredential(headers, options);
    const path = prefix + request.url;
    const ask = isSecure ? https.request : http.request;
    const outgoing = ask({ ...target, method: request.method, path, headers, agent: agents[kind] });
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error(`nothing came within ${timeoutMs} ms`)));
    return { outgoing, path, credential };
  };
  type Sent = ReturnType<typeof open>;
  /** Starts the answer with the upstream's. @throws Error for an answer that HTTP does not allow */
  const begin = (response: ServerResponse, answer: IncomingMessage, { path, credential }: Sent, isSwitch: boolean) => {
    const { statusCode = 0, statusMessage = '' } = answer;
    if (statusCode < 200 && !isSwitch) throw new Error(`its status is ${statusCode}`);
    if (!isInChunks(answer.headers)) throw new Error('its body is neither plain nor chunked');
    const headers = passing(answer.headers);
    // Node has decoded the body and frames it for the client.
    delete headers['transfer-encoding'];
    if (marks) {
      atTheMock(headers, response, base, base.origin + path);
      // The upstream may be another mock, with the same headers.
      Object.assign(headers, { 'x-mock-basis': 'upstream', 'x-mock-upstream-credential': credential });
    }
    if (isSwitch) Object.assign(headers, switching);
    // Tried on a scratch response first: a header that Node refuses must leave no trace in the error answer.
    new ServerResponse(answer).writeHead(statusCode, statusMessage, headers);
    for (const [name, value = ''] of Object.entries(headers)) response.setHeader(name, value);
    response.writeHead(statusCode, statusMessage);
  };
  const failureOf = (error: NodeJS.ErrnoException): NotForwarded => {
    if (error instanceof NotForwarded) return error;
    if (error instanceof ElsewhereError) return new NotForwarded(403, 'write_not_allowed', `${error.message}.`);
    const isUntrusted = /CERT|SIGNATURE/.test(error.code ?? '');
    const trust = isUntrusted ? '; start with NODE_EXTRA_CA_CERTS=FILE to trust its authority' : '';
    const reason = proxyProblem(error, proxy) ?? (memberOf(reasons, error.code ?? '') ?? error.message) + trust;
    return new NotForwarded(502, 'failed', `The upstream ${base.origin} gave no answer to pass on: ${reason}.`);
  };
  /** @param join gets the connection when the upstream switches protocols */
  const forward = (
    request: IncomingMessage,
    response: ServerResponse,
    kind: keyof typeof agents,
    join?: (upstream: Socket) => void,
  ): void => {
    // An error in the middle of an answer ends it.
    const fail = (error: unknown): void => {
      if (!response.headersSent) refuse(response, failureOf(error as Error), 'upstream');
    };
    let sent: Sent;
    try {
      sent = open(request, kind);
    } catch (error) {
      fail(error);
      return;
    }
    const { outgoing } = sent;
    const tryBegin = (answer: IncomingMessage, isSwitch: boolean): boolean => {
      try {
        begin(response, answer, sent, isSwitch);
        return true;
      } catch (error) {
        fail(error);
        outgoing.destroy();
        return false;
      }
    };
    outgoing.on('error', fail);
    outgoing.on('response', (answer) => {
      if (tryBegin(answer, false)) pipeline(answer, response, () => {});
    });
    outgoing.on('upgrade', (answer, connection: Socket, head) => {
      if (!tryBegin(answer, join !== undefined)) return connection.destroy();
      response.end();
      connection.unshift(head);
      join?.(connection);
    });
    // The client has its answer, or is gone.
    response.once('close', () => {
      request.unpipe(outgoing).resume();
      outgoing.destroy();
    });
    const parsed = parsedBody(request);
    if (join || parsed) outgoing.end(parsed);
    else request.pipe(outgoing);
  };

  return {
    web: (request: IncomingMessage, response: ServerResponse): void =>
      forward(request, response, reading.has(request.method ?? 'GET') ? 'read' : 'write'),
    /** Forwards a WebSocket, which counts as a write. `response` is for the handshake; `head` is what came after it. */
    webSocket(request: IncomingMessage, response: ServerResponse, socket: Socket, head: Buffer): void {
      socket.on('error', () => {});
      socket.on('drain', () => response.emit('drain'));
      socket.unshift(head);
      // Start reading now, to notice a client that leaves.
      const sent = socket.pipe(new PassThrough());
      socket.once('end', () => response.headersSent || socket.destroy());
      response.once('finish', () => response.statusCode === 101 || leave(socket, timeoutMs));
      forward(request, response, 'upgrade', (upstreamEnd) => join(socket, sent, upstreamEnd, timeoutMs));
    },
  };
}

/** The headers that a proxy passes on. Those that frame the body always: without them, it would be read as another message. */
function passing({ connection = '', ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = connection.toLowerCase().split(/[\s,]+/);
  const passes = (name: string): boolean => framing.includes(name) || !(hopByHop.test(name) || named.includes(name));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => passes(name)));
}

/** Whether a body has no transfer coding that would be lost; Node also accepts `gzip, chunked`. */
const isInChunks = ({ 'transfer-encoding': coding = 'chunked' }: IncomingHttpHeaders): boolean =>
  coding.toLowerCase() === 'chunked';

/** Joins two connections. When one ends, the other gets time to write the rest. */
function join(client: Socket, sent: Readable, upstream: Socket, timeoutMs: number): void {
  for (const [from, source, to] of [
    [client, sent, upstream],
    [upstream, upstream, client],
  ] as const) {
    from.setTimeout(0);
    from.setKeepAlive(true);
    from.on('error', () => {});
    from.once('close', () => leave(to, timeoutMs));
    source.once('end', () => leave(to, timeoutMs));
    source.pipe(to);
  }
}

/** Closes a connection once all is written, or when the other end reads nothing for `timeoutMs`. */
function leave(socket: Socket, timeoutMs: number): void {
  socket.destroySoon();
  socket.setTimeout(timeoutMs, () => socket.destroy());
}

/** Chooses the credential to forward, and names it: the client's, our `--upstream-token`, none, or none in place of the mock's. */
function setCredential(
  headers: IncomingHttpHeaders,
  { token, isOwnToken = () => false }: Pick<Forwarding, 'token' | 'isOwnToken'>,
) {
  if (token !== undefined) {
    headers.authorization = `Bearer ${token}`;
    return 'own';
  }
  if (headers.authorization === undefined) return 'none';
  if (!headers.authorization.split(/[\s,]+/).some(isOwnToken)) return 'client';
  delete headers.authorization;
  return 'withheld';
}

/** Rewrites hosts, paths and page policies in an answer of the upstream so that they are valid at the mock. */
function atTheMock(headers: IncomingHttpHeaders, response: ServerResponse, base: URL, from: string): void {
  if (headers.location !== undefined)
    headers.location = pathBelow(base.href, headers.location, from) ?? headers.location;
  for (const name of ofTheHost) delete headers[name];
  const cookies = headers['set-cookie'];
  if (cookies) headers['set-cookie'] = cookies.map((cookie) => cookieHere(cookie, trimmedBase(base.pathname)));
  if (!response.hasHeader('access-control-allow-origin')) return;
  for (const name of letsIn) delete headers[name];
  for (const name of joined) {
    const both = [response.getHeader(name), memberOf(headers, name)].filter((value) => value !== undefined);
    if (both.length > 0) setMember(headers, name, both.join(', '));
  }
}

/** A cookie for this host, with the upstream's path prefix removed. */
function cookieHere(cookie: string, prefix: string): string {
  const [pair = '', ...attributes] = cookie.split(';');
  const here = attributes.flatMap((attribute) => {
    const at = attribute.indexOf('=');
    const name = attribute.slice(0, Math.max(at, 0)).trim().toLowerCase();
    const path = attribute.slice(at + 1).trim();
    if (name === 'domain') return [];
    if (name !== 'path' || !`${path}/`.startsWith(`${prefix}/`)) return [attribute];
    return [`${attribute.slice(0, at + 1)}${path.slice(prefix.length) || '/'}`];
  });
  return [pair, ...here].join(';');
}
