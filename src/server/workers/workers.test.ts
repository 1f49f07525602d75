import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { ownerOf, sandboxesIn } from './owner.ts';
import { peekingServer } from './peek.ts';
import { passWholeLines } from './whole-lines.ts';

test.each([
  ['/v1/x'],
  ['/~box/v1/x', 'box'],
  ['/~box', 'box'],
  ['/%7Ebox/_mock/info?x=1', 'box'],
  ['/_mock/sandboxes'],
  ['/_mock/sandboxes/other', 'other'],
  ['/_mock/sandboxes/an%20other?x=/~box', 'an other'],
  ['/~box/_mock/sandboxes/other', 'other', 'box'],
  ['/~box/_mock/sandboxes', 'box'],
  ['/~box/_mock/sandboxes/%zz', 'box'],
  ['/_mock/sandboxes/other/more'],
  ['http://host/~box/v1/x'],
  [''],
])('%s concerns the sandboxes %s %s', (url, ...sandboxes) => {
  expect(sandboxesIn(url)).toEqual(sandboxes);
});

test('sandboxes are spread evenly, the same way each time; the main world is in worker 0', () => {
  const names = Array.from({ length: 3000 }, (_, at) => `test-${at}`);
  const counts = [0, 1, 2].map((worker) => names.filter((name) => ownerOf(name, 3) === worker).length);
  for (const count of counts) expect(count).toBeGreaterThan(900);
  // Written down: another version of the mock must not spread them differently.
  expect(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ownerOf(name, 2))).toEqual([0, 0, 1, 1, 1, 0]);
  expect(ownerOf(undefined, 64)).toBe(0);
});

/** Sends the pieces one by one to a server that peeks; what it tells, and what it left to be read. */
async function peeked(...pieces: readonly string[]): Promise<{ target: string; all: string }> {
  let client: Socket | undefined;
  const seen = await new Promise<{ target: string; all: string }>((resolve) => {
    const server = peekingServer((socket, bytes, target) => {
      server.close();
      let all = '';
      // The bytes that were read stand at the beginning of the stream, and nothing between them and the rest is lost.
      socket.on('data', (chunk) => {
        all += chunk.toString('latin1');
      });
      socket.once('end', () => resolve({ target, all }));
      socket.resume();
      expect(Buffer.from(bytes).toString('latin1')).not.toBe('');
    });
    server.listen(0, '127.0.0.1', async () => {
      client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', noDelay: true });
      for (const piece of pieces) {
        await new Promise((written) => client?.write(piece, 'latin1', written));
        await new Promise((next) => setImmediate(next));
      }
      client.end();
    });
  });
  client?.destroy();
  return seen;
}

test.each([
  [['GET /~a/v1/x?y=1 HTTP/1.1\r\nHost: x\r\n\r\n'], '/~a/v1/x'],
  [['G', 'ET', ' ', '/~a', '/v1', ' ', 'HTTP/1.1\r\n', 'Host: x\r\n\r\n'], '/~a/v1'],
  [['\r\nPOST /~a HTTP/1.1\r\nContent-Length: 4\r\n\r\n', 'body'], '/~a'],
  [['GET / HTTP/1.1\r\n\r\nGET /~b HTTP/1.1\r\n\r\n'], '/'],
  [['\u0016\u0003\u0001\u0002'], ''],
  [['{"json": 1}'], ''],
  [[`GET /${'x'.repeat(20_000)}`], ''],
])('peeks at what begins with %.30j', async (pieces, target) => {
  expect(await peeked(...pieces)).toEqual({ target, all: pieces.join('') });
});

test('lines of several processes stay whole', async () => {
  const [one, other] = [new PassThrough(), new PassThrough()];
  const written: string[] = [];
  for (const from of [one, other]) passWholeLines(from, (lines) => written.push(lines));
  for (const [stream, piece] of [
    [one, 'one '],
    [other, 'other 1\noth'],
    [one, 'line\n'],
    [other, 'er 2\nwithout an end'],
  ] as const) {
    stream.write(piece);
    await new Promise((next) => setImmediate(next));
  }
  await Promise.all([one, other].map((stream) => new Promise<void>((ended) => stream.once('end', ended).end())));
  expect(written).toEqual(['other 1\n', 'one line\n', 'other 2\n', 'without an end\n']);
});
