// The first ten minutes of somebody new: clone, `npm start`, and an app whose page shows a list that the mock answers.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'vite';
import { afterAll, expect, test } from 'vitest';
import { packageFile } from '../server/files/package-root.ts';
import { hasBrowser, startBrowser } from '../testing/browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'newcomer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

/** A clone of what is committed. The packages are those of `npm ci`; what was built is built again where it differs. */
function clone(): string {
  const copy = join(folder, 'platform-mock');
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${packageFile()}`, copy]);
  symlinkSync(packageFile('node_modules'), join(copy, 'node_modules'), 'junction');
  cpSync(packageFile('dist'), join(copy, 'dist'), { recursive: true });
  return copy;
}

/** Runs `npm start` until it has printed what to do, and gives that. */
function start(copy: string): { printed: Promise<string>; stop: () => Promise<void> } {
  const child = spawn('npm', ['start', '--', '--port', '0'], {
    cwd: copy,
    detached: true,
    env: { ...process.env, VITEST: undefined, NO_COLOR: '1' },
  });
  let output = '';
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const printed = new Promise<string>((resolve, reject) => {
    const collect = (chunk: Buffer): void => {
      output += chunk;
      if (output.includes('Ctrl+C stops')) resolve(output);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    void ended.then(() => reject(new Error(`npm start ended: ${output}`)));
  });
  const stop = (): Promise<void> => {
    // npm, its shell, and the mock.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    return ended;
  };
  return { printed, stop };
}

/** The app: signs in with what `npm start` printed, and lists the API keys of the tenant. */
function writeApp(base: string, claims: string, tenant: string): string {
  const app = join(folder, 'app');
  mkdirSync(app);
  writeFileSync(
    join(app, 'index.html'),
    '<!doctype html><link rel="icon" href="data:,"><title>Keys</title><ul></ul><script type="module" src="/main.ts"></script>',
  );
  writeFileSync(
    join(app, 'main.ts'),
    `const base = ${JSON.stringify(base)};
const granted = await fetch(base + '/v1/auth/sso', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: ${JSON.stringify(claims)},
});
const { access_token } = await granted.json();
const listed = await fetch(base + '/v1/admin/tenants/${tenant}/api-keys', { headers: { Authorization: 'Bearer ' + access_token } });
const keys: { provider: string; name: string }[] = await listed.json();
document.querySelector('ul')!.append(
  ...keys.map(({ provider, name }) => Object.assign(document.createElement('li'), { textContent: provider + ': ' + name })),
);
`,
  );
  return app;
}

test.runIf(hasBrowser)('from a clone to the first list in an app', async () => {
  const copy = clone();
  expect(readFileSync(join(copy, 'README.md'), 'utf8')).toContain('$ npm ci && npm start');
  const mock = start(copy);
  const browser = await startBrowser();
  try {
    const printed = await mock.printed;
    const [, base = ''] = /Base URL +(\S+)/.exec(printed) ?? [];
    const [, claims = ''] = /SSO claims +(\{.*\})/.exec(printed) ?? [];
    const [, tenant = ''] = /Tenant +(\w+)/.exec(printed) ?? [];
    const root = writeApp(base, claims, tenant);
    const server = await createServer({ root, configFile: false, logLevel: 'warn', server: { port: 0 } });
    await server.listen();
    const page = await browser.newPage();
    await page.goto(server.resolvedUrls?.local[0] ?? '');
    await page.locator('li').first().waitFor();
    const shown = await page.locator('li').allTextContents();
    expect(shown).toEqual(expect.arrayContaining(['openai: Summaries', expect.stringMatching(/^anthropic: /)]));
    await server.close();
  } finally {
    await browser.close();
    await mock.stop();
  }
});
