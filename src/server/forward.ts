import { randomUUID } from 'node:crypto';
import {
  type AgentOptions,
  Agent as HttpAgent,
  type IncomingMessage,
  request as overHttp,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as overHttps } from 'node:https';
import { pipeline } from 'node:stream';
import { ElsewhereError, isLocalName, lookupLoopback } from '../../contract-tests/wire/loopback.ts';
import { trimmedBase } from '../../contract-tests/wire/url.ts';
import type { Forwarding } from './upstream-options.ts';

/** Which credential the upstream got: the client's, our `--upstream-token`, none, or none in place of the mock's own. */
export type UpstreamCredential = 'client' | 'own' | 'none' | 'withheld';

const defaultTimeoutMs = 30_000;
/** Of one connection (RFC 9110, 7.6.1); also what Node writes itself. */
const hopByHop = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host)$/i;
const reading = new Set(['GET', 'HEAD', 'OPTIONS']);
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'it closed the connection before its answer was complete',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
};

/** Sends a request on to another server, and its answer back, both as streams. */
export function forwarder(options: Forwarding): (request: IncomingMessage, response: ServerResponse) => void {
  const { upstream, allowWrites = false, token, isOwnToken = () => false, timeoutMs = defaultTimeoutMs } = options;
  const base = new URL(upstream);
  const isSecure = base.protocol === 'https:';
  const agentWith = (more: AgentOptions): HttpAgent =>
    isSecure
      ? new HttpsAgent({ keepAlive: true, ...more, ...options.tls })
      : new HttpAgent({ keepAlive: true, ...more });
  const agent = agentWith({});
  // What counts is the address that is connected to: connections of its own, since those of reads may be elsewhere.
  const localAgent = agentWith({ lookup: lookupLoopback });
  const prefix = trimmedBase(base.pathname);
  // Known by it, a request that comes back is not sent round again.
  const via = `1.1 platform-mock-${randomUUID()}`;

  return (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    if (headers.via?.includes(via))
      return refuse(response, 508, `${upstream} sends the requests that it gets back to this mock: a loop.`);
    const isGuarded = !allowWrites && !reading.has(method);
    if (isGuarded && !isLocalName(base.hostname))
      return refuse(response, 403, `${method} may change something at ${base.host}; allow that with --allow-writes.`);
    const sent: Record<string, string | string[]> = {};
    const named = new Set(
      (headers.connection ?? '')
        .toLowerCase()
        .split(',')
        .map((name) => name.trim()),
    );
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined && !hopByHop.test(name) && !named.has(name)) sent[name] = value;
    const credential = setCredential(sent, token, isOwnToken);
    const target = { protocol: base.protocol, hostname: base.hostname.replace(/^\[|\]$/g, ''), port: base.port };
    const outgoing = (isSecure ? overHttps : overHttp)({
      ...target,
      method,
      path: prefix + url,
      agent: isGuarded ? localAgent : agent,
      headers: { ...sent, host: base.host, via: headers.via ? `${headers.via}, ${via}` : via },
    });
    const fail = (error: NodeJS.ErrnoException): void => {
      const reason = reasons[error.code ?? ''] ?? error.message;
      if (response.headersSent) response.destroy();
      else if (error instanceof ElsewhereError) refuse(response, 403, `${error.message}.`);
      else refuse(response, 502, `The upstream ${base.origin} did not answer: ${reason}.`);
    };
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error(`nothing came within ${timeoutMs} ms`)));
    outgoing.on('error', fail);
    outgoing.on('response', (incoming) => {
      const answer: Record<string, string | string[]> = {};
      for (const [name, value] of Object.entries(incoming.headers))
        if (value !== undefined && !hopByHop.test(name)) answer[name] = value;
      // With headers that were set before, such as those of CORS.
      for (const [name, value] of Object.entries(answer)) response.setHeader(name, value);
      if (options.marks ?? true) {
        response.setHeader('X-Mock-Basis', 'upstream');
        response.setHeader('X-Mock-Upstream-Credential', credential);
      }
      response.writeHead(incoming.statusCode ?? 502);
      pipeline(incoming, response, () => {});
    });
    response.once('close', () => {
      if (!response.writableFinished) outgoing.destroy();
    });
    request.pipe(outgoing);
  };
}

/** Decides which credential goes along, and says which. */
function setCredential(
  headers: Record<string, string | string[]>,
  token: string | undefined,
  isOwnToken: (token: string) => boolean,
): UpstreamCredential {
  if (token !== undefined) {
    headers.authorization = `Bearer ${token}`;
    return 'own';
  }
  const { authorization } = headers;
  if (authorization === undefined) return 'none';
  const [, bearer] = /^Bearer +(\S+)/i.exec(String(authorization)) ?? [];
  if (bearer === undefined || !isOwnToken(bearer)) return 'client';
  delete headers.authorization;
  return 'withheld';
}

/** An answer of our own in the upstream's place. */
function refuse(response: ServerResponse, status: number, message: string): void {
  const code = { 403: 'upstream_write_not_allowed', 502: 'upstream_failed', 508: 'upstream_loop' }[status];
  const text = JSON.stringify({ error: { code, message } });
  response.setHeader('X-Mock-Basis', 'upstream');
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}
