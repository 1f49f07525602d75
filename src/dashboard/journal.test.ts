// The journal: still while somebody reads, one line a request, and addresses that can be passed on.
import { expect, test } from 'vitest';
import { describeDashboard, TestDashboard } from '../testing/dashboard.ts';

describeDashboard('the journal', () => {
  const open = async (view = 'journal') => {
    const dashboard = await TestDashboard.open(view);
    const { token } = await (await dashboard.call('POST', '/_mock/tokens', { user: 'usr_ada' })).json();
    const rename = (title: string) => dashboard.call('PATCH', '/v1/echo/recordings/rec_kickoff', { title }, token);
    return { dashboard, page: dashboard.page, rename, [Symbol.asyncDispose]: () => dashboard[Symbol.asyncDispose]() };
  };

  test('holds still while a request is read, and counts what is new', async () => {
    await using opened = await open();
    const { dashboard, page } = opened;
    await dashboard.call('GET', '/v1/first');
    await page.getByRole('button', { name: '/v1/first' }).click();
    const line = page.locator('.entry', { hasText: '/v1/first' });
    const before = await line.boundingBox();
    // More than a page of the journal has.
    const long = 'x'.repeat(15_000);
    for (let count = 0; count < 50; count += 1) await dashboard.call('GET', `/v1/later/${count}?${long}`);
    await page.getByRole('button', { name: '50 new' }).waitFor();
    expect(await page.locator('.entry').count()).toBe(1);
    expect(await line.boundingBox()).toEqual(before);
    await dashboard.press('50 new');
    await page.locator('.entry').nth(50).waitFor();
    expect(await page.locator('.entry').first().textContent()).toContain('/v1/later/49');
    expect(dashboard.misdeeds).toEqual({ console: [], elsewhere: [] });
  });

  test('hides preflights unless they are asked for; an unknown route says so; each request is one line', async () => {
    await using opened = await open();
    const { dashboard, page, rename } = opened;
    const preflight = { Origin: 'http://localhost:3000', 'Access-Control-Request-Method': 'PATCH' };
    await fetch(`${dashboard.mock.baseUrl}/v1/echo/recordings/rec_kickoff`, { method: 'OPTIONS', headers: preflight });
    await dashboard.call('GET', `/v1/nowhere/${'long/'.repeat(60)}`);
    await rename('Renamed');
    await page.locator('.entry').nth(1).waitFor();
    await expect.poll(() => page.locator('.entry').count()).toBe(2);
    expect(await page.locator('.entry', { hasText: '/v1/nowhere' }).textContent()).toContain('unknown route');
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const heights = await page.locator('.entry').evaluateAll((all) => all.map((line) => line.clientHeight));
      expect(Math.max(...heights), `at ${width}`).toBeLessThan(45);
      expect(new Set(heights).size, `at ${width}`).toBe(1);
    }
    await page.getByLabel('Preflights').check();
    await page.locator('.entry', { hasText: 'OPTIONS' }).waitFor();
  });

  test('a request and a filter can be passed on as an address; a changed record is linked', async () => {
    await using opened = await open();
    const { dashboard, page, rename } = opened;
    await rename('Renamed');
    await dashboard.call('GET', '/v1/nowhere');
    await page.getByLabel('Path').fill('rec_kickoff');
    await page.getByLabel('Method').selectOption('PATCH');
    await page.getByText('The latest 1 that match').waitFor();
    await page.locator('.entry').click();
    await page.getByLabel('Decision trace').waitFor();
    await dashboard.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: /^Copy link/ }).click();
    await page.getByText('Copied: link to this request').waitFor();
    const address = await dashboard.clipboard();
    expect(address).toMatch(/#\/journal\/1\?path=rec_kickoff&method=PATCH$/);
    const other = await dashboard.context.newPage();
    await other.goto(address);
    await other.getByLabel('Decision trace').waitFor();
    expect(await other.getByLabel('Path').inputValue()).toBe('rec_kickoff');
    expect(await other.locator('.entry').count()).toBe(1);
    // Of another filter than the request's, it stands above the list.
    await other.goto(address.replace('rec_kickoff', 'nowhere').replace('PATCH', 'GET'));
    await other.getByRole('heading', { name: /^Request 1: PATCH/ }).waitFor();
    await other.goto(address.replace('/1?', '/999?'));
    await other.getByText('There is no entry 999').waitFor();
    await page.getByLabel('Decision trace').getByRole('link', { name: 'rec_kickoff' }).click();
    await page.waitForURL(/#\/state\/recordings\/rec_kickoff$/);
  });

  test('shows requests as a timeline, those that ran side by side as such', async () => {
    await using opened = await open('journal?as=timeline');
    const { dashboard, page, rename } = opened;
    await dashboard.call('PUT', '/_mock/faults/delay', { ms: 300 });
    await Promise.all([rename('One'), rename('Two')]);
    await dashboard.call('DELETE', '/_mock/faults');
    await rename('Three');
    const bars = page.locator('.waterfall rect');
    await bars.nth(2).waitFor();
    const drawn = await bars.evaluateAll((all) =>
      all.map((bar) => [Number(bar.getAttribute('x')), Number(bar.getAttribute('width'))] as const),
    );
    const [[first = 0, long = 0] = [], [second = 0] = [], [third = 0, short = 0] = []] = drawn;
    expect(second).toBeLessThan(first + long);
    expect(third).toBeGreaterThan(first + 50);
    expect(short).toBeLessThan(long);
    await page
      .getByRole('link', { name: /PATCH .*rec_kickoff/ })
      .first()
      .click();
    await page.getByLabel('Decision trace').waitFor();
    expect(dashboard.misdeeds).toEqual({ console: [], elsewhere: [] });
  });

  test('an address that names no view says so', async () => {
    await using dashboard = await TestDashboard.open('nowhere');
    await dashboard.page.getByText('There is no view nowhere.').waitFor();
    await dashboard.page.getByRole('main').getByRole('link', { name: 'Overview' }).click();
    await dashboard.page.getByRole('heading', { name: 'Personas' }).waitFor();
  });
});
