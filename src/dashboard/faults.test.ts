// The faults: what is armed on top, presets, conditions, and a search that knows what people call them by.
import { expect, test } from 'vitest';
import { createMock } from '../index.ts';
import { describeDashboard, type TestDashboard, testView } from '../testing/dashboard.ts';
import { matchesFault, synonyms } from './page/views/fault-search.ts';

const { fetch: call } = await createMock();
const faults = (await (await call('http://mock.test/_mock/faults')).json()) as Parameters<typeof matchesFault>[0][];
const idsFor = (word: string) => faults.filter((fault) => matchesFault(fault, word)).map(({ id }) => id);

test.each(Object.entries(synonyms))('"%s" finds each fault that it means', (word, ids) => {
  const found = idsFor(word);
  expect(found).toEqual(expect.arrayContaining(ids.split(' ')));
  // Otherwise the word need not be known.
  const named = faults.filter(({ id, description }) => `${id} ${description}`.toLowerCase().includes(word));
  expect(found.length).toBeGreaterThan(named.length);
});

test('a search finds nothing that it does not name', () => {
  expect(idsFor('unicorn')).toEqual([]);
  expect(idsFor('delay')).toEqual(['delay']);
});

describeDashboard('the faults view', () => {
  const armed = async (it: TestDashboard, id: string) =>
    ((await it.read('faults')) as { id: string; armed?: object }[]).find((fault) => fault.id === id)?.armed;
  const unfold = (it: TestDashboard, id: string) =>
    it.page
      .locator('summary')
      .filter({ has: it.page.getByText(id, { exact: true }) })
      .click();

  testView('the catalogue is folded; a search unfolds what it finds, and is in the address', 'faults', async (it) => {
    await it.page.locator('.families summary').first().waitFor();
    expect(await it.page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(1100);
    for (const [word, id] of Object.entries({ slow: 'latency', timeout: 'never-answers', offline: 'offline' })) {
      await it.page.getByRole('searchbox').fill(word);
      await it.page.getByRole('switch', { name: id, exact: true }).waitFor();
    }
    await it.see(/^\d+ of \d+ faults/);
    expect(it.page.url()).toMatch(/#\/faults\?q=offline$/);
    await it.page.reload();
    await it.page.getByRole('switch', { name: 'offline', exact: true }).waitFor();
  });

  testView('arms and disarms the most common failures by one click each', 'faults', async (it) => {
    const rows = it.page.getByRole('table', { name: 'Armed faults' });
    for (const [preset, fault, parameters] of [
      ['Slow', 'delay', { ms: 2000 }],
      ['401', 'respond', { status: 401 }],
      ['429', 'respond', { status: 429, headers: { 'Retry-After': '2' } }],
      ['503', 'respond', { status: 503, headers: { 'Retry-After': '2' } }],
      ['Drop', 'drop', undefined],
      ['Offline', 'offline', undefined],
      ['No answer', 'hang', undefined],
      ['Broken JSON', 'malformed-json', undefined],
    ] as const) {
      const button = it.page.getByRole('button', { name: preset, exact: true });
      await button.click();
      await rows.getByText('0 hits').waitFor();
      expect(await armed(it, fault)).toEqual({ probability: 1, ...(parameters && { parameters }) });
      await button.click();
      await it.page.getByRole('heading', { name: 'Nothing is armed' }).waitFor();
    }
  });

  testView('armed faults are on top of any search; the message does not cover them', 'faults?q=title', async (it) => {
    await it.press('503');
    await it.see('Armed: respond');
    const message = await it.page.locator('.toast span').boundingBox();
    const [row, last] = [
      await it.page.getByRole('row', { name: 'respond' }).boundingBox(),
      await it.page.getByRole('button', { name: 'Broken JSON' }).boundingBox(),
    ];
    expect((message?.y ?? 0) + (message?.height ?? 0)).toBeLessThanOrEqual(row?.y ?? 0);
    expect(message?.x).toBeGreaterThan((last?.x ?? 0) + (last?.width ?? 0));
    await it.press('Disarm respond');
    await it.call('PUT', '/_mock/faults/delay', { ms: 5, operation: 'login' });
    await it.call('POST', '/v1/auth/login', {});
    await it.see('login · ms 5');
    await it.page.getByRole('table').getByRole('link', { name: 'delay' }).click();
    await it.page.getByRole('switch', { name: 'delay', exact: true }).waitFor();
    await it.press('Disarm delay');
    await it.page.getByRole('heading', { name: 'Nothing is armed' }).waitFor();
  });

  testView('the long body of an armed fault leaves each button in sight, at any width', 'faults', async (it) => {
    const body = { message: 'Not available. '.repeat(100), codes: 'x'.repeat(500) };
    await it.call('PUT', '/_mock/faults/respond', { status: 503, body });
    await it.call('PUT', '/_mock/faults/delay', { ms: 5 });
    for (const width of [1280, 400]) {
      await it.page.setViewportSize({ width, height: 900 });
      for (const name of ['Disarm respond', 'Disarm delay']) {
        const box = await it.page.getByRole('button', { name }).boundingBox();
        expect((box?.x ?? 9999) + (box?.width ?? 0), `${name} at ${width}`).toBeLessThan(width);
      }
      const row = await it.page.getByRole('row', { name: 'respond' }).boundingBox();
      expect(row?.height, `the row at ${width}`).toBeLessThan(200);
    }
  });

  testView('arms a fault with its conditions and parameters, and says what cannot be', 'faults?q=delay', async (it) => {
    await unfold(it, 'delay');
    const options = await it.page.getByLabel('Operation').locator('option').allTextContents();
    expect(options).toEqual(['all operations', ...(await it.read('openapi.json')).components.schemas.OperationId.enum]);
    await it.fill('ms', '600001');
    await it.press(/^Arm$/);
    await it.see('must be <= 600000. Allowed: integer from 0 to 600000');
    await it.fill('ms', '800');
    await it.fill('Only requests that match (JSON)', '{"path": "/v1/echo/*"}');
    await it.fill('Every nth request', '2');
    await it.fill('Number of requests', '3');
    await it.press(/^Arm$/);
    await it.see('{"path":"/v1/echo/*"} · next 3 · every 2 · ms 800');
    const request = { path: '/v1/echo/*' };
    expect(await armed(it, 'delay')).toEqual({ request, left: 3, every: 2, probability: 1, parameters: { ms: 800 } });
    await it.page.getByRole('searchbox').fill('respond');
    await unfold(it, 'respond');
    await it.fill('status', '418');
    await it.fill('body', '"a text"');
    await it.press(/^Arm$/);
    await it.see('body a text');
    expect(await armed(it, 'respond')).toEqual({ probability: 1, parameters: { status: 418, body: 'a text' } });
    expect(await it.page.getByLabel('body', { exact: true }).inputValue()).toBe('"a text"');
  });
});
