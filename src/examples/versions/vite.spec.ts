// @vitest-environment node
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platformMock } from 'platform-mock/vite';
import { createServer } from 'vite';
import { expect, onTestFinished, test, vi } from 'vitest';

test('a restart of the dev server', async () => {
  const root = mkdtempSync(join(tmpdir(), 'app-'));
  const routes = join(root, 'routes.yaml');
  const write = (version: number) => writeFileSync(routes, `routes: [{ path: /mine, body: ${version} }]`);
  write(1);
  const log = vi.fn();
  const server = await createServer({
    root,
    configFile: false,
    server: { port: 0, host: '127.0.0.1' },
    plugins: [platformMock({ routes: [routes], log })],
  });
  onTestFinished(async () => {
    await server.close();
    rmSync(root, { recursive: true });
  });
  await server.listen();
  await server.restart();
  const answer = async () => (await fetch(`${server.resolvedUrls?.local[0]}mine`)).json();
  for (const version of [2, 3]) {
    write(version);
    await expect.poll(answer, { timeout: 10_000 }).toBe(version);
  }
  // A mock and a watcher that the restart left behind would have read each edit, too.
  expect(log.mock.calls).toHaveLength(2);
}, 30_000);
