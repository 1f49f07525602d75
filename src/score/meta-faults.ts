import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { examples } from './examples.ts';

/** A server that is no such API, whatever it answers. */
export interface MetaFault {
  readonly id: string;
  readonly description: string;
  /** Absent: nobody listens. */
  readonly handler?: RequestListener;
}

const always =
  (status: number, body = '', type = 'application/json', headers: Record<string, string> = {}): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status, { 'Content-Type': type, ...headers }).end(body);
  };

const error = '{"error":{"code":"no","message":"No."}}';

const echo: RequestListener = (request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  request.pipe(response);
};

const endless: RequestListener = (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const more = (): void => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  };
  response.on('drain', more);
  more();
};

const truncated: RequestListener = (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  response.write('{"access_token":', () => response.socket?.destroy());
};

const flipping = (): RequestListener => {
  let count = 0;
  return (request, response) => {
    count += 1;
    always(count % 2 === 0 ? 200 : 500, '{}')(request, response);
  };
};

const page = '<!doctype html><title>Platform</title><h1>It works!</h1>';

/** Servers at which a suite that is not careful turns green. None of them may ever be found to conform. */
export const metaFaults: readonly MetaFault[] = [
  { id: 'all-404', description: 'answers 404 to everything', handler: always(404, error) },
  { id: 'all-401', description: 'answers 401 to everything', handler: always(401, error) },
  { id: 'reject-all', description: 'answers 403 to everything', handler: always(403, error) },
  { id: 'all-400', description: 'answers 400 to everything', handler: always(400, error) },
  { id: 'all-500', description: 'answers 500 to everything', handler: always(500, error) },
  { id: 'all-501', description: 'answers 501 to everything', handler: always(501, error) },
  { id: 'all-204', description: 'answers 204 to everything', handler: always(204) },
  { id: 'all-200-object', description: 'answers 200 and {} to everything', handler: always(200, '{}') },
  { id: 'all-200-array', description: 'answers 200 and [] to everything', handler: always(200, '[]') },
  { id: 'all-200-null', description: 'answers 200 and null to everything', handler: always(200, 'null') },
  { id: 'all-200-empty', description: 'answers 200 and nothing to everything', handler: always(200) },
  { id: 'echo', description: 'answers with what it was sent', handler: echo },
  { id: 'html', description: 'answers a page to everything', handler: always(200, page, 'text/html') },
  {
    id: 'redirect-loop',
    description: 'redirects for ever',
    handler: always(302, '', 'text/plain', { Location: '/v1/auth/sso' }),
  },
  { id: 'hang', description: 'takes every request and never answers', handler: () => {} },
  { id: 'closes', description: 'closes the connection at once', handler: (request) => request.socket.destroy() },
  { id: 'truncated', description: 'closes the connection in the middle of every answer', handler: truncated },
  { id: 'endless-body', description: 'answers without end', handler: endless },
  {
    id: 'not-http',
    description: 'answers with something that is not HTTP',
    handler: (request) => request.socket.end('220 ready\r\n'),
  },
  { id: 'flipping', description: 'answers 500 and 200 in turn', handler: flipping() },
  {
    id: 'limited-for-ever',
    description: 'answers 429 to everything, with Retry-After: 0',
    handler: always(429, error, 'application/json', { 'Retry-After': '0' }),
  },
  {
    id: 'examples',
    description: 'answers an example of the right shape to every operation, and keeps nothing',
    handler: examples,
  },
  { id: 'refused-connection', description: 'does not listen' },
];

/** Starts such a server, hands out its base URL, and ends it. */
export async function withMetaFault<T>({ handler }: MetaFault, use: (baseUrl: string) => Promise<T>): Promise<T> {
  const server = createServer(handler);
  const baseUrl = await listen(server);
  if (!handler) await close(server);
  try {
    return await use(baseUrl);
  } finally {
    await close(server);
  }
}

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
