import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { LoadConnection, requestBytes } from './load-connection.ts';

/** What the connection sees of a server, and the server of the connection, in so many requests. */
async function exchange(amount: number, listener: RequestListener, options: { paths?: string[]; body?: string } = {}) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const target = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const load = {
    url: target.href,
    method: 'PATCH',
    headers: { 'x-own': 'yes' },
    connections: 1,
    seconds: 1,
    ...options,
  };
  const statuses: number[] = [];
  let left = amount;
  const connection = new LoadConnection(
    target,
    (options.paths ?? ['/']).map((path) => requestBytes(target, path, load)),
    () => left-- > 0,
    (status, milliseconds) => {
      expect(milliseconds).toBeGreaterThan(0);
      statuses.push(status);
    },
  );
  try {
    await connection.ended;
    return statuses;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test('sends its requests in turn, one after the other, and tells each status', async () => {
  const seen: string[] = [];
  let open = 0;
  const statuses = await exchange(
    5,
    async (request, response) => {
      open += 1;
      expect(open).toBe(1);
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      seen.push(`${request.method} ${request.url} ${request.headers['x-own']} ${Buffer.concat(chunks)}`);
      open -= 1;
      response.writeHead(request.url === '/b' ? 404 : 200, { 'content-length': 4 }).end('fünf'.slice(0, 3));
    },
    { paths: ['/a', '/b'], body: '{"title":"Ä"}' },
  );
  expect(statuses).toEqual([200, 404, 200, 404, 200]);
  expect(seen).toEqual(['/a', '/b', '/a', '/b', '/a'].map((path) => `PATCH ${path} yes {"title":"Ä"}`));
});

test('a response in pieces is one response', async () => {
  const statuses = await exchange(2, (_request, response) => {
    response.writeHead(200, { 'content-length': 6 });
    response.write('abc');
    setImmediate(() => response.end('def'));
  });
  expect(statuses).toEqual([200, 200]);
});

test('a response without its length, or none at all, ends the measurement with an error', async () => {
  await expect(exchange(1, (_request, response) => void response.write('chunked'))).rejects.toThrow(
    'expected a content-length',
  );
  await expect(exchange(1, (request) => void request.socket.end())).rejects.toThrow('without a response');
});
