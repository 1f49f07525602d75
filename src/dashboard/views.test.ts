// Every view, wide and narrow, light and dark: no console messages, no requests to other origins, no overflow, and no
// accessibility violations.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { unexpected } from '../testing/browser.ts';
import { callerOf, claimsOfAda, field } from '../testing/client.ts';
import { describeDashboard, TestDashboard } from '../testing/dashboard.ts';

const screenshots = process.env.SCREENSHOTS;
if (screenshots) mkdirSync(screenshots, { recursive: true });
const records = ['state/recordings', 'state/users', 'state/recordings/rec_kickoff'];
const switched = ['journal', 'journal?as=timeline', 'routes', 'faults', 'faults?q=slow', 'gaps', 'gaps?as=map'];
const views = ['overview', ...records, 'tokens', ...switched, 'nowhere', 'clock', 'snapshots', 'sandboxes'];
const looks = [
  { name: 'light-1440', colorScheme: 'light', width: 1440, height: 900 },
  { name: 'dark-390', colorScheme: 'dark', width: 390, height: 844 },
  { name: 'dark-1440', colorScheme: 'dark', width: 1440, height: 900 },
  { name: 'light-390', colorScheme: 'light', width: 390, height: 844 },
] as const;
// Each width and each color scheme once; every combination where screenshots are wanted.
const looksToTry = screenshots ? looks : looks.slice(0, 2);

async function unfold(page: Page, view: string): Promise<void> {
  if (view === 'docs') return page.locator('.opblock-summary-control').last().click();
  if (view === 'journal') return page.locator('.entry summary').nth(1).click();
  if (view === 'gaps') {
    await page.locator('.families summary').nth(3).click();
    return page.locator('.gap summary').nth(1).click();
  }
  if (view === 'faults') {
    await page.locator('.families summary').first().click();
    return page.locator('.rows summary').first().click();
  }
  if (view === 'tokens') return page.getByRole('button', { name: 'Create token' }).click();
  if (view === 'state/users') {
    await page.getByRole('button', { name: 'Edit usr_ada' }).click();
    await page.getByRole('dialog').getByLabel('email').fill('not an address');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByRole('alert').first().waitFor();
  }
}

/** Sends a mock what a working day would, so that every view has something to show. */
async function busyWorld(baseUrl: string): Promise<void> {
  const call = callerOf(baseUrl);
  const token = String(field((await call('POST /v1/auth/sso', { json: claimsOfAda })).body, 'access_token'));
  const update = (json: object) => call('PATCH /v1/echo/recordings/rec_kickoff', { token, json });
  await update({ title: 'Kick-off, with the customer' });
  const terms = { operation: 'updateRecording', times: 3, probability: 1 };
  await call('PUT /_mock/faults/title-lower-cased', { json: terms });
  await update({ title: 'Weekly, with Grace', summary: 'Short.' });
  await call('GET /v1/admin/tenants/ten_analytical/api-keys?provider=openai', { token });
  await update({ title: 17 });
  await call('GET /v1/nowhere');
  await call('POST /_mock/routes', { json: { path: '/v1/profile', body: { name: '{{ caller.username }}' } } });
  await call('PUT /_mock/snapshots/signed-in');
  await call('PUT /_mock/sandboxes/test-1', { json: { profile: 'strict' } });
  await call('PUT /_mock/sandboxes/checkout-flow');
  await call('PATCH /_mock/profile', { json: { answers: { 'validation-status': 422 } } });
}

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** What a look may change of them. */
const ofLooks = ['color-contrast', 'target-size', 'scrollable-region-focusable'];

/** The violations of WCAG 2.2 AA that axe finds: the rule, and the element. */
async function accessibilityViolations(page: Page, isFirstLook: boolean): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (runOnly) => (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly }),
    isFirstLook ? wcag : { type: 'rule' as const, values: ofLooks },
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** Between a heading and the line below it; the ring of the focus takes 4 pixels. */
const roomBelowHeading = (page: Page): Promise<number> =>
  page.locator('main h1').evaluate((heading) => {
    const below = heading.nextElementSibling?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
    return below - heading.getBoundingClientRect().bottom;
  });

describeDashboard('the dashboard', () => {
  test.each(looksToTry)('shows every view: $name', async ({ name, colorScheme, width, height }) => {
    await using dashboard = await TestDashboard.start();
    const { page, mock, misdeeds } = dashboard;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    await busyWorld(mock.baseUrl);
    for (const view of [...views, 'docs']) {
      const isDocs = view === 'docs';
      await page.goto(`${mock.baseUrl}/_mock/${isDocs ? 'docs' : `#/${view}`}`);
      const first = page.locator(isDocs ? '.opblock' : 'main h1').first();
      await first.waitFor();
      await expect.poll(() => page.locator('.loading').count()).toBe(0);
      await unfold(page, view);
      if (screenshots) {
        const path = join(screenshots, `${name}-${view.replaceAll(/\W/g, '-')}.png`);
        await page.screenshot({ path, fullPage: !/gaps|faults|state\/\w+\/|users/.test(view) });
      }
      const violations = isDocs ? [] : await accessibilityViolations(page, name === looks[0].name);
      expect(violations, `${view} is accessible`).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, `${view} overflows`).toBeLessThanOrEqual(0);
      const room = isDocs ? 4 : await roomBelowHeading(page);
      expect(room, `${view}: the ring of its heading covers what is below`).toBeGreaterThanOrEqual(4);
    }
    expect(unexpected(misdeeds)).toEqual([]);
  });
});
