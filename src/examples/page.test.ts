// Example: a page in a real browser against a sandbox, with what the backend will do decided beforehand.
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startMock } from 'platform-mock';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';

const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';
// A developer's machine may have no browser; CI installs one, and there its absence is a failure.
const hasBrowser = existsSync(BROWSER) || process.env.CI === 'true';

/** The frontend under test: renames a recording, and says when the session is over. */
const page = `<!doctype html><title>Recordings</title><output></output><script>
  async function rename(base, token, title) {
    const answer = await fetch(base + '/v1/echo/recordings/rec_kickoff', {
      method: 'PATCH',
      headers: { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ title }),
    });
    document.querySelector('output').textContent =
      answer.status === 401 ? 'Please sign in again' : answer.ok ? (await answer.json()).title : 'Try again later';
  }
</script>`;

async function servePage(): Promise<{ origin: string } & Disposable> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, [Symbol.dispose]: () => server.close() };
}

test.runIf(hasBrowser)('a page meets success, a failing backend and an ended session', async () => {
  await using mock = await startMock({ port: 0 });
  await using world = await mock.sandbox();
  using frontend = await servePage();
  const args = ['--no-sandbox', '--disable-background-networking'];
  const browser = await chromium.launch({ executablePath: BROWSER, args });
  try {
    const tab = await browser.newPage();
    await tab.goto(frontend.origin);
    const { data: minted } = await world.control.POST('/tokens', { body: { user: 'usr_ada' } });
    const token = minted?.token ?? '';
    const shown = async (title: string) => {
      await tab.evaluate(
        `rename(${JSON.stringify(world.baseUrl)}, ${JSON.stringify(token)}, ${JSON.stringify(title)})`,
      );
      return tab.textContent('output');
    };
    expect(await shown('From a page')).toBe('From a page');

    await world.control.PUT('/faults/{fault}', {
      params: { path: { fault: 'update-fails-after-commit' } },
      body: { times: 1 },
    });
    expect(await shown('Unlucky')).toBe('Try again later');

    await world.control.POST('/tokens/expire', { body: { token } });
    expect(await shown('Too late')).toBe('Please sign in again');

    const { data } = await world.control.GET('/journal', { params: { query: { method: 'PATCH' } } });
    expect(data?.entries.map(({ response }) => response?.status)).toEqual([401, 500, 200]);
  } finally {
    await browser.close();
  }
});
