// Chromium sends a request again, unseen by its page, if a connection that it has used before closes without an answer.
import { startMock } from 'platform-mock';
import { type faultPresets, presetFault } from 'platform-mock/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, startBrowser } from '../testing/browser.ts';

const mock = await startMock({ port: 0 });

/** The first outcome that the page sees of an update. */
const outcomes = {
  slow: '200 late',
  silent: 'TimeoutError',
  dropped: 'TypeError',
  offline: 'TypeError',
  unauthorized: '401',
  rateLimited: '429',
  unavailable: '503',
  malformed: 'SyntaxError',
} as const satisfies Record<keyof typeof faultPresets, string>;

/** In a page: reads over several connections at once. */
const read = (base: string) =>
  Promise.all([1, 2, 3].map(async () => (await fetch(`${base}/v1/api-tokens/scopes`)).text()));

/** In a page: updates until that succeeds, and tells what it saw. */
async function update([base, token]: readonly [base: string, token: string]): Promise<string[]> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const seen: string[] = [];
  while (seen.at(-1) !== '200') {
    const from = performance.now();
    const signal = AbortSignal.timeout(seen.length === 0 ? 4000 : 60_000);
    const sent = fetch(`${base}/v1/echo/recordings/rec_kickoff`, { method: 'PATCH', headers, body: '{}', signal });
    const answered = sent.then(async (response) => {
      await response.json();
      return `${response.status}${performance.now() - from > 1900 ? ' late' : ''}`;
    });
    seen.push(await answered.catch(({ name }: Error) => name));
  }
  return seen;
}

describe.runIf(hasBrowser)('a fault that is armed for one request hits it once, and the page sees it', () => {
  let browser: Awaited<ReturnType<typeof startBrowser>>;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await mock.close();
  });

  const pages = {
    'of its own origin': mock.baseUrl,
    'of another origin': mock.baseUrl.replace('127.0.0.1', 'localhost'),
  };
  describe.each(Object.entries(pages))('a page %s', (_name, origin) => {
    test.each(Object.entries(outcomes))('%s: %s', async (preset, outcome) => {
      await using world = await mock.sandbox();
      const { token } = (await world.control.POST('/tokens', { body: { user: 'usr_ada' } })).data;
      const page = await browser.newPage();
      await page.goto(`${origin}/_mock/health/live`);
      await page.evaluate(read, world.baseUrl);
      const terms = { operation: 'updateRecording', times: 1 } as const;
      await world.control.PUT('/faults/{fault}', presetFault(preset as keyof typeof outcomes, terms));
      // Also without an answer in between.
      if (origin !== mock.baseUrl) await page.evaluate(read, world.baseUrl);
      const { headers } = await fetch(`${world.baseUrl}/v1/api-tokens/scopes`);
      expect(headers.get('connection')).toBe(outcome === 'TypeError' ? 'close' : 'keep-alive');
      expect(await page.evaluate(update, [world.baseUrl, token] as const)).toEqual([outcome, '200']);
      const calls = await world.calls({ operation: 'updateRecording', count: 2 });
      expect(calls.map(({ entry }) => entry.trace.faults.length)).toEqual([1, 0]);
      await page.close();
    });
  });
});
