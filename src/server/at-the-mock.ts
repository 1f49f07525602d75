import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { pathBelow, trimmedBase } from '../../contract-tests/values/url.ts';

/** CORS headers of the upstream, which the mock replaces by its own. */
const letsIn = ['origin', 'methods', 'headers', 'max-age'].map((name) => `access-control-allow-${name}`);
/** Headers about the whole host, which is the mock's. Without an opener policy, its pages cannot hold the dashboard's window. */
const ofTheHost = ['strict-transport-security', 'cross-origin-opener-policy'];
const joined = ['vary', 'access-control-expose-headers'];

/** Rewrites hosts, paths and page policies in an answer of the upstream so that they are valid at the mock. */
export function atTheMock(headers: IncomingHttpHeaders, response: ServerResponse, base: URL, from: string): void {
  if (headers.location !== undefined)
    headers.location = pathBelow(base.href, headers.location, from) ?? headers.location;
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
