// The faults: what is armed on top, presets, and a search that knows what people call them by.
import { expect, test } from 'vitest';
import { createMock } from '../index.ts';
import { describeDashboard, TestDashboard } from '../testing/dashboard.ts';
import { matchesFault, synonyms } from './page/views/fault-search.ts';

const { fetch: call } = await createMock();
const faults = (await (await call('http://mock.test/_mock/faults')).json()) as Parameters<typeof matchesFault>[0][];

test.each(Object.entries(synonyms))('"%s" finds each fault that it stands for', (word, ids) => {
  const found = faults.filter((fault) => matchesFault(fault, word)).map(({ id }) => id);
  expect(found).toEqual(expect.arrayContaining(ids.split(' ')));
  // Else the word would be none that has to be known.
  const named = faults.filter(({ id, description }) => `${id} ${description}`.toLowerCase().includes(word));
  expect(found.length).toBeGreaterThan(named.length);
});

test('a search finds nothing that it does not name', () => {
  expect(faults.filter((fault) => matchesFault(fault, 'unicorn'))).toEqual([]);
  expect(faults.filter((fault) => matchesFault(fault, 'delay')).map(({ id }) => id)).toEqual(['delay']);
});

describeDashboard('the faults view', () => {
  test('shows the catalogue folded; a search unfolds what it finds and stands in the address', async () => {
    await using dashboard = await TestDashboard.open('faults');
    const { page } = dashboard;
    await page.locator('.families summary').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(1000);
    for (const [word, id] of [
      ['slow', 'latency'],
      ['timeout', 'never-answers'],
      ['offline', 'offline'],
    ] as const) {
      await page.getByRole('searchbox').fill(word);
      await page.getByRole('switch', { name: id, exact: true }).waitFor();
    }
    expect(page.url()).toMatch(/#\/faults\?q=offline$/);
    await page.reload();
    await page.getByRole('switch', { name: 'offline', exact: true }).waitFor();
  });

  test('arms and disarms by one click each what is tried most', async () => {
    await using dashboard = await TestDashboard.open('faults');
    const { page } = dashboard;
    const attempt = async () => {
      const started = performance.now();
      const status = await dashboard.call('GET', '/v1/nowhere').then(
        (response) => response.status,
        () => 'no response',
      );
      return { status, milliseconds: performance.now() - started };
    };
    const answers = {
      Slow: { status: 404, least: 1900 },
      '503': { status: 503, least: 0 },
      Drop: { status: 'no response', least: 0 },
      Offline: { status: 'no response', least: 0 },
    };
    for (const [preset, { status, least }] of Object.entries(answers)) {
      const button = page.getByRole('button', { name: preset, exact: true });
      await button.click();
      await page.locator(`button[aria-pressed="true"]`, { hasText: preset }).waitFor();
      await page.getByRole('list', { name: 'Armed faults' }).getByText('0 hits').waitFor();
      const seen = await attempt();
      expect(seen.status, preset).toBe(status);
      expect(seen.milliseconds, preset).toBeGreaterThan(least);
      await page.getByRole('list', { name: 'Armed faults' }).getByText('1 hit', { exact: true }).waitFor();
      await button.click();
      await page.getByRole('heading', { name: 'Nothing is armed' }).waitFor();
      expect((await attempt()).status, `${preset} disarmed`).toBe(404);
    }
  });

  test('what is armed stands on top, whatever is searched for, with what it is armed for', async () => {
    await using dashboard = await TestDashboard.open('faults?q=title');
    const { page } = dashboard;
    await dashboard.call('PUT', '/_mock/faults/delay', { ms: 5, operation: 'login' });
    await dashboard.call('POST', '/v1/auth/login', {});
    const armed = page.getByRole('list', { name: 'Armed faults' });
    await armed.getByText('login · ms 5').waitFor();
    await armed.getByRole('link', { name: 'delay' }).click();
    await page.getByRole('switch', { name: 'delay', exact: true }).waitFor();
    await dashboard.press('Disarm delay');
    await page.getByRole('heading', { name: 'Nothing is armed' }).waitFor();
    expect(dashboard.misdeeds).toEqual({ console: [], elsewhere: [] });
  });
});
