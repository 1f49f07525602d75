import { expect, test } from 'vitest';
import { startServer } from '../testing/command.ts';

const scopes = '/v1/api-tokens/scopes';
const isReady = async (url: string) => (await fetch(`${url}/_mock/health/ready`)).status;

test('SIGTERM answers for the delay, is not ready, finishes what is in flight and exits 0', async () => {
  const server = await startServer(['serve', '--drain-delay', '5000', '--metrics', 'open']);
  expect(await isReady(server.baseUrl)).toBe(200);
  const { ended } = server;
  server.child.kill('SIGTERM');
  await expect.poll(() => isReady(server.baseUrl)).toBe(503);
  const during = await fetch(server.baseUrl + scopes, { headers: { 'x-mock-fault': 'delay;ms=6000' } });
  expect([during.status, during.headers.get('connection')]).toEqual([401, 'close']);
  expect((await ended).code).toBe(0);
});

test('a second signal ends it at once, and Ctrl+C waits for no delay', async () => {
  const server = await startServer(['serve', '--drain-delay', '3600000']);
  server.child.kill('SIGTERM');
  await expect.poll(() => isReady(server.baseUrl)).toBe(503);
  expect((await server.end('SIGTERM')).code).toBe(130);
  const other = await startServer(['serve', '--drain-delay', '3600000']);
  expect((await other.end('SIGINT')).code).toBe(0);
});
