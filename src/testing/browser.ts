import { cpSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const executable = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** A developer's machine may have no browser; CI installs one, and there its absence is a failure. */
export const hasBrowser = existsSync(executable) || process.env.CI === 'true';

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: executable, args: ['--no-sandbox', '--disable-background-networking'] });

/** Writes the service worker of MSW where a page needs it, as `npx msw init` does. */
export function writeWorker(folder: string): void {
  const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');
  cpSync(worker, join(folder, 'mockServiceWorker.js'));
}

/** Unwanted activity of a page: console messages, failed scripts, requests to other origins. */
export type Misdeeds = Readonly<Record<'console' | 'elsewhere', string[]>>;

/** Misdeeds but for the statuses of rejections, which the browser logs on the console. */
export const unexpected = ({ console, elsewhere }: Misdeeds): string[] => [
  ...console.filter((text) => !text.includes('status of 4')),
  ...elsewhere,
];

export function watchMisdeeds(page: Page, origin: string): Misdeeds {
  const misdeeds: Misdeeds = { console: [], elsewhere: [] };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') misdeeds.console.push(message.text());
  });
  page.on('pageerror', (error) => misdeeds.console.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) misdeeds.elsewhere.push(url);
  });
  return misdeeds;
}
