import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isProbe } from '../control/is-control.ts';
import { Refusal } from '../control/refusal.ts';
import { countOf } from '../core/message.ts';
import { directClient } from './client-address.ts';
import { isCrossSite, isNavigation, mayBeOf, namesHost } from './cors.ts';
import type { NodeDoorOptions } from './node-door.ts';

const localName = /^(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
/** Host names that a page cannot rebind: local names and addresses. */
const fixedName = /^(?:localhost|[a-z0-9-]+\.localhost|[\d.]+|\[[\da-f:.]+\])(?::\d+)?$/i;
const localAddress = /^(127\.|::1$|::ffff:127\.)/;

export interface AccessRules extends Pick<NodeDoorOptions, 'cors' | 'client'> {
  /** Required by the control plane; without it only local clients may call. */
  readonly controlToken?: string | undefined;
  /** Who may read metrics: `control`, clients of the control plane; `open`, everyone. */
  readonly metrics?: 'control' | 'open' | undefined;
  readonly upstreamPages?: UpstreamPages | undefined;
}

export interface UpstreamPages {
  readonly origin: string;
  /** Key that pages at the upstream's origin must send; only the mock's pages know it. */
  readonly pageKey: string;
}

// With DNS rebinding a page still sends its own name as Host. Probes have no token: they may read health.
/** Why the control plane refuses a request: it is open to clients with the token, or else to local ones; never to pages of other sites. */
export function controlRefusal(
  request: IncomingMessage,
  { controlToken: token, cors, client = directClient, metrics, upstreamPages }: AccessRules,
): Refusal | undefined {
  const { method, url = '/' } = request;
  const isOpen = isProbe(url) && (metrics === 'open' || !url.startsWith('/_mock/metrics'));
  if (isOpen && (method === 'GET' || method === 'HEAD')) return undefined;
  if (countOf(request.rawHeaders, 'authorization') > 1)
    return forbidden('The header Authorization was sent more than once.');
  const foreign = pageRefusal(request, 'the control plane', cors);
  if (foreign !== undefined) return forbidden(foreign);
  if (token !== undefined) {
    if (hasToken(request, token)) return undefined;
    return forbidden('The control plane is open to clients that send Authorization: Bearer <control token>.');
  }
  const isLocal = localName.test(request.headers.host ?? '') && localAddress.test(client.of(request));
  if (!isLocal) return forbidden('The control plane is open to local clients only.');
  // Navigation to a page: the headers that the listener sets keep other pages from reading it.
  if (!upstreamPages || !mayBeOf(upstreamPages.origin, request.headers, cors) || isNavigation(request))
    return undefined;
  if (hasToken(request, upstreamPages.pageKey)) return undefined;
  return forbidden('Pages of this origin may be those of the upstream; --cors with this origin allows all of them.');
}

/** Why a request must not reach the upstream: it came from a page of another site, or through a rebound host name. */
export function forwardRefusal(request: IncomingMessage, cors: readonly string[] = []): string | undefined {
  const { host = 'localhost', 'service-worker': worker, 'sec-fetch-dest': use } = request.headers;
  if (worker !== undefined || use === 'serviceworker')
    return "The upstream's service workers are not passed on: they would see what the mock's own pages send.";
  if (!fixedName.test(host) && !namesHost(cors, host))
    return `The name ${host} is not known to be this mock's; --cors http://${host} allows it.`;
  return pageRefusal(request, 'the upstream', cors);
}

/** Why a request from a page of another site is refused. A page opened in its own window is visible to the user only. */
function pageRefusal(request: IncomingMessage, what: string, cors?: readonly string[]): string | undefined {
  if (isNavigation(request) || !isCrossSite(request.headers, cors)) return undefined;
  const { origin } = request.headers;
  return `Pages of ${origin ?? 'other sites'} may not call ${what}; --cors ${origin ?? 'ORIGIN'} allows them.`;
}

const forbidden = (message: string): Refusal => new Refusal('forbidden', message);

/** Answers with a refusal, of the control plane or instead of the upstream. */
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

/** Whether a request has that bearer token; takes constant time. */
function hasToken(request: IncomingMessage, token: string): boolean {
  const [sent, expected] = [Buffer.from(request.headers.authorization ?? ''), Buffer.from(`Bearer ${token}`)];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
