// The gaps: by operation, a switch that answers at once, and a map of what is known.
import { expect, test } from 'vitest';
import { describeDashboard, TestDashboard, testView } from '../testing/dashboard.ts';
import { fileWith } from '../testing/refused.ts';

describeDashboard('the gaps', () => {
  testView('are grouped by operation; only those that differ are shown where wanted', 'gaps', async (it) => {
    await it.page.locator('summary', { hasText: 'Update a recording' }).click();
    await it.page.locator('.families details[open] #gap-unknown-field').waitFor();
    const headings = await it.page.locator('.families h2').allTextContents();
    expect(headings.slice(7, 9)).toEqual(['Several operations 14', '1 What the service does 1']);
    await it.page.getByLabel('Show only what differs').check();
    await it.see('Every answer is the default.');
    await it.call('PATCH', '/_mock/profile', { answers: { 'validation-status': 422 } });
    await it.page.reload();
    await it.page.locator('#gap-validation-status').waitFor();
    await it.see(/^1 of \d+ gaps/);
  });

  testView('a switch says that it is being applied, and the API follows', 'gaps/error-body', async (it) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await it.page.route('**/_mock/profile', async (route) => {
      if (route.request().method() === 'PATCH') await held;
      await route.continue();
    });
    const gap = it.page.locator('#gap-error-body');
    await gap.locator('summary').click();
    await gap.getByRole('radio', { name: 'problem' }).click();
    await it.see('Applying…');
    release();
    await gap.getByText('changed', { exact: true }).waitFor();
    await it.page.getByText('Applying…').waitFor({ state: 'detached' });
    const { headers } = await it.call('GET', '/v1/nowhere');
    expect(headers.get('content-type')).toContain('application/problem+json');
  });

  testView('a rejected answer says why and is not in force; JSON is checked', 'gaps/refresh-path', async (it) => {
    const gap = it.page.locator('.gap');
    await gap.locator('summary').click();
    await it.fill('Answer to refresh-path', '/v1/auth/login');
    await gap.getByRole('button', { name: 'Apply' }).click();
    await gap.getByRole('alert').getByText('login').first().waitFor();
    expect(await gap.locator('.gap-answer').textContent()).toContain('/v1/auth/refresh');
    await it.fill('Apply a shipped profile', 'strict');
    await it.page.getByRole('button', { name: 'Apply' }).first().click();
    await it.see('Profile strict applied.');
    await it.page.getByRole('searchbox').fill('sso-required-claims');
    await it.page.locator('#gap-sso-required-claims summary').click();
    const answer = gap.getByRole('combobox').or(gap.getByRole('textbox'));
    await answer.fill('["oid"');
    await gap.getByRole('button', { name: 'Apply' }).click();
    await it.see('This is not valid JSON.');
    await answer.fill('["oid"]');
    await gap.getByRole('button', { name: 'Apply' }).click();
    await it.see('sso-required-claims is now ["oid"].');
    expect((await it.read('profile')).differences['sso-required-claims']).toEqual(['oid']);
  });

  test('the map shows what is documented, assumed, chosen and learned, and leads to a gap', async () => {
    const profile = fileWith('learnedFrom: https://staging.example\nanswers: { missing-credentials-status: 403 }\n');
    await using it = await TestDashboard.open('gaps?as=map', { profile });
    const cell = (kind: string, id: string) => it.page.locator(`.gap-map a.cell.${kind}[href$="${id}"]`);
    await cell('learned', 'missing-credentials-status').waitFor();
    await cell('assumed', 'validation-status').waitFor();
    expect(await it.page.locator('.gap-map a.cell').count()).toBe((await it.read('profile')).gaps.length);
    await it.page.locator('.gap-map .documented').nth(50).waitFor();
    await it.call('PATCH', '/_mock/profile', { answers: { 'validation-status': 422 } });
    await it.page.reload();
    await cell('chosen', 'validation-status').waitFor();
    // The learned answers to the others are still known.
    await cell('learned', 'missing-credentials-status').waitFor();
    await it.page.locator('a.cell[href$="error-body"]').click();
    await it.see('1 of');
    await it.page.locator('#gap-error-body').waitFor();
  });
});
