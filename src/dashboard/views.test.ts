// Every view, wide and narrow, light and dark: no console messages, no requests to other origins, no overflow, and no
// accessibility violations.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningMock, startMock } from '../index.ts';
import { hasBrowser, startBrowser, unexpected, watchMisdeeds } from '../testing/browser.ts';
import { busyWorld } from '../testing/busy-world.ts';

const screenshots = process.env.SCREENSHOTS;
const views = [
  'overview',
  'state/recordings',
  'state/users',
  'state/recordings/rec_kickoff',
  'tokens',
  'journal',
  'journal?as=timeline',
  'nowhere',
  'faults',
  'faults?q=slow',
  'gaps',
  'gaps?as=map',
  'clock',
  'snapshots',
  'sandboxes',
];
const looks = [
  { name: 'light-1440', colorScheme: 'light', width: 1440, height: 900 },
  { name: 'dark-390', colorScheme: 'dark', width: 390, height: 844 },
  { name: 'dark-1440', colorScheme: 'dark', width: 1440, height: 900 },
  { name: 'light-390', colorScheme: 'light', width: 390, height: 844 },
] as const;
// Each width and each color scheme once; every combination where screenshots are wanted.
const looksToTry = screenshots ? looks : looks.slice(0, 2);

async function unfold(page: Page, view: string): Promise<void> {
  if (view === 'docs') {
    await page.locator('.opblock-summary-control').last().click();
    return page.locator('.try-errors').waitFor();
  }
  if (view === 'journal') return page.locator('.entry summary').nth(1).click();
  if (view === 'state/recordings/rec_kickoff') {
    await page.getByRole('dialog').getByLabel('title', { exact: true }).fill('Half a tit');
    await page.keyboard.press('Escape');
    return page.getByRole('dialog').getByRole('alert').waitFor();
  }
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

/** Edits that are not saved keep the page where it is. */
async function discardEdits(page: Page): Promise<void> {
  if ((await page.getByRole('dialog').count()) === 0) return;
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard changes' }).click();
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

describe.runIf(hasBrowser)('the dashboard', () => {
  let mock: RunningMock;
  let browser: Browser;
  beforeAll(async () => {
    [mock, browser] = await Promise.all([startMock({ port: 0 }), startBrowser()]);
    await busyWorld(mock.baseUrl);
    if (screenshots) mkdirSync(screenshots, { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    await mock?.close();
  });

  test.each(looksToTry)('shows every view: $name', async ({ name, colorScheme, width, height }) => {
    const page = await browser.newPage({ colorScheme, viewport: { width, height } });
    const misdeeds = watchMisdeeds(page, mock.baseUrl);
    for (const view of [...views, 'docs']) {
      await page.goto(`${mock.baseUrl}/_mock/${view === 'docs' ? 'docs' : `#/${view}`}`);
      await page
        .locator(view === 'docs' ? '.opblock' : 'main h1')
        .first()
        .waitFor();
      await expect.poll(() => page.locator('.loading').count()).toBe(0);
      await unfold(page, view);
      if (screenshots) {
        const file = `${name}-${view.replaceAll(/\W/g, '-')}.png`;
        await page.screenshot({
          path: join(screenshots, file),
          fullPage: !/gaps|faults|state\/\w+\/|users/.test(view),
        });
      }
      if (view !== 'docs') {
        const violations = await accessibilityViolations(page, name === looks[0].name);
        expect(violations, `${view} is accessible`).toEqual([]);
      }
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, `${view} overflows`).toBeLessThanOrEqual(0);
      await discardEdits(page);
    }
    await page.close();
    expect(unexpected(misdeeds)).toEqual([]);
  });
});
