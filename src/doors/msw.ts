import { type HttpHandler, HttpResponse, http } from 'msw';
import { ConfigError } from '../core/spec/config-error.ts';
import { literal, mockPaths, withoutSlash } from './paths.ts';
import { createPortableMock, type PortableMock, type PortableOptions } from './portable.ts';

export type { PortableMock, PortableOptions };
export { ConfigError };

/** A mock for Mock Service Worker (2 or 3): give `handlers` to setupServer or setupWorker. */
export interface MswMock extends PortableMock {
  readonly handlers: readonly HttpHandler[];
}

/** A response that happy-dom lets pages of any origin read: it checks what MSW answers, too, unlike browsers. */
function allowed(response: Response): Response {
  for (const name of ['Origin', 'Headers', 'Methods']) response.headers.set(`Access-Control-Allow-${name}`, '*');
  return response;
}

/**
 * Makes a mock that answers what an app sends to `baseUrl`, within the page or the test: no server, no network.
 * Sandboxes are at `${baseUrl}/~NAME`, the control plane at `${baseUrl}/_mock`.
 *
 * @param baseUrl the app's base URL; in a page it may be relative: `/api`, or `/` for the page's origin
 * @throws ConfigError if the base URL or an option is invalid
 */
export async function createMswMock(baseUrl: string, options: Omit<PortableOptions, 'baseUrl'> = {}): Promise<MswMock> {
  const page = globalThis.location?.href;
  if (!URL.canParse(baseUrl, page))
    throw new ConfigError([`${baseUrl} is not a URL; outside a page, give it in full: https://api.example.test`]);
  const base = withoutSlash(new URL(baseUrl, page).href);
  const mock = await createPortableMock({ ...options, baseUrl: base });
  const below = new RegExp(`^${literal(base)}${mockPaths(mock.worlds)}`);
  const handler = http.all(below, ({ request }) =>
    // A fault closed the connection, or the client has gone.
    mock.fetch(request).then(allowed, () => HttpResponse.error()),
  );
  return { ...mock, handlers: [handler] };
}
