import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { startMock } from './index.ts';

const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';
// A developer's machine may have no browser; CI installs one, and there its absence is a failure.
const hasBrowser = existsSync(BROWSER) || process.env.CI === 'true';

/** Serves an empty page from another origin. */
async function servePage(): Promise<{ origin: string; close(): void }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>A frontend</title>');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

test.runIf(hasBrowser)(
  'a page of another origin signs in, updates a recording and lists keys through fetch',
  async () => {
    const mock = await startMock({ port: 0 });
    const page = await servePage();
    const browser = await chromium.launch({
      executablePath: BROWSER,
      args: ['--no-sandbox', '--disable-background-networking'],
    });
    try {
      const tab = await browser.newPage();
      await tab.goto(page.origin);
      const seen = await tab.evaluate(async (base) => {
        const target = await (await fetch(`${base}/_mock/target`)).json();
        const json = { 'Content-Type': 'application/json' };
        const signIn = await fetch(`${base}/v1/auth/sso`, {
          method: 'POST',
          headers: json,
          body: JSON.stringify(target.actors.admin.sso),
        });
        const Authorization = `Bearer ${(await signIn.json()).access_token}`;
        const { recordingId, tenantId } = target.resources;
        const update = await fetch(`${base}/v1/echo/recordings/${recordingId}`, {
          method: 'PATCH',
          headers: { ...json, Authorization },
          body: JSON.stringify({ title: 'From a browser' }),
        });
        const keys = await fetch(`${base}/v1/admin/tenants/${tenantId}/api-keys`, { headers: { Authorization } });
        const refused = await fetch(`${base}/v1/admin/tenants/${tenantId}/api-keys`);
        return {
          title: (await update.json()).title,
          keys: (await keys.json()).length,
          basis: update.headers.get('X-Mock-Basis'),
          refused: refused.status,
          reason: await refused.json(),
        };
      }, mock.baseUrl);
      expect(seen).toMatchObject({
        title: 'From a browser',
        basis: 'documented',
        refused: 401,
        reason: { error: { code: expect.any(String) } },
      });
      expect(seen.keys).toBeGreaterThanOrEqual(7);
    } finally {
      await browser.close();
      page.close();
      await mock.close();
    }
  },
);
