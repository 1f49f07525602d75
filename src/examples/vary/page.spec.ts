// Run by `platform-mock vary`: a page in Chromium, and a mock whose address is in the environment.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';

const baseUrl = process.env.API_URL ?? 'http://127.0.0.1:4010';
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const app = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end('<p>…</p>'));
await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
afterAll(async () => {
  await browser.close();
  app.close();
});

/** A page that shows what the API says to a caller who has not signed in. */
async function shown(): Promise<string> {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(app.address() as AddressInfo).port}`);
  return page.evaluate(async (url) => {
    const response = await fetch(`${url}/v1/api-tokens/scopes`);
    return response.status === 401 ? 'Please sign in.' : `Something failed: ${await response.text()}`;
  }, baseUrl);
}

test('who has not signed in is asked to', async () => {
  expect(await shown()).toBe('Please sign in.');
});

test('the page says something', async () => {
  expect(await shown()).not.toBe('');
});
