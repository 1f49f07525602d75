import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { locationBelow, trimmedBase } from '../../contract-tests/values/url.ts';

/** Pages are let in by the mock, as everywhere; what the upstream says of it is about other pages. */
const letsIn = ['origin', 'methods', 'headers', 'max-age'].map((name) => `access-control-allow-${name}`);
/** About the whole host, which is the mock's. Without a policy for openers, its pages have no hold of the dashboard. */
const ofTheHost = ['strict-transport-security', 'cross-origin-opener-policy'];
/** Said by both. */
const joined = ['vary', 'access-control-expose-headers'];

interface Place {
  /** With what the mock says of its pages. */
  readonly response: ServerResponse;
  /** Of the upstream. */
  readonly base: URL;
  /** The URL that the upstream was asked for. */
  readonly from: string;
}

/** Changes what an answer of the upstream says of hosts, paths and pages so that it holds at the mock, too. */
export function atTheMock(headers: IncomingHttpHeaders, { response, base, from }: Place): void {
  if (headers.location !== undefined) headers.location = locationBelow(base.href, headers.location, from);
  for (const name of ofTheHost) delete headers[name];
  const cookies = headers['set-cookie'];
  if (cookies) headers['set-cookie'] = cookies.map((cookie) => cookieHere(cookie, trimmedBase(base.pathname)));
  if (!response.hasHeader('access-control-allow-origin')) return;
  for (const name of letsIn) delete headers[name];
  for (const name of joined) {
    const both = [response.getHeader(name), headers[name]].filter((value) => value !== undefined);
    if (both.length > 0) headers[name] = both.join(', ');
  }
}

/** A cookie for this host, and for the paths without the upstream's prefix. */
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
