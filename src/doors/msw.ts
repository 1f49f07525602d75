import { type HttpHandler, HttpResponse, http } from 'msw';
import { createPortableMock, type PortableMock, type PortableOptions } from './portable.ts';

export { ConfigError } from '../core/spec/config-error.ts';
export type { PortableMock, PortableOptions };

/** A mock for Mock Service Worker (2): give `handlers` to setupServer or setupWorker. */
export interface MswMock extends PortableMock {
  readonly handlers: readonly HttpHandler[];
}

/**
 * Makes a mock that answers what an app sends to `baseUrl`, within the page or the test itself: no server, no network.
 * Sandboxes are at `${baseUrl}/~NAME`, the control plane at `${baseUrl}/_mock`.
 * @throws ConfigError when an option cannot be used
 */
export async function createMswMock(baseUrl: string, options: Omit<PortableOptions, 'baseUrl'> = {}): Promise<MswMock> {
  const base = baseUrl.replace(/\/$/, '');
  const mock = await createPortableMock({ ...options, baseUrl: base });
  const answer = ({ request }: { request: Request }): Promise<Response> =>
    // A fault closed the connection.
    mock.fetch(request).catch(() => HttpResponse.error());
  // Whatever else is below the base URL is the app's own.
  const handlers = ['/v1/*', '/_mock/*', '/~*'].map((path) => http.all(`${base}${path}`, answer));
  return { ...mock, handlers };
}
