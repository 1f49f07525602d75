import { type ClientRequest, Agent as HttpAgent, STATUS_CODES } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import { createRequire } from 'node:module';
import { connect as connectPlain, type NetConnectOpts } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { UsageError } from '../errors.ts';
import { isLocalName } from '../values/url.ts';

// Loaded where the environment names a proxy.
const require = createRequire(import.meta.url);

/** The proxy for a base URL by HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY; none for this machine. Throws UsageError. */
export function proxyOf(baseUrl: string): URL | undefined {
  const isNamed = Object.entries(process.env).some(([name, value]) => /^(https?|all)_proxy$/i.test(name) && value);
  if (!isNamed || isLocalName(new URL(baseUrl).hostname)) return undefined;
  const { getProxyForUrl } = require('proxy-from-env') as typeof import('proxy-from-env');
  const named = getProxyForUrl(baseUrl);
  if (named === '') return undefined;
  const proxy = URL.canParse(named) ? new URL(named) : undefined;
  if (proxy && /^https?:$/.test(proxy.protocol)) return proxy;
  // It may hold a password.
  const found = proxy ? `${proxy.protocol}//…` : 'no URL';
  throw new UsageError(
    `the proxy for ${baseUrl}: expected http://HOST:PORT in HTTPS_PROXY, HTTP_PROXY or ALL_PROXY; found ${found}.`,
  );
}

/** The agent for requests to a base URL. */
export function agentFor(baseUrl: string, options: AgentOptions, proxy: URL | undefined): HttpAgent {
  const isSecure = baseUrl.startsWith('https:');
  if (!proxy) return isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  if (!isSecure) return new ForwardingAgent(proxy, options);
  const { HttpsProxyAgent } = require('hpagent') as typeof import('hpagent');
  return new HttpsProxyAgent({ ...options, proxy });
}

/** What is wrong with the proxy, where an error is about it: what it refuses, or that it cannot be reached. */
export function proxyProblem(error: NodeJS.ErrnoException, proxy: URL | undefined): string | undefined {
  if (!proxy) return undefined;
  const status = /^Bad response: (\d+)$/.exec(error.message)?.[1];
  if (status !== undefined) return proxyRefusal(Number(status), proxy);
  const isUnreachable = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|Proxy timeout/.exec(`${error.code} ${error.message}`);
  return isUnreachable ? `the proxy ${proxy.host} cannot be reached (${isUnreachable[0]})` : undefined;
}

export const proxyRefusal = (status: number, proxy: URL): string =>
  `the proxy ${proxy.host} refuses: ${status} ${STATUS_CODES[status] ?? ''}`.trim();

/** Only a proxy answers so (RFC 9110, 15.5.8). */
export const PROXY_AUTHENTICATION_REQUIRED = 407;

/** Sends plain HTTP to a proxy, which takes the whole URL in the place of a path (RFC 9112, 3.2.2). */
class ForwardingAgent extends HttpAgent {
  constructor(
    private readonly proxy: URL,
    options: AgentOptions,
  ) {
    super(options);
  }

  /** Node calls it for each request; its types leave it out. */
  addRequest(request: ClientRequest, options: NetConnectOpts): void {
    const { hostname, port, protocol, username, password } = this.proxy;
    request.path = `http://${request.getHeader('host')}${request.path}`;
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    if (username !== '')
      request.setHeader('Proxy-Authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
    const to = { ...options, host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
    (HttpAgent.prototype as ForwardingAgent).addRequest.call(this, request, to);
  }

  override createConnection(options: NetConnectOpts) {
    return this.proxy.protocol === 'https:' ? connectSecure(options) : connectPlain(options);
  }
}
