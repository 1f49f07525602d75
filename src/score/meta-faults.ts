import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Verdict } from '../../contract-tests/model.ts';
import { lazy } from '../../contract-tests/values/once.ts';
import { createMock } from '../index.ts';

/** A server that is not this API. */
export interface MetaFault {
  readonly id: string;
  readonly description: string;
  /** The expected verdict, all credentials given. */
  readonly verdict: Verdict;
  /** Absent: the server does not listen. */
  readonly handler: RequestListener | undefined;
}

/** A complete target file: no server fails for a lack of credentials. */
export const completeTarget = {
  actors: {
    admin: {
      sso: { oid: 'oid-of-admin', tid: 'tid', upn: 'admin@example.test' },
      login: { email: 'admin@example.test', password: 'password-of-admin' },
    },
    member: { sso: { oid: 'oid-of-member', tid: 'tid', upn: 'member@example.test' } },
  },
  resources: { recordingId: 'rec-1', tenantId: 'ten-1' },
};

const always =
  (status: number, body: string | Buffer = '', type = 'application/json', headers: Record<string, string> = {}) =>
  (...[request, response]: Parameters<RequestListener>): void => {
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

const dripping: RequestListener = (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const drip = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(drip));
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
const json = 'application/json';
const gzip = { 'Content-Encoding': 'gzip' };

/** A hundred megabytes of blanks in a hundred kilobytes, made when first asked for. */
const blanks = lazy(() => gzipSync(Buffer.alloc(100_000_000, ' ')));
const bomb: RequestListener = (request, response) => always(200, blanks(), json, gzip)(request, response);

const invalidUtf8 = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
const nested = '['.repeat(10_000) + ']'.repeat(10_000);

/** As a mock without state is: every answer is an example of the document, and none depends on the request. */
function exemplary(): RequestListener {
  const mock = lazy(() => createMock({ profile: { answers: { 'success-codes': 'always-200' } } }));
  return async (request, response) => {
    const { url, method = 'GET' } = request;
    const asked = { method, headers: { prefer: 'code=200' } };
    const answer = await (await mock()).fetch(`http://mock.test${url}`, asked);
    always(answer.status, await answer.text())(request, response);
  };
}

/** Sign-ins answer the token of the document's example, which nothing accepts. */
function refusing(): RequestListener {
  const show = exemplary();
  return (request, response) => (request.url?.startsWith('/v1/auth/') ? show : always(401, error))(request, response);
}

const rows: readonly (readonly [id: string, verdict: Verdict, description: string, handler?: RequestListener])[] = [
  ['all-404', 'violates', 'answers 404 to everything', always(404, error)],
  ['all-401', 'unreachable', 'answers 401 to everything', always(401, error)],
  ['reject-all', 'unreachable', 'answers 403 to everything', always(403, error)],
  ['all-400', 'violates', 'answers 400 to everything', always(400, error)],
  ['all-500', 'violates', 'answers 500 to everything', always(500, error)],
  ['all-501', 'violates', 'answers 501 to everything', always(501, error)],
  ['all-204', 'violates', 'answers 204 to everything', always(204)],
  ['all-200-object', 'violates', 'answers 200 and {} to everything', always(200, '{}')],
  ['all-200-array', 'violates', 'answers 200 and [] to everything', always(200, '[]')],
  ['all-200-null', 'violates', 'answers 200 and null to everything', always(200, 'null')],
  ['all-200-empty', 'violates', 'answers 200 and nothing to everything', always(200)],
  ['echo', 'violates', 'answers with what it was sent', echo],
  ['html', 'unreachable', 'answers a page to everything', always(200, page, 'text/html')],
  ['html-404', 'unreachable', 'answers 404 and a page to everything', always(404, page, 'text/html')],
  ['text-403', 'unreachable', 'answers 403 and a text to everything', always(403, 'Request blocked', 'text/plain')],
  ['json-as-html', 'violates', 'answers 404 and JSON as a page to everything', always(404, error, 'text/html')],
  ['empty-404', 'violates', 'answers 404 and nothing to everything', always(404, '', 'text/html')],
  ['redirect-loop', 'unreachable', 'redirects forever', always(302, '', 'text/plain', { Location: '/v1/auth/sso' })],
  ['hang', 'unreachable', 'accepts every request and never answers', () => {}],
  ['closes', 'unreachable', 'closes the connection at once', (request) => request.socket.destroy()],
  ['truncated', 'unreachable', 'closes the connection in the middle of every answer', truncated],
  ['endless-body', 'unreachable', 'answers without end', endless],
  ['dripping', 'unreachable', 'answers a byte at a time', dripping],
  ['gzip-bomb', 'unreachable', 'answers a gzip bomb', bomb],
  [
    'huge-headers',
    'unreachable',
    'answers with huge headers',
    always(200, '{}', json, { 'X-Huge': 'x'.repeat(100_000) }),
  ],
  ['invalid-utf-8', 'violates', 'answers bytes that are not UTF-8', always(200, invalidUtf8)],
  ['nested', 'violates', 'answers JSON that is nested ten thousand levels deep', always(200, nested)],
  ['not-http', 'unreachable', 'answers with something that is not HTTP', ({ socket }) => socket.end('220 ready\r\n')],
  ['flipping', 'violates', 'answers 500 and 200 in turn', flipping()],
  [
    'limited-for-ever',
    'unreachable',
    'answers 429 to everything, with Retry-After: 0',
    always(429, error, json, { 'Retry-After': '0' }),
  ],
  ['examples', 'violates', 'answers an example of the right shape to every operation, and keeps nothing', exemplary()],
  ['one-dead-token', 'violates', 'hands out one token to everybody, and refuses it', refusing()],
  ['refused-connection', 'unreachable', 'does not listen'],
];

/** Servers at which a suite that is not careful turns green. None of them may ever be found to conform. */
export const metaFaults = rows.map(
  ([id, verdict, description, handler]): MetaFault => ({ id, verdict, description, handler }),
);

/** The timeout in milliseconds: short where nothing else ends the wait, and else long enough for a busy machine. */
export const timeoutAt = ({ id }: MetaFault): number => (id === 'hang' || id === 'dripping' ? 150 : 30_000);

/** Starts such a server, hands out its base URL, and ends it. */
export async function withMetaFault<T>({ handler }: MetaFault, use: (baseUrl: string) => Promise<T>): Promise<T> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  if (!handler) await close(server);
  try {
    return await use(`http://127.0.0.1:${port}`);
  } finally {
    await close(server);
  }
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
