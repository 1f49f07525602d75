import { expect, test } from 'vitest';
import { startMock } from './index.ts';
import { hasBrowser, startBrowser } from './testing/browser.ts';

test.runIf(hasBrowser)(
  'a page of another origin signs in, updates a recording and lists keys through fetch',
  async () => {
    const mock = await startMock({ port: 0 });
    const elsewhere = await startMock({ port: 0 });
    const browser = await startBrowser();
    try {
      const tab = await browser.newPage();
      await tab.goto(`${elsewhere.baseUrl}/_mock/health`);
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
      await elsewhere.close();
      await mock.close();
    }
  },
);
