// For tests of the guides: Playwright's test runner, as far as they use it.
import type { Page } from 'playwright-core';
import { test as base } from 'vitest';
import { startBrowser } from './browser.ts';

export const test = base.extend<{ page: Page }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest refuses a parameter that does not name the fixtures it uses, here none
  page: async ({}, use) => {
    const browser = await startBrowser();
    await use(await browser.newPage());
    await browser.close();
  },
});

export const defineConfig = <T>(config: T): T => config;
