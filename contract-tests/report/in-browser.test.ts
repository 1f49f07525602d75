/** Reports as a browser sees them: a layout, and a second reader of XML. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, startBrowser } from '../../src/testing/browser.ts';
import { elementsOf } from '../testing/markup.ts';
import { hostileReport, mixedReport } from '../testing/report.ts';
import { renderHtml } from './html.ts';
import { renderJunit } from './junit.ts';

describe.runIf(hasBrowser)('in a browser', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await startBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  });
  afterAll(() => browser.close());

  test('the first finding is above the fold, with the expected and the actual value', async () => {
    await page.setContent(renderHtml(mixedReport()));
    const box = await page.locator('article.finding .compare').first().boundingBox();
    expect(box && box.y + box.height).toBeLessThan(1000);
  });

  test.each([mixedReport, hostileReport])('JUnit XML reads as our own reader reads it: $name', async (make) => {
    const xml = renderJunit(make());
    const read = await page.evaluate(
      (text) =>
        [...new DOMParser().parseFromString(text, 'application/xml').querySelectorAll('*')].map((e) => e.tagName),
      xml,
    );
    expect(read).toEqual(elementsOf(xml).map(({ name }) => name));
  });
});
