/** Reports as a browser lays them out. */
import { expect, test } from 'vitest';
import { hasBrowser, startBrowser } from '../../src/testing/browser.ts';
import { mixedReport } from '../testing/report.ts';
import { renderHtml } from './html.ts';

test.runIf(hasBrowser)('the first finding is above the fold, with the expected and the actual value', async () => {
  await using browser = await startBrowser();
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  await page.setContent(renderHtml(mixedReport()));
  const box = await page.locator('article.finding .compare').first().boundingBox();
  expect(box && box.y + box.height).toBeLessThan(1000);
});
