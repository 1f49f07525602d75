// The gaps: a switch that answers at once, and a map of what is known.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeDashboard, TestDashboard } from '../testing/dashboard.ts';

describeDashboard('the gaps', () => {
  test('the first switch of an answer says that it is being applied until it is', async () => {
    await using dashboard = await TestDashboard.open('gaps/error-body');
    const { page } = dashboard;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/_mock/profile', async (route) => {
      if (route.request().method() === 'PATCH') await held;
      await route.continue();
    });
    await page.locator('#gap-error-body summary').click();
    await page.locator('#gap-error-body').getByRole('radio', { name: 'problem' }).click();
    await page.getByText('Applying…').waitFor();
    release();
    await page.locator('#gap-error-body').getByText('changed', { exact: true }).waitFor();
    await page.getByText('Applying…').waitFor({ state: 'detached' });
    expect(dashboard.misdeeds).toEqual({ console: [], elsewhere: [] });
  });

  test('the map shows what is documented, assumed, chosen and learned, and leads to a gap', async () => {
    const profile = join(await mkdtemp(join(tmpdir(), 'profile-')), 'staging.yaml');
    await writeFile(profile, 'learnedFrom: https://staging.example\nanswers: { missing-credentials-status: 403 }\n');
    await using dashboard = await TestDashboard.open('gaps?as=map', { profile });
    const { page } = dashboard;
    const cell = (kind: string, id: string) => page.locator(`.gap-map a.cell.${kind}[href$="${id}"]`);
    await cell('learned', 'missing-credentials-status').waitFor();
    await cell('assumed', 'validation-status').waitFor();
    const { gaps } = await (await dashboard.call('GET', '/_mock/profile')).json();
    expect(await page.locator('.gap-map a.cell').count()).toBe(gaps.length);
    expect(await page.locator('.gap-map .documented').count()).toBeGreaterThan(50);
    await dashboard.call('PATCH', '/_mock/profile', { answers: { 'validation-status': 422 } });
    await page.reload();
    await cell('chosen', 'validation-status').waitFor();
    // What was learned about the others is still known.
    await cell('learned', 'missing-credentials-status').waitFor();
    await page.locator('a.cell[href$="error-body"]').click();
    await page.getByText('1 of').waitFor();
    await page.locator('#gap-error-body').waitFor();
    expect(dashboard.misdeeds).toEqual({ console: [], elsewhere: [] });
  });
});
