import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import cors, { type CorsOptions } from 'cors';
import type { RequestHandler } from 'express';
import { isControl } from '../control/is-control.ts';
import { ConfigError } from '../core/spec/config-error.ts';

const localOrigin = /^https?:\/\/(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

const exposed = 'X-Mock-Basis,X-Mock-World,Retry-After,Allow,RateLimit-Limit,RateLimit-Remaining,Preference-Applied';

export const isPreflight = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** Accepts origins as browsers send them, of scheme, host and port; throws ConfigError for others. */
export function checkOrigins(origins: readonly string[] = []): void {
  for (const origin of origins) if (origin !== '*' && !isOrigin(origin)) throw new ConfigError([wrongOrigin(origin)]);
}

function isOrigin(text: string): boolean {
  const origin = text.replace(/\/$/, '').toLowerCase();
  if (origin === 'null' || !URL.canParse(origin)) return origin === 'null';
  const meant = new URL(origin).origin;
  // URL knows no origin for schemes such as those of extensions and apps.
  return meant === origin || (meant === 'null' && /^[a-z][a-z0-9+.-]*:\/\/[^/?#@]+$/.test(origin));
}

function wrongOrigin(text: string): string {
  const url = URL.canParse(text) && text.includes('://') ? text : `http://${text}`;
  const meant = URL.canParse(url) ? new URL(url).origin : 'null';
  const isList = text.includes(',');
  const hint = isList
    ? 'separate several by spaces'
    : meant === 'null'
      ? 'for example http://localhost:3000'
      : `do you mean ${meant}?`;
  return `cors: ${text} is not an origin, which is scheme, host and port, or * for all; ${hint}`;
}

/** Whether pages of the origin `from` may call. */
export const isAllowedOrigin = (from: string, origins: readonly string[] = []): boolean =>
  localOrigin.test(from) ||
  origins.some((origin) => origin === '*' || origin.replace(/\/$/, '').toLowerCase() === from.toLowerCase());

/** Whether a page on that origin may change more than the API allows. */
export const isTrustedOrigin = (from: string, host: string | undefined, origins?: readonly string[]): boolean =>
  hostOf(from) === host?.toLowerCase() || isAllowedOrigin(from, origins);

/** Whether a page sent this that is neither local nor allowed: without Origin, other headers tell where the page is from. */
export function isCrossSite(headers: IncomingHttpHeaders, origins: readonly string[] = []): boolean {
  const from = pageOf(headers);
  if (from !== undefined) return !isTrustedOrigin(from, headers.host, origins);
  return headers['sec-fetch-site'] === 'cross-site' && !origins.includes('*');
}

/** Whether a page may be the upstream's: its port is the mock's or a local upstream's, and `origins` do not name it. */
export function mayBeOf(upstream: string, headers: IncomingHttpHeaders, origins: readonly string[] = []): boolean {
  const { host = '', 'sec-fetch-site': site } = headers;
  const from = pageOf(headers) ?? (site === 'same-origin' ? host : undefined);
  const ports = [host, ...(localOrigin.test(upstream) ? [upstream] : [])].map(portOf);
  return from !== undefined && ports.includes(portOf(from)) && !namesHost(origins, hostOf(from));
}

/** Whether a user opens this in a window; scripts cannot send these headers. */
export const isNavigation = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean =>
  (method === 'GET' || method === 'HEAD') && headers['sec-fetch-dest'] === 'document';

/** Whether an origin of `origins` is at that host and port. */
export const namesHost = (origins: readonly string[], host: string): boolean =>
  origins.some((origin) => origin === '*' || hostOf(origin) === host.toLowerCase());

/** The origin of the page that sent this, if the headers tell it. */
const pageOf = ({ origin, referer }: IncomingHttpHeaders): string | undefined =>
  origin ?? (referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : undefined);

const hostOf = (origin: string): string => origin.replace(/^https?:\/\/|\/$/g, '').toLowerCase();
const portOf = (origin: string): string => /:\d+$/.exec(origin)?.[0] ?? '';

/** CORS for pages of local origins and of `origins` (`*` for all), which the response repeats. Credentials such as cookies are for the API only. */
export function allowOrigins(origins: readonly string[] = []): RequestHandler {
  const origin = (from: string | undefined, answer: (error: null, allowed: boolean) => void) =>
    answer(null, from !== undefined && isAllowedOrigin(from, origins));
  const methods = ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'];
  const allow = cors((request: IncomingMessage, done: (error: null, options: CorsOptions) => void) => {
    const ofKind = isPreflight(request) ? { methods, maxAge: 600 } : { exposedHeaders: exposed };
    // The API answers other OPTIONS requests.
    done(null, { origin, credentials: !isControl(request.url ?? '/'), ...ofKind, preflightContinue: true });
  });
  return (request, response, next) => {
    // Without Origin, CORS does not apply.
    if (request.headers.origin === undefined && request.method !== 'OPTIONS') return next();
    allow(request, response, next);
  };
}

/** Lets an allowed page read every header of a response. `*` would not hold for requests with credentials. */
export function exposeAll(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  if (response.hasHeader('Access-Control-Allow-Origin'))
    response.setHeader('Access-Control-Expose-Headers', Object.keys(headers).join(','));
}
