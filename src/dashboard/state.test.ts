// The state: follows the API, can be passed on as an address, and loses nothing by a slip.
import { expect, test } from 'vitest';
import { describeDashboard, TestDashboard } from '../testing/dashboard.ts';

describeDashboard('the state', () => {
  const kickOff = '/_mock/state/recordings/rec_kickoff';

  test('follows requests to the API at once, and what others edit within seconds', async () => {
    await using dashboard = await TestDashboard.open('state/recordings');
    const { page } = dashboard;
    await page.getByRole('button', { name: 'Edit rec_kickoff' }).waitFor();
    const { token } = await (await dashboard.call('POST', '/_mock/tokens', { user: 'usr_ada' })).json();
    await dashboard.call('PATCH', '/v1/echo/recordings/rec_kickoff', { title: 'Renamed by an app' }, token);
    await page.getByRole('cell', { name: 'Renamed by an app' }).waitFor();
    await dashboard.call('PATCH', kickOff, { title: 'Renamed by a test' });
    await page.getByRole('cell', { name: 'Renamed by a test' }).waitFor();
    expect(dashboard.misdeeds).toEqual({ console: [], elsewhere: [] });
  });

  test('a record and a search are addresses; what does not exist says so', async () => {
    await using dashboard = await TestDashboard.open('state/recordings/rec_kickoff?q=kick');
    const { page, mock } = dashboard;
    await page.getByRole('dialog', { name: 'rec_kickoff' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForURL(/#\/state\/recordings\?q=kick$/);
    expect(await page.getByLabel('Filter recordings').inputValue()).toBe('kick');
    await page.goto(`${mock.baseUrl}/_mock/#/state/recordings/rec_none`);
    await page.getByText('recordings has no record with the id rec_none').waitFor();
    await page.goto(`${mock.baseUrl}/_mock/#/state/meetings`);
    await page.getByText('There are no records of the kind meetings.').waitFor();
  });

  test.each([
    ['recordings', 'rec_kickoff', 'method', 'upload, microphone, meeting'],
    ['recordings', 'rec_kickoff', 'language', 'en, de, fr, es, ja'],
    ['api-keys', 'key_a1', 'status', 'active, inactive, revoked'],
    ['api-keys', 'key_a1', 'provider', 'openai'],
  ])('%s %s: %s is checked against its vocabulary', async (resource, id, field, allowed) => {
    await using dashboard = await TestDashboard.open(`state/${resource}/${id}`);
    const { page } = dashboard;
    const dialog = page.getByRole('dialog');
    const input = dialog.getByLabel(field, { exact: true });
    await input.fill('klingon');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('.field').getByRole('alert').getByText(allowed).waitFor();
    const listed = await input.evaluate((element) => (element as unknown as { list: object | null }).list !== null);
    expect(listed, 'offers the words').toBe(true);
  });

  test('a deletion can be undone, beside where it was asked for', async () => {
    await using dashboard = await TestDashboard.open('state/recordings/rec_kickoff');
    const { page } = dashboard;
    const before = await (await dashboard.call('GET', kickOff)).json();
    const button = page.getByRole('button', { name: 'Delete rec_kickoff' });
    await button.scrollIntoViewIfNeeded();
    const place = await button.boundingBox();
    await button.click();
    const note = page.getByText('Deleted: rec_kickoff');
    await note.waitFor();
    expect(Math.abs(((await note.boundingBox())?.y ?? 0) - (place?.y ?? 0))).toBeLessThan(80);
    expect((await dashboard.call('GET', kickOff)).status).toBe(404);
    const colors = await page
      .getByRole('button', { name: 'Undo' })
      .evaluate((button) => [button, button.parentElement as Element].map((each) => getComputedStyle(each).color));
    expect(colors[0], 'readable on the note').toBe(colors[1]);
    await dashboard.press('Undo');
    await page.getByText('Restored: rec_kickoff').waitFor();
    expect(await (await dashboard.call('GET', kickOff)).json()).toEqual(before);
  });

  test('edits that are not saved are asked about: on closing, on going back, on leaving', async () => {
    await using dashboard = await TestDashboard.open('state/recordings');
    const { page } = dashboard;
    const dialog = page.getByRole('dialog');
    await page.evaluate(() => window.location.assign('#/state/recordings/rec_kickoff'));
    await dialog.getByLabel('title', { exact: true }).fill('Half a tit');
    const unsaved = dialog.getByText('There are changes that are not saved.');
    await page.keyboard.press('Escape');
    await unsaved.waitFor();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await page.goBack();
    await unsaved.waitFor();
    expect(page.url()).toMatch(/rec_kickoff$/);
    expect(await dialog.getByLabel('title', { exact: true }).inputValue()).toBe('Half a tit');
    const asked = page.waitForEvent('dialog');
    const leaving = page.evaluate(() => window.location.reload()).catch(() => undefined);
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await leaving;
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    await dashboard.press('Edit rec_kickoff');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});
