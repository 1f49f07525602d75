// What frontend developers do with the dashboard, in a real browser, each test against its own mock.
import { expect, test } from 'vitest';
import { describeDashboard, TestDashboard } from '../testing/dashboard.ts';

const none = { console: [], elsewhere: [] };
const kickOff = '/v1/echo/recordings/rec_kickoff';

describeDashboard('the dashboard', () => {
  test('copies the base URL, claims that sign in, a JWT and a PAT that work, and a curl command', async () => {
    await using dashboard = await TestDashboard.open('overview');
    const { page, mock } = dashboard;
    await dashboard.press('Copy base URL');
    expect(await dashboard.clipboard()).toBe(mock.baseUrl);
    await page.getByText('Copied: base URL').waitFor();
    await dashboard.press('Copy SSO claims of ada');
    const signIn = await dashboard.call('POST', '/v1/auth/sso', JSON.parse(await dashboard.clipboard()));
    expect(signIn.status).toBe(200);
    for (const button of ['Copy JWT · new JWT of ada', 'Copy PAT · new PAT of ada']) {
      await dashboard.press(button);
      await page.getByText(`Copied: ${button.split(' · ')[1]}`).waitFor();
      const answer = await dashboard.call('PATCH', kickOff, { title: button }, await dashboard.clipboard());
      expect(answer.status, button).toBe(200);
    }
    await dashboard.press(/^Copy curl command/);
    await page.getByText('Copied: curl command').waitFor();
    expect(await dashboard.clipboard()).toMatch(/^curl -X PATCH '.*rec_kickoff' -H 'Authorization: Bearer \S+'/);
    expect(dashboard.misdeeds).toEqual(none);
  });

  test('edits a recording, and shows at the field why an edit is rejected', async () => {
    await using dashboard = await TestDashboard.open('state/recordings');
    const { page } = dashboard;
    await page.getByLabel('Filter recordings').fill('rec_kickoff');
    await page.getByRole('rowheader').nth(1).waitFor({ state: 'detached' });
    await dashboard.press('Edit rec_kickoff');
    const form = page.getByRole('dialog', { name: 'rec_kickoff' });
    await form.getByLabel('title').fill('Edited by hand');
    await form.getByLabel('method').fill('telepathy');
    await form.getByRole('button', { name: 'Save' }).click();
    const field = form.getByLabel('method');
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    expect(await form.locator('.note.bad').textContent()).toContain('method');
    await field.fill('upload');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'Edited by hand' }).waitFor();
    const stored = await (await dashboard.call('GET', '/_mock/state/recordings/rec_kickoff')).json();
    expect(stored).toMatchObject({ title: 'Edited by hand', method: 'upload' });
    // The browser logs the rejection's status on the console; nothing else is there.
    expect(dashboard.misdeeds.console.filter((text) => !text.includes('status of 4'))).toEqual([]);
  });

  test('arms a fault for the next request, and the journal shows its effect, live', async () => {
    await using dashboard = await TestDashboard.open('faults');
    const { page } = dashboard;
    await page.getByRole('searchbox').fill('title-lower-cased');
    await dashboard.press('Conditions of title-lower-cased');
    await page.getByLabel('Next requests').fill('1');
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.getByText('all operations · next 1').waitFor();
    expect(await page.getByRole('switch').getAttribute('aria-checked')).toBe('true');
    await dashboard.go('Journal');
    await page.getByText('live', { exact: true }).waitFor();
    const { token } = await (await dashboard.call('POST', '/_mock/tokens', { user: 'usr_ada' })).json();
    const patched = await (await dashboard.call('PATCH', kickOff, { title: 'LOUD' }, token)).json();
    expect(patched.title).toBe('loud');
    await page.getByText('fault title-lower-cased').waitFor();
    await dashboard.press(/PATCH .*rec_kickoff/);
    const trace = page.getByLabel('Decision trace');
    expect(await trace.textContent()).toMatch(/updateRecording.*authenticated as ada by JWT.*title-lower-cased.*title/);
    await dashboard.press(/^Copy curl/);
    await page.getByText('Copied: request as curl command').waitFor();
    expect(await dashboard.clipboard()).not.toContain(token);
    const [download] = await Promise.all([page.waitForEvent('download'), dashboard.press('Download HAR')]);
    expect(download.suggestedFilename()).toBe('platform-mock.har');
    await dashboard.press('Clear');
    await dashboard.press('Confirm clear');
    await page.getByText('No requests yet.').waitFor();
    expect(dashboard.misdeeds).toEqual(none);
  });

  test("changes a gap's answer and the API follows; a rejected answer says why and is not in force", async () => {
    await using dashboard = await TestDashboard.open('gaps');
    const { page } = dashboard;
    await page.getByRole('searchbox').fill('error-body');
    await page.locator('#gap-error-body summary').click();
    await page.getByLabel('problem').click();
    await page.locator('#gap-error-body').getByText('changed', { exact: true }).waitFor();
    const notFound = await dashboard.call('GET', '/v1/nowhere');
    expect(notFound.headers.get('content-type')).toContain('application/problem+json');
    await page.getByRole('searchbox').fill('refresh-path');
    const gap = page.locator('#gap-refresh-path');
    await gap.locator('summary').click();
    await page.getByLabel('Answer to refresh-path').fill('/v1/auth/login');
    await gap.getByRole('button', { name: 'Apply' }).click();
    await gap.getByRole('alert').waitFor();
    expect(await gap.getByRole('alert').textContent()).toMatch(/login/);
    expect(await gap.locator('.gap-answer').textContent()).toContain('/v1/auth/refresh');
    expect(dashboard.misdeeds.console.filter((text) => !text.includes('status of 4'))).toEqual([]);
  });

  test('takes a snapshot and restores it', async () => {
    await using dashboard = await TestDashboard.open('snapshots');
    const { page } = dashboard;
    const title = async () =>
      (await (await dashboard.call('GET', '/_mock/state/recordings/rec_kickoff')).json()).title as string;
    const before = await title();
    await page.getByLabel('Name').fill('before');
    await dashboard.press('Take snapshot');
    await page.getByRole('button', { name: 'Restore before' }).waitFor();
    await dashboard.call('PATCH', '/_mock/state/recordings/rec_kickoff', { title: 'Gone again' });
    expect(await title()).toBe('Gone again');
    await dashboard.press('Restore before');
    await page.getByText('Snapshot before restored.').waitFor();
    expect(await title()).toBe(before);
    await dashboard.press('Delete before');
    await dashboard.press('Confirm delete before');
    await page.getByText('No snapshots yet.').waitFor();
    expect(dashboard.misdeeds).toEqual(none);
  });

  test('freezes the clock, advances it and resets it to system time', async () => {
    await using dashboard = await TestDashboard.open('clock');
    const { page } = dashboard;
    await page.getByLabel('Time (UTC)').fill('2030-01-31 12:00');
    await dashboard.press('Freeze at this time');
    await page.locator('main time', { hasText: '2030-01-31 12:00:00 UTC' }).waitFor();
    await dashboard.press('Advance by 1 hour');
    await page.locator('main time', { hasText: '2030-01-31 13:00:00 UTC' }).waitFor();
    await dashboard.press('Reset to system time');
    await page.locator('main').getByText('running').waitFor();
    const { offsetMilliseconds } = await (await dashboard.call('GET', '/_mock/clock')).json();
    expect(offsetMilliseconds).toBe(0);
    expect(dashboard.misdeeds).toEqual(none);
  });
});
