import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { withServer } from '../contract-tests/testing/fixtures.ts';
import { sendInTurn, type Turn } from './load-connection.ts';

/** The statuses of so many requests to these paths. */
async function statusesOf(amount: number, listener: RequestListener, paths = ['/']): Promise<number[]> {
  const statuses: number[] = [];
  const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`));
  const answered = (status: number, milliseconds: number): void => {
    expect(milliseconds).toBeGreaterThan(0);
    statuses.push(status);
  };
  const turn: Turn = (go) => go(statuses.length < amount ? performance.now() : undefined);
  await withServer(listener, (baseUrl) => sendInTurn(new URL(baseUrl), requests, turn, answered));
  return statuses;
}

test('sends its requests in turn, one after the other, and tells each status', async () => {
  const seen: (string | undefined)[] = [];
  let open = 0;
  const listener: RequestListener = async ({ url }, response) => {
    open += 1;
    expect(open).toBe(1);
    seen.push(url);
    // In pieces, of several bytes a character.
    response.writeHead(url === '/b' ? 404 : 200, { 'content-length': 5 }).write('fü');
    await new Promise(setImmediate);
    open -= 1;
    response.end('nf');
  };
  expect(await statusesOf(5, listener, ['/a', '/b'])).toEqual([200, 404, 200, 404, 200]);
  expect(seen).toEqual(['/a', '/b', '/a', '/b', '/a']);
});

test.each<[string, RequestListener, string]>([
  ['without its length', (_request, response) => void response.write('chunked'), 'expected a content-length'],
  ['that is missing', (request) => void request.socket.end(), 'without a response'],
])('a response %s ends the measurement with an error', async (_case, listener, message) => {
  await expect(statusesOf(1, listener)).rejects.toThrow(message);
});
