import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { describe, expect, test } from 'vitest';
import { hasBrowser, startBrowser } from '../testing/browser.ts';

const root = join(import.meta.dirname, '../..');

/** Bundles a page's script that imports this package by its name, as an app's build does. */
async function bundle(script: string): Promise<Rolldown.OutputChunk[]> {
  // Within this package, which can import itself by its name.
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/bundle-'));
  try {
    const input = join(folder, 'main.js');
    writeFileSync(input, script);
    const result = (await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: {
        write: false,
        target: 'es2023',
        modulePreload: false,
        rolldownOptions: { input, external: /^msw$/, output: { format: 'es' }, preserveEntrySignatures: 'strict' },
      },
    })) as Rolldown.RolldownOutput;
    return result.output.filter((output) => output.type === 'chunk');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function initialOf(chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputChunk[] {
  const names = new Set(chunks.flatMap(({ isEntry, fileName }) => (isEntry ? [fileName] : [])));
  // Added files are visited, too.
  for (const name of names)
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) names.add(imported);
  return chunks.filter(({ fileName }) => names.has(fileName));
}

const modulesOf = (chunks: readonly Rolldown.OutputChunk[]): string[] => chunks.flatMap((chunk) => chunk.moduleIds);
/** The package that a module is of, or the file of ours without the hash in its name. */
const sourceOf = (id: string): string | undefined =>
  /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? /\/dist\/bundle\/(\w+)/.exec(id)?.[1];
const gzipped = ({ code }: Rolldown.OutputChunk): number => gzipSync(code).length;

describe('the mock in a browser bundle', async () => {
  const chunks = await bundle(`export { createMswMock } from 'platform-mock/msw';`);
  const holding = (name: string) => chunks.filter(({ moduleIds }) => moduleIds.some((id) => sourceOf(id) === name));

  test('has at most 90 KB, gzipped: code, data and validators; without msw, and what is loaded later', () => {
    const initial = initialOf(chunks);
    expect(initial.flatMap(({ imports }) => imports)).toContain('msw');
    expect(initial.reduce((sum, chunk) => sum + gzipped(chunk), 0)).toBeLessThan(90 * 1024);
  });

  test.each([
    'control',
    'faults',
    'routes',
    // Invented recordings, another profile than the default one, templates of routes.
    '@faker-js/faker',
    'ajv',
    'liquidjs',
  ])('loads later, what an app that only calls the API does without: %s', (name) => {
    expect(holding(name)).not.toEqual([]);
    expect(modulesOf(initialOf(chunks)).map(sourceOf)).not.toContain(name);
  });

  test('Ajv has at most 45 KB, gzipped', () => {
    expect(holding('ajv').reduce((sum, chunk) => sum + gzipped(chunk), 0)).toBeLessThan(45 * 1024);
  });

  test('holds these packages, and no built-in module of Node', () => {
    const modules = modulesOf(chunks);
    expect(modules.filter((id) => /^(node:|.*vite-browser-external)/.test(id))).toEqual([]);
    const packages = new Set(modules.filter((id) => id.includes('/node_modules/')).map(sourceOf));
    expect([...packages].sort()).toEqual(['@faker-js/faker', 'liquidjs']);
    const files = new Set(modules.map(sourceOf));
    expect(['early', 'express', 'suite', 'verify', 'commands'].filter((name) => files.has(name))).toEqual([]);
  });
});

test.runIf(hasBrowser)('imported in a browser, createMock is what it is in Node', async () => {
  const chunks = await bundle(`
    import { apiClient, ConfigError, createMock } from 'platform-mock';
    const mock = await createMock({ profile: 'strict', recordings: 30 });
    await using world = await mock.sandbox();
    const { data } = await world.control.POST('/tokens', { body: { user: 'usr_ada' } });
    const api = apiClient(world.baseUrl, { fetch: mock.fetch, token: data.token });
    const { response } = await api.GET('/v1/api-tokens/scopes');
    const problem = await createMock({ sed: 1 }).catch((error) => error);
    document.title = [response.status, (await world.control.GET('/info')).data.counts.recordings, problem instanceof ConfigError];
  `);
  await using browser = await startBrowser();
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  const html = `<script type="module" src="/${chunks.find(({ isEntry }) => isEntry)?.fileName}"></script>`;
  // Neither local nor HTTPS, like a dev server on another machine: parts of Web Crypto are missing there.
  await page.route('http://page.invalid/**', (route) => {
    const path = new URL(route.request().url()).pathname.slice(1);
    const code = chunks.find(({ fileName }) => fileName === path)?.code;
    return route.fulfill({ contentType: code ? 'text/javascript' : 'text/html', body: code ?? html });
  });
  await page.goto('http://page.invalid/');
  await page.waitForFunction('document.title !== ""', undefined, { timeout: 120_000 }).catch(() => {});
  expect({ title: await page.title(), problems }).toEqual({ title: '200,30,true', problems: [] });
});
