// Example: the mock under an app's own dev server. The app calls /v1/… on its own origin, as it will behind its gateway.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { startMock } from 'platform-mock';
import { platformMock } from 'platform-mock/vite';
import { createServer, type PluginOption, preview, type ServerOptions } from 'vite';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { hasBrowser, startBrowser, watchMisdeeds } from '../testing/browser.ts';

/** The app, which docs/frontend.md shows. */
const app = join(import.meta.dirname, 'vite-app');
const folder = testFolder();
const routes = join(folder, 'routes.yaml');
const service = await startMock({ port: 0, routes: [{ routes: [{ path: '/v2/theirs', body: 'of the service' }] }] });
writeFileSync(routes, 'routes: [{ path: /mine, body: { version: 1 } }]');
const local = { port: 0, host: '127.0.0.1' };
const devServer = (plugins: PluginOption[], server: ServerOptions = local) =>
  createServer({ root: app, cacheDir: folder, configFile: false, logLevel: 'warn', server, plugins });
const server = await devServer([
  platformMock({ seed: 7, routes: [routes] }),
  platformMock({ base: '/strict', profile: 'strict' }),
  platformMock({ base: '/api', upstream: { upstream: service.baseUrl } }),
]);
await server.listen();
const origin = server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';
afterAll(async () => {
  await server.close();
  await service.close();
});

test.runIf(hasBrowser)('the app calls the API on its own origin, and nothing else is asked for', async () => {
  await using browser = await startBrowser();
  const page = await browser.newPage();
  const misdeeds = watchMisdeeds(page, origin);
  await page.goto(origin);
  await page.getByText('Transcription models').waitFor();

  await page.goto(`${origin}/_mock/`);
  await page.getByText('rec_kickoff').first().waitFor();
  expect(misdeeds).toEqual({ console: [], elsewhere: [] });
});

const json = async (path: string) => (await fetch(origin + path)).json();

test('the control plane, sandboxes and a mock below a path are there, and know where they are', async () => {
  expect(await json('/_mock/info')).toMatchObject({ seed: 7, profile: 'default', baseUrl: origin });
  expect(await json('/~ci/_mock/info')).toMatchObject({ world: 'ci', baseUrl: `${origin}/~ci` });
  expect(await json('/strict/_mock/info')).toMatchObject({ profile: 'strict', baseUrl: `${origin}/strict` });
  expect(await json('/strict/~ci/_mock/target')).toMatchObject({ baseUrl: `${origin}/strict/~ci` });
});

test('routes are read again when their file changes, new paths included', async () => {
  expect(await json('/mine')).toEqual({ version: 1 });
  writeFileSync(routes, 'routes: [{ path: /mine, body: { version: 2 } }, { path: /new, body: {} }]');
  await expect.poll(() => json('/mine')).toEqual({ version: 2 });
  expect(await json('/new')).toEqual({});
});

test('with an upstream, it gets what the mock does not know below the base', async () => {
  expect(await (await fetch(`${origin}/api/v2/theirs`)).text()).toBe('of the service');
  expect((await fetch(`${origin}/api/v1/api-tokens/scopes`)).status).toBe(401);
});

test('what is not of the mock is of the app', async () => {
  for (const path of ['/', '/v10', '/some/page', '/strict']) {
    const response = await fetch(origin + path, { headers: { Accept: 'text/html' } });
    expect(await response.text(), path).toContain('<title>App</title>');
    expect(response.headers.get('x-mock-basis')).toBeNull();
  }
});

test('a dev server without an HTTP server, as in Vitest, closes the mock with it', async () => {
  const stateFile = join(folder, 'embedded.json');
  const within = await devServer([platformMock({ state: stateFile })], { middlewareMode: true, ws: false });
  rmSync(stateFile, { force: true });
  await within.close();
  expect(existsSync(stateFile)).toBe(true);
});

test('a dev server that restarts has its recording to itself', async () => {
  const record = join(folder, 'restarted.har');
  const first = await devServer([platformMock({ record })]);
  await first.listen();
  await first.restart();
  await (await fetch(`${first.resolvedUrls?.local[0]}_mock/info`)).text();
  await first.close();
  expect(JSON.parse(readFileSync(record, 'utf8')).log.entries).toHaveLength(1);
});

test('a dev server that restarts leaves nothing behind: an edit is read once', async () => {
  const edited = join(folder, 'edited.yaml');
  const write = (version: number) => writeFileSync(edited, `routes: [{ path: /mine, body: ${version} }]`);
  write(1);
  const log = vi.fn();
  const restarted = await devServer([platformMock({ routes: [edited], log })]);
  onTestFinished(() => restarted.close());
  await restarted.listen();
  for (const _ of ['once', 'twice']) await restarted.restart();
  write(2);
  await expect.poll(() => log.mock.calls.length).toBeGreaterThan(0);
  write(3);
  await expect.poll(async () => (await fetch(`${restarted.resolvedUrls?.local[0]}mine`)).json()).toBe(3);
  expect(log.mock.calls).toEqual(Array(2).fill(['info', 'profile, fixtures and routes reloaded']));
});

test('a report of vary in the root of the app does not reload the page', async () => {
  const root = join(folder, 'app');
  const report = join(root, 'vary-report');
  mkdirSync(report, { recursive: true });
  const watching = await createServer({
    root,
    configFile: false,
    logLevel: 'warn',
    server: local,
    plugins: [platformMock()],
  });
  onTestFinished(() => watching.close());
  const changed: string[] = [];
  watching.watcher.on('all', (_event, path) => void changed.push(relative(root, path)));
  // Again and again: the watcher may not be ready yet.
  const writeBoth = () => {
    for (const file of [join(report, 'vary.html'), join(root, 'other.html')]) writeFileSync(file, 'page');
    return changed;
  };
  await expect.poll(writeBoth).toContain('other.html');
  expect(changed).not.toContain('vary-report/vary.html');
});

test.each(['api', 'https://x/api', '/api?x', 5])('a base that is no path is refused: %j', (base) => {
  expect(() => platformMock({ base: base as never })).toThrow(
    `platformMock: base must be a path such as /api; it is ${JSON.stringify(base)}`,
  );
});

test('vite preview has it too; once the server is closed, a file has its state, another one its traffic', async () => {
  const [stateFile, record] = [join(folder, 'state.json'), join(folder, 'traffic.har')];
  const built = await preview({
    root: app,
    configFile: false,
    preview: local,
    plugins: [platformMock({ base: '/api', state: stateFile, record })],
  });
  const url = built.resolvedUrls?.local[0] ?? '';
  expect(await (await fetch(`${url}api/_mock/info`)).json()).toMatchObject({ name: 'platform-mock' });
  rmSync(stateFile, { force: true });
  await built.close();
  expect(existsSync(stateFile)).toBe(true);
  const { entries } = JSON.parse(readFileSync(record, 'utf8')).log;
  expect(entries).toMatchObject([{ request: { url: `${url}api/_mock/info` }, response: { status: 200 } }]);
});
