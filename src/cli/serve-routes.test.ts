import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServer } from '../testing/command.ts';

test('a custom route that fails after its answer is logged, and the mock stays up', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platform-mock-routes-'));
  const file = join(folder, 'routes.mjs');
  const answer = `() => { void Promise.reject(new Error('it is not awaited')); return { body: 'answered' }; }`;
  await writeFile(file, `export default { routes: [{ path: '/v1/x', answer: ${answer} }] };`);
  const server = await startServer(['serve', '--port', '0', '--routes', file]);
  const ask = async () => (await fetch(`${server.baseUrl}/v1/x`)).text();
  expect(await ask()).toBe('answered');
  expect(await ask()).toBe('answered');
  const { code, stderr } = await server.end('SIGTERM');
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('failed outside of any request: Error: it is not awaited'),
  ]);
  await rm(folder, { recursive: true });
});
