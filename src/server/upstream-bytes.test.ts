// An upstream and clients that violate HTTP, as bytes: Node's client and server would correct them.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, createServer as createRaw } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { startMock } from '../index.ts';
import { mangled, randomFrom } from '../testing/malformed.ts';
import { listening, sendRaw, statusesIn } from '../testing/raw-client.ts';

const head = (path: string, headers: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`;
const handshake = 'Connection: Upgrade\r\nUpgrade: websocket';

let asked: string[] = [];
const connections = new Set<unknown>();
const server = createServer(async (request, response) => {
  connections.add(request.socket);
  let body = '';
  for await (const chunk of request) body += chunk;
  asked.push(`${request.method} ${request.url} ${body}`);
  response.end(request.url);
});
const upstream = `${await listening(server)}/base`;
beforeEach(() => {
  asked = [];
  connections.clear();
});

const smuggled = 'POST /base/smuggled HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n';
const inChunks = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
const length = `Content-Length: ${smuggled.length}`;
const chunked = 'Transfer-Encoding: chunked';

test.each([
  ['CL.CL', `${length}\r\nContent-Length: 0`, smuggled, 400, undefined],
  ['CL.TE', `${length}\r\n${chunked}`, inChunks, 400, undefined],
  ['TE.CL', `${chunked}\r\n${length}`, inChunks, 400, undefined],
  ['a coding that is not passed on', 'Transfer-Encoding: gzip, chunked', inChunks, 501, undefined],
  ['Connection: content-length', `Connection: content-length\r\n${length}`, smuggled, 200, smuggled],
  ['Connection: transfer-encoding', `Connection: Transfer-Encoding\r\n${chunked}`, inChunks, 200, smuggled],
  ['an upgrade with a length', `${handshake}\r\n${length}`, smuggled, 200, smuggled],
  ['an upgrade in chunks', `${handshake}\r\n${chunked}`, inChunks, 200, smuggled],
  ['a refused upgrade, and more', handshake, smuggled, 200, ''],
])('a request is read there as it is here: %s', async (_name, headers, body, status, got) => {
  await using mock = await startMock({ upstream: { upstream } });
  const answer = await sendRaw(mock.baseUrl, head('/v1/first', headers) + body, /\r\n\r\n/);
  expect(statusesIn(answer)[0]).toBe(status);
  expect(await (await fetch(`${mock.baseUrl}/v1/next`, { method: 'POST' })).text()).toBe('/base/v1/next');
  expect(asked).toEqual([...(got === undefined ? [] : [`GET /base/v1/first ${got}`]), 'POST /base/v1/next ']);
  expect(connections.size).toBe(asked.length);
});

test.each([
  '/../admin',
  '/v1/../../admin',
  '/v1/..',
  '/%2e%2E/admin',
  '/.%2e/admin',
  '/v1%2f..%2F..%2fadmin',
  '/v1\\..\\..\\admin',
  '/v1/%5c..%5C..%5cadmin',
  '/%252e%252e/admin',
  '/%25252e./admin',
  '/..;a=b/admin',
  '*',
  'http://localhost/../admin',
])('%s does not leave the base path of the upstream; what stays below it is passed on', async (path) => {
  await using mock = await startMock({ upstream: { upstream } });
  for (const headers of ['Connection: close', handshake])
    expect(await sendRaw(mock.baseUrl, head(path, headers), /never/)).toMatch(/^HTTP\/1\.1 400 /);
  const below = ['/v1/..a/b..', '/v1/...', '/v1/x?to=/../y', '/v1/%2e/.'];
  for (const each of [...below, 'http://localhost/v1/x'])
    await sendRaw(mock.baseUrl, head(each, 'Connection: close'), /never/);
  expect(asked).toEqual([...below, '/v1/x'].map((each) => `GET /base${each} `));
});

const answering = (bytes: string): Promise<string> =>
  listening(
    createRaw((socket) => socket.on('error', () => {}).on('data', () => socket.write(Buffer.from(bytes, 'latin1')))),
  );

test.each([
  ['a status below 100', 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n', 'its status is 99'],
  ['a reason that commands terminals', 'HTTP/1.1 200 \x1b[2J\r\n\r\n', 'Invalid character in statusMessage'],
  ['a header that commands terminals', 'HTTP/1.1 200 OK\r\nX: \x1b[2J\r\n\r\n', 'Invalid header value char'],
  ['an unrequested protocol', `HTTP/1.1 101 Switch\r\n${handshake}\r\n\r\n`, 'its status is 101'],
  ['a switch to nothing', 'HTTP/1.1 101 Switch\r\n\r\n', 'its status is 101'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', "can't be present"],
  ['a coding of the connection', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n', 'neither plain nor chunked'],
  ['no HTTP', '220 ready\r\n', 'Expected HTTP/'],
])('an upstream that answers %s is answered for with 502 and the reason', async (_name, bytes, reason) => {
  await using mock = await startMock({ upstream: { upstream: await answering(bytes) } });
  const answer = await fetch(`${mock.baseUrl}/v1/x`);
  expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining(reason)]);
  // A handshake is answered by a switch.
  if (bytes.includes('websocket')) return;
  expect(await sendRaw(mock.baseUrl, head('/v1/live', handshake), /\}$/)).toMatch(/^HTTP\/1\.1 502 /);
});

test('of an answer, what its Connection names stays behind, but for the length', async () => {
  const named = 'Connection: X-Hop, content-length\r\nKeep-Alive: timeout=1\r\nX-Hop: 1\r\nX-End: 2';
  await using mock = await startMock({
    upstream: { upstream: await answering(`HTTP/1.1 200 OK\r\n${named}\r\nContent-Length: 4\r\n\r\nbody`) },
  });
  const answer = await sendRaw(mock.baseUrl, head('/v1/x', 'Connection: close'), /never/);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n(?!.*x-hop).*x-end: 2\r\n.*content-length: 4\r\n.*body$/is);
});

test.each(['Content-Length: 99', chunked])('an answer that stops arriving is not a whole one: %s', async (framed) => {
  const bytes = `HTTP/1.1 200 OK\r\n${framed}\r\n\r\n4\r\nbody\r\n`;
  await using mock = await startMock({ upstream: { upstream: await answering(bytes), timeoutMs: 50 } });
  const answer = await fetch(`${mock.baseUrl}/v1/x`);
  await expect(answer.text()).rejects.toThrow();
});

test('a refused handshake brings the whole answer', async () => {
  const body = 'x'.repeat(3_000_000);
  await using mock = await startMock({
    upstream: { upstream: await answering(`HTTP/1.1 403 No\r\nContent-Length: ${body.length}\r\n\r\n${body}`) },
  });
  const answer = await sendRaw(mock.baseUrl, head('/v1/live', handshake), /never/);
  expect(answer).toMatch(/^HTTP\/1\.1 403 No\r\n/);
  expect(answer.length - answer.indexOf('\r\n\r\n') - 4).toBe(body.length);
});

test.each([
  ['takes up WebSockets', `HTTP/1.1 101 Switch\r\n${handshake}\r\n\r\nhello`],
  ['answers no handshake', ''],
])('an upstream that %s and never closes keeps no connection of clients that left', async (_name, bytes) => {
  const cycles = 50;
  let closed = 0;
  const never = createRaw({ allowHalfOpen: true }, (socket) => {
    socket.once('data', () => socket.write(bytes)).on('error', () => {});
    socket.once('end', () => {
      // A half-open connection takes it; on a closed one the sender gets an error.
      const saying = setInterval(() => socket.write('still here'), 10);
      socket.once('close', () => {
        clearInterval(saying);
        closed += 1;
      });
    });
  });
  await using mock = await startMock({ upstream: { upstream: await listening(never) } });
  for (let at = 0; at < cycles; at += 1) {
    const client = connect(mock.port, '127.0.0.1');
    client.write(head('/v1/live', handshake));
    if (bytes !== '') await once(client, 'data');
    client.end().on('error', () => {});
  }
  await expect.poll(() => closed, { timeout: 20_000 }).toBe(cycles);
});

/** Clients of an upstream that answers anything; `npm run attack` takes more. */
const clients = 40 * Number(process.env.ATTACK ?? 1);

test('every client gets an answer to any bytes of an upstream, and the mock stays up', async () => {
  const random = randomFrom(20_261_121);
  const answers = [
    `HTTP/1.1 101 Switching Protocols\r\n${handshake}\r\n\r\n`,
    'HTTP/1.1 200 \x1b[2J\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n',
    'HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\nConnection: x-a, content-length\r\nX-A: 1\r\n\r\nbody',
  ];
  const anything = createRaw({ allowHalfOpen: true }, (socket) => {
    const answer = () => mangled(random, answers[Math.floor(random() * answers.length)] ?? '');
    socket.on('error', () => {}).on('data', () => socket.write(Buffer.from(answer(), 'latin1')));
  });
  await using mock = await startMock({ upstream: { upstream: await listening(anything), timeoutMs: 50 } });
  const statuses = new Set<number | undefined>();
  for (let at = 0; at < clients; at += 1) {
    const answer = await sendRaw(mock.baseUrl, head('/v1/x', at % 4 === 0 ? 'X-A: 1' : handshake), /\r\n\r\n/);
    statuses.add(statusesIn(answer)[0]);
  }
  expect(statuses).not.toContain(undefined);
  expect([...statuses]).toEqual(expect.arrayContaining([101, 502]));
  expect((await fetch(`${mock.baseUrl}/_mock/health/live`)).status).toBe(200);
});
