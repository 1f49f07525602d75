// The journal: still while the user reads, one line a request, and addresses that can be passed on.
import { expect } from 'vitest';
import { describeDashboard, testView } from '../testing/dashboard.ts';

describeDashboard('the journal', () => {
  testView('holds still while a request is read, and counts what is new', 'journal', async (it) => {
    await it.call('GET', '/v1/first');
    const line = it.page.locator('.entry', { hasText: '/v1/first' });
    await line.click();
    const before = await line.boundingBox();
    // More than a page of the journal has.
    const long = 'x'.repeat(15_000);
    for (let count = 0; count < 50; count += 1) await it.call('GET', `/v1/later/${count}?${long}`);
    await it.page.getByRole('button', { name: '50 new' }).waitFor();
    expect(await it.page.locator('.entry').count()).toBe(1);
    expect(await line.boundingBox()).toEqual(before);
    await it.press('50 new');
    await it.page.locator('.entry').nth(50).waitFor();
    expect(await it.page.locator('.entry').first().textContent()).toContain('/v1/later/49');
  });

  testView('shows the latest 200, and more where wanted; on a phone, each filter has room', 'journal', async (it) => {
    await Promise.all(Array.from({ length: 210 }, (_, at) => it.call('GET', `/v1/nowhere/${at}`)));
    await it.see('The latest 200 that match · 210 requests');
    await it.press('Show more');
    await it.see('The latest 210 that match');
    expect(await it.page.locator('.entry').count()).toBe(210);
    expect(await it.page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await it.page.setViewportSize({ width: 400, height: 850 });
    const fields = it.page.locator('.filters :is(input:not([type=checkbox]), select)');
    const widths = await fields.evaluateAll((all) => all.map((field) => field.clientWidth));
    expect(widths).toHaveLength(6);
    expect(Math.min(...widths)).toBeGreaterThan(100);
  });

  testView('hides preflights unless asked for, and says so; each request is one line', 'journal', async (it) => {
    const preflight = { Origin: 'http://localhost:3000', 'Access-Control-Request-Method': 'PATCH' };
    await fetch(`${it.mock.baseUrl}/v1/echo/recordings/rec_kickoff`, { method: 'OPTIONS', headers: preflight });
    await it.call('GET', `/v1/nowhere/${'long/'.repeat(60)}`);
    await it.call('DELETE', '/v1/auth/login');
    await it.rename('Renamed');
    await it.see('The latest 3 that match · 1 preflight hidden');
    expect(await it.page.locator('.entry', { hasText: '/v1/nowhere' }).textContent()).toContain('unknown route');
    expect(await it.page.locator('.entry', { hasText: '/v1/auth/login' }).textContent()).not.toContain('unknown');
    for (const width of [1440, 390]) {
      await it.page.setViewportSize({ width, height: 800 });
      const heights = await it.page.locator('.entry').evaluateAll((all) => all.map((line) => line.clientHeight));
      expect(Math.max(...heights), `at ${width}`).toBeLessThan(45);
      expect(new Set(heights).size, `at ${width}`).toBe(1);
    }
    await it.page.getByLabel('Preflights').check();
    await it.page.locator('.entry', { hasText: 'OPTIONS' }).waitFor();
  });

  testView('filters; a request and a filter are an address; a changed record is linked', 'journal', async (it) => {
    await it.rename('Renamed');
    for (const path of ['/v1/nowhere', '/v1/elsewhere']) await it.call('GET', path);
    await it.fill('Path', 'nowhere');
    await it.fill('Status', '2xx');
    await it.see('No requests match.');
    await it.press('Clear filters');
    await it.see('The latest 3 that match');
    await it.fill('Path', 'rec_kickoff');
    await it.fill('Method', 'PATCH');
    await it.see('The latest 1 that match');
    // Of those that are hidden, too.
    for (const value of ['/v1/elsewhere', 'usr_ada', 'unknown-path-status'])
      await it.page.locator('datalist option', { hasText: value }).waitFor({ state: 'attached' });
    await it.page.locator('.entry').click();
    const trace = it.page.getByLabel('Decision trace');
    await trace.waitFor();
    await it.press(/^Copy link/);
    await it.see('Copied: link to this request');
    const address = await it.clipboard();
    expect(address).toMatch(/#\/journal\/1\?path=rec_kickoff&method=PATCH$/);
    const other = await it.context.newPage();
    await other.goto(address);
    await other.getByLabel('Decision trace').waitFor();
    expect(await other.getByLabel('Path').inputValue()).toBe('rec_kickoff');
    expect(await other.locator('.entry').count()).toBe(1);
    // With a filter that the request does not match, it is above the list.
    await other.goto(address.replace('rec_kickoff', 'nowhere').replace('PATCH', 'GET'));
    await other.getByRole('heading', { name: /^Request 1: PATCH/ }).waitFor();
    await other.goto(address.replace('/1?', '/999?'));
    await other.getByText('There is no entry 999').waitFor();
    await trace.getByRole('link', { name: 'rec_kickoff' }).click();
    await it.page.waitForURL(/#\/state\/recordings\/rec_kickoff$/);
  });

  testView('shows the effect of a fault, live; copies and downloads without secrets; clears', 'journal', async (it) => {
    await it.page.getByText('live', { exact: true }).waitFor();
    await it.call('PUT', '/_mock/faults/title-lower-cased', {});
    expect(await it.rename('LOUD')).toMatchObject({ title: 'loud' });
    await it.see('fault title-lower-cased');
    await it.page.locator('.entry').click();
    const trace = it.page.getByLabel('Decision trace');
    await trace.waitFor();
    expect(await trace.textContent()).toMatch(/updateRecording.*authenticated as ada by JWT.*title-lower-cased.*title/);
    await it.press(/^Copy curl/);
    await it.see('Copied: request as curl command');
    expect(await it.clipboard()).not.toMatch(/Bearer ey/);
    const [download] = await Promise.all([it.page.waitForEvent('download'), it.press('Download HAR')]);
    expect(download.suggestedFilename()).toBe('platform-mock.har');
    await it.press('Clear');
    await it.see('No requests yet.');
  });

  testView('shows requests as a timeline, those that ran side by side as such', 'overview', async (it) => {
    for (const path of ['/v1/one', '/v1/two', '/v1/three']) await it.call('GET', path);
    // The latest first: the third begins after the two others have ended.
    const times = { '/v1/three': [500, 10], '/v1/two': [100, 300], '/v1/one': [0, 300] };
    await it.page.route('**/_mock/journal?*', async (route) => {
      const response = await route.fetch();
      const page = await response.json();
      for (const entry of page.entries) {
        const [start = 0, length = 0] = times[entry.request.url as keyof typeof times];
        entry.startedAt = new Date(Date.UTC(2026, 0, 1) + start).toISOString();
        entry.milliseconds = length;
      }
      await route.fulfill({ response, json: page });
    });
    await it.page.goto(`${it.mock.baseUrl}/_mock/#/journal?as=timeline`);
    const bars = it.page.locator('.waterfall rect');
    await bars.nth(2).waitFor();
    const drawn = await bars.evaluateAll((all) =>
      all.map((bar) => ['x', 'width'].map((name) => Math.round(Number(bar.getAttribute(name))))),
    );
    expect(drawn).toEqual([
      [0, 59],
      [20, 59],
      [98, 2],
    ]);
    await it.page.getByRole('link', { name: 'GET /v1/one' }).click();
    await it.page.getByLabel('Decision trace').waitFor();
  });
});
