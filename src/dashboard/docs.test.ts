// The API's docs, used as they come: Execute at each operation.
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeDashboard, TestDashboard } from '../testing/dashboard.ts';

describeDashboard("the API's docs", () => {
  const openDocs = async (prefix = '', options = {}) => {
    const dashboard = await TestDashboard.start(options);
    if (prefix) await dashboard.call('PUT', `${prefix.replace('/~', '/_mock/sandboxes/')}`, { seed: 7 });
    await dashboard.page.goto(`${dashboard.mock.baseUrl}${prefix}/_mock/docs`);
    await dashboard.page.getByLabel('Signed in as').waitFor();
    return dashboard;
  };
  /** Visits operations, unfolded; one at a time, since Swagger UI draws all of them again after each response. */
  const eachOperation = async (
    { page }: TestDashboard,
    visit: (block: Locator, id: string) => Promise<void>,
    isVisited = (_id: string) => true,
  ) => {
    const blocks = await page.locator('.opblock').all();
    expect(blocks).toHaveLength(7);
    for (const block of blocks) {
      const id = ((await block.getAttribute('id')) ?? '').split('-').at(-1) ?? '';
      if (!isVisited(id)) continue;
      await block.locator('.opblock-summary-control').click();
      await block.getByRole('button', { name: 'Execute' }).waitFor();
      await visit(block, id);
      await block.locator('.opblock-summary-control').click();
    }
  };
  /** The status of the response, which Swagger UI shows. */
  const statusAfter = async (block: Locator): Promise<string> => {
    const answered = block.page().waitForResponse((response) => response.url().includes('/v1/'));
    await block.getByRole('button', { name: 'Execute' }).click();
    const status = String((await answered).status());
    await block.locator('.live-responses-table .response-col_status', { hasText: status }).waitFor();
    return status;
  };
  const recordings = async (dashboard: TestDashboard, prefix: string): Promise<{ id: string }[]> =>
    JSON.parse((await dashboard.call('GET', `${prefix}/_mock/state/recordings?limit=1000`)).text).items;

  test('each operation and field is marked, and the first operation is on the first screen', async () => {
    await using dashboard = await openDocs();
    const { page } = dashboard;
    for (const [width, most] of [
      [1440, 350],
      [390, 500],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      expect((await page.locator('.opblock').first().boundingBox())?.y, `at ${width}`).toBeLessThan(most);
    }
    const marks = (await page.locator('.opblock-summary-description').allTextContents()).map(
      (text) => /— (.*)$/.exec(text)?.[1],
    );
    const [documented, inPart] = ['documented', 'assumed in part'];
    expect(marks).toEqual([documented, inPart, inPart, inPart, inPart, documented, documented]);
    await page.setViewportSize({ width: 1440, height: 844 });
    const update = page.locator('.opblock', { hasText: 'Update a recording' });
    await update.locator('.opblock-summary-control').click();
    await update.locator('.responses-table .response').first().getByText('Schema', { exact: true }).click();
    await update.getByText('Owner. Documented.').waitFor();
    await update.getByText('Assumed in part (gap method-values).').waitFor();
    const errors = update.locator('tr', { hasText: 'Asks for a documented error.' }).locator('option');
    await errors.filter({ hasText: 'example=foreign-recording' }).waitFor({ state: 'attached' });
  });

  test.each([
    ['', () => true],
    ['/~docs-1', (id: string) => id === 'updateRecording'],
  ])('Execute succeeds at each operation, twice, and changes what the body says: "%s"', async (prefix, isVisited) => {
    await using dashboard = await openDocs(prefix);
    const before = await recordings(dashboard, prefix);
    const executeTwice = async (block: Locator, id: string) => {
      for (const time of [1, 2]) expect(await statusAfter(block), `${id}, time ${time}`).toMatch(/^20[01]$/);
    };
    await eachOperation(dashboard, executeTwice, isVisited);
    const changed = { title: 'Kick-off, first part', updated_at: expect.any(String) };
    expect(await recordings(dashboard, prefix)).toEqual(
      before.map((record) => (record.id === 'rec_kickoff' ? { ...record, ...changed } : record)),
    );
    await dashboard.page.getByRole('link', { name: 'Dashboard' }).click();
    await dashboard.page.waitForURL(`${dashboard.mock.baseUrl}${prefix}/_mock/`);
    expect(dashboard.misdeeds).toEqual({ console: [], elsewhere: [] });
  });

  test('sends requests as whom the reader chooses; a refresh token in the header is signed in as well', async () => {
    await using dashboard = await openDocs('', { profile: { answers: { 'refresh-request': 'bearer-header' } } });
    const operation = async (id: string): Promise<Locator> => {
      const block = dashboard.page.locator(`.opblock[id$="${id}"]`);
      await block.locator('.opblock-summary-control').click();
      return block;
    };
    const refresh = await operation('refreshAccessToken');
    for (const time of [1, 2]) expect(await statusAfter(refresh), `time ${time}`).toBe('200');
    const keys = await operation('listTenantApiKeys');
    expect(await statusAfter(keys)).toBe('200');
    await dashboard.page.getByLabel('Signed in as').selectOption('charles');
    await expect.poll(() => statusAfter(keys)).toBe('403');
    // Texts in angle brackets are readable.
    await dashboard.page.getByRole('button', { name: 'Authorize' }).click();
    await dashboard.page.getByText('<token_prefix>_<tokenId>.<secret>').waitFor();
  });
});
