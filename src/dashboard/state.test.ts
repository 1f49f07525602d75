// The state: follows the API, can be passed on as an address, says what is wrong, and loses nothing by a slip.
import { expect } from 'vitest';
import { describeDashboard, testView } from '../testing/dashboard.ts';

describeDashboard('the state', () => {
  const kickOff = 'state/recordings/rec_kickoff';

  testView('follows the API at once, and what others edit within seconds', 'state/recordings', async (it) => {
    await it.page.clock.install();
    await it.page.reload();
    await it.page.getByRole('button', { name: 'Edit rec_kickoff' }).waitFor();
    await it.rename('Renamed by an app');
    await it.page.getByRole('cell', { name: 'Renamed by an app' }).waitFor();
    await it.call('PATCH', `/_mock/${kickOff}`, { title: 'Renamed by a test' });
    await it.page.clock.fastForward(5000);
    await it.page.getByRole('cell', { name: 'Renamed by a test' }).waitFor();
  });

  testView('a record and a search are addresses; what does not exist says so', `${kickOff}?q=kick`, async (it) => {
    const dialog = it.page.getByRole('dialog', { name: 'rec_kickoff' });
    await dialog.waitFor();
    await it.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await it.page.waitForURL(/#\/state\/recordings\?q=kick$/);
    expect(await it.page.getByLabel('Filter recordings').inputValue()).toBe('kick');
    await it.page.goto(`${it.mock.baseUrl}/_mock/#/state/recordings/rec_none`);
    await it.see('recordings has no record with the id rec_none');
    await it.page.goto(`${it.mock.baseUrl}/_mock/#/state/meetings`);
    await it.see('There are no records of the kind meetings.');
  });

  testView('adds a record, edits it, processes it and deletes it', 'state/recordings', async (it) => {
    const dialog = it.page.getByRole('dialog');
    await it.press('Add a recording');
    await it.fill('id', 'rec_new');
    await it.fill('summary', 'Short.');
    await it.fill('status', 'pending');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await it.see('Added a recording.');
    expect(await it.read('state/recordings/rec_new')).toMatchObject({ summary: 'Short.', status: 'pending' });
    await it.fill('Filter recordings', 'rec_new');
    await it.press('Edit rec_new');
    await it.fill('summary', '');
    await it.fill('title', 'Edited by hand');
    await it.press('Save');
    await it.page.getByRole('cell', { name: 'Edited by hand' }).waitFor();
    expect(await it.read('state/recordings/rec_new')).not.toHaveProperty('summary');
    await it.press('Edit rec_new');
    await it.fill('Steps', '1');
    await dialog.getByRole('button', { name: 'Process' }).click();
    await it.see('rec_new: pending → processing');
    await it.press('Edit rec_new');
    await it.press('Delete rec_new');
    await it.see('Deleted: rec_new');
    expect((await it.call('GET', '/_mock/state/recordings/rec_new')).status).toBe(404);
  });

  testView('offers the values that it knows; the summary has lines', kickOff, async (it) => {
    for (const [record, field, word] of [
      ['recordings/rec_kickoff', 'method', 'meeting'],
      ['recordings/rec_kickoff', 'language', 'fr'],
      ['recordings/rec_kickoff', 'user_id', 'usr_grace'],
      ['api-keys/key_a1', 'status', 'inactive'],
      ['api-keys/key_a1', 'provider', 'anthropic'],
      ['users/usr_ada', 'tenant', 'ten_flowmatic'],
    ] as const) {
      await it.page.goto(`${it.mock.baseUrl}/_mock/#/state/${record}`);
      await it.page
        .getByLabel(field, { exact: true })
        .locator('option', { hasText: word })
        .waitFor({ state: 'attached' });
      await it.fill(field, word);
      await it.press('Save');
      await it.see(`Saved: ${record.split('/')[1]}`);
      expect(await it.read(`state/${record}`)).toMatchObject({ [field]: word });
    }
    await it.page.goto(`${it.mock.baseUrl}/_mock/#/state/recordings/rec_kickoff`);
    await it.fill('summary', 'One line.\nAnother one.');
    await it.press('Save');
    await it.see('Saved: rec_kickoff');
    expect(await it.read(kickOff)).toMatchObject({ summary: 'One line.\nAnother one.' });
  });

  testView('a deletion can be undone, next to where it was asked for', kickOff, async (it) => {
    const before = await it.read(kickOff);
    const button = it.page.getByRole('button', { name: 'Delete rec_kickoff' });
    await button.scrollIntoViewIfNeeded();
    const place = await button.boundingBox();
    await button.click();
    await it.see('Deleted: rec_kickoff');
    const note = await it.page.getByText('Deleted: rec_kickoff').boundingBox();
    expect(Math.abs((note?.y ?? 0) - (place?.y ?? 0))).toBeLessThan(80);
    expect((await it.call('GET', `/_mock/${kickOff}`)).status).toBe(404);
    await it.press('Undo');
    await it.see('Restored: rec_kickoff');
    expect(await it.read(kickOff)).toEqual(before);
  });

  testView('asks about edits that are not saved: on closing, going back, leaving', 'state/recordings', async (it) => {
    const { page } = it;
    await page.evaluate(() => window.location.assign('#/state/recordings/rec_kickoff'));
    await it.fill('title', 'Half a tit');
    it.agrees = false;
    await page.keyboard.press('Escape');
    await page.goBack();
    await expect.poll(() => page.url()).toMatch(/rec_kickoff$/);
    void page.evaluate(() => window.location.reload()).catch(() => undefined);
    const question = 'Discard the changes that are not saved?';
    await expect.poll(() => it.asked).toEqual([question, question, 'beforeunload']);
    expect(await page.getByLabel('title', { exact: true }).inputValue()).toBe('Half a tit');
    it.agrees = true;
    await it.press('Close');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await it.press('Edit rec_kickoff');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(it.asked).toHaveLength(4);
  });
});
