// Examples: server code of Next.js and stories of Storybook, each with the mock. `npm run test:frameworks` installs and runs them.
import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectMock } from 'platform-mock/client';
import { preview } from 'vite';
import { test } from 'vitest';
import { packageFile } from '../../server/files/package-root.ts';
import { startBrowser, writeWorker } from '../../testing/browser.ts';
import { runProgram } from '../../testing/program.ts';

const folderOf = (name: string): string => join(import.meta.dirname, name);
const env = { ...process.env, NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: '1', STORYBOOK_DISABLE_TELEMETRY: '1' };
const run = (bin: string, ...args: string[]) => promisify(execFile)(process.execPath, [bin, ...args], { env });

/** Copies this package to where `npm install` puts it. The packages that it needs are in a folder above. */
function installMock(folder: string): void {
  const target = join(folder, 'node_modules', 'platform-mock');
  for (const part of ['package.json', 'dist', 'spec', 'fixtures'])
    cpSync(packageFile(part), join(target, part), { recursive: true });
}

test.concurrent('Next.js: a page and a route handler call the mock that instrumentation.ts started', async ({
  expect,
}) => {
  const folder = folderOf('next');
  const next = join(folder, 'node_modules', 'next', 'dist', 'bin', 'next');
  installMock(folder);
  const built = await run(next, 'build', folder);
  expect(built.stdout + built.stderr).not.toContain('Edge Runtime');
  const app = runProgram(process.execPath, [next, 'start', folder, '--port', '0'], { ...env, PLATFORM_MOCK: '0' });
  try {
    const [, url] = await app.printed(/Local: +(\S+)/);
    const [, baseUrl = ''] = await app.printed(/Platform API: ([^,\s]+), dashboard/);
    expect(await (await fetch(`${url}/`)).text()).toContain('<li>Summaries</li>');
    const renamed = await fetch(`${url}/title`, { method: 'PUT', body: 'From a route handler' });
    expect(await renamed.json()).toMatchObject({ id: 'rec_kickoff', title: 'From a route handler' });
    await connectMock(baseUrl).calls([{ operation: 'listTenantApiKeys' }, { operation: 'updateRecording' }]);
  } finally {
    await app.end('SIGTERM');
  }
});

test.concurrent('Storybook: each story has its own mock in the page, with its fault', async () => {
  const folder = folderOf('storybook');
  installMock(folder);
  writeWorker(join(folder, 'public'));
  await run(packageFile('node_modules', 'typescript', 'lib', 'tsc.js'), '--project', folder);
  const storybook = join(folder, 'node_modules', 'storybook', 'bin', 'index.cjs');
  const outDir = join(folder, 'storybook-static');
  await run(storybook, 'build', '--config-dir', join(folder, '.storybook'), '--output-dir', outDir);
  const server = await preview({ root: folder, configFile: false, build: { outDir }, preview: { port: 0 } });
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    for (const [story, shown] of [
      ['saved', 'Saved: Kick-off'],
      ['refused', 'Refused: 500'],
    ]) {
      await page.goto(`${server.resolvedUrls?.local[0]}iframe.html?viewMode=story&id=save-a-title--${story}`);
      await page.fill('form input', 'Kick-off');
      await page.click('form button:enabled');
      await page.getByText(shown ?? '').waitFor();
    }
  } finally {
    await browser.close();
    await server.close();
  }
});
