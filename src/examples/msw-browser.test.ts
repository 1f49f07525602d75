import { join } from 'node:path';
import type { MswMock } from 'platform-mock/msw';
import type { Browser, Page } from 'playwright-core';
import { build, type Connect, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { hasBrowser, startBrowser, writeWorker } from '../testing/browser.ts';

declare const window: { readonly mock: MswMock };

const folder = testFolder();

describe.runIf(hasBrowser)('a page with the mock in it', () => {
  const asked: string[] = [];
  const log: Connect.NextHandleFunction = ({ url = '' }, _, next) => {
    asked.push(url);
    next();
  };
  let server: PreviewServer;
  let browser: Browser;
  let page: Page;
  let origin: string;

  beforeAll(async () => {
    await build({
      root: join(import.meta.dirname, 'msw-page'),
      configFile: false,
      logLevel: 'error',
      build: { outDir: folder, emptyOutDir: true, target: 'es2023', reportCompressedSize: false },
    });
    writeWorker(folder);
    server = await preview({
      configFile: false,
      build: { outDir: folder },
      preview: { port: 0, host: '127.0.0.1' },
      plugins: [{ name: 'log', configurePreviewServer: ({ middlewares }) => void middlewares.use(log) }],
    });
    origin = server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';
    browser = await startBrowser();
    page = await browser.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const open = async (path: string): Promise<void> => {
    await page.goto(origin + path);
    await page.locator('button:enabled').waitFor();
  };
  const save = async (title: string): Promise<string> => {
    await page.evaluate('document.querySelector("output").textContent = ""');
    await page.fill('input', title);
    await page.click('button');
    await page.waitForFunction('document.querySelector("output").textContent !== ""');
    return (await page.textContent('output')) ?? '';
  };
  const arm = (fault: string, body: object): Promise<unknown> =>
    page.evaluate(([path, terms]) => window.mock.control.PUT('/faults/{fault}', { params: { path }, body: terms }), [
      { fault },
      body,
    ] as const);

  test('the app works, offline too', async () => {
    await open('/');
    expect(await save('Kick-off')).toBe('Saved: Kick-off');
    await page.context().setOffline(true);
    expect(await save('Offline')).toBe('Saved: Offline');
    await page.context().setOffline(false);
  });

  test('faults are armed from within the page; a connection that one closes is a failed fetch', async () => {
    await open('/');
    await arm('update-fails-after-commit', { times: 1 });
    expect(await save('Unlucky')).toBe('Refused: 500');
    expect(await save('Lucky')).toBe('Saved: Lucky');
    await arm('drop', { every: 3 });
    expect([await save('1'), await save('2'), await save('3')]).toEqual(['Saved: 1', 'Saved: 2', 'No connection']);
  });

  test('the server was asked for nothing but the files of the page', () => {
    expect(asked).toContain('/');
    expect(asked.filter((url) => !/^\/(\?.*)?$|\.js$/.test(url))).toEqual([]);
  });
});
