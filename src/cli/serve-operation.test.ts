import { expect, test } from 'vitest';
import { startServer } from '../testing/command.ts';

const isReady = async (url: string) => (await fetch(`${url}/_mock/health/ready`)).status;

test('a second signal ends it at once, and Ctrl+C waits for no delay', async () => {
  const server = await startServer(['serve', '--drain-delay', '3600000']);
  server.child.kill('SIGTERM');
  await expect.poll(() => isReady(server.baseUrl)).toBe(503);
  expect((await server.end('SIGTERM')).code).toBe(130);
  const other = await startServer(['serve', '--drain-delay', '3600000']);
  expect((await other.end('SIGINT')).code).toBe(0);
});
