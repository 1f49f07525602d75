// Forms offer what the control plane's document lists, and send what was entered.
import { expect, test } from 'vitest';
import { startMock } from '../index.ts';
import { describeDashboard, TestDashboard } from '../testing/dashboard.ts';

describeDashboard('a form of the dashboard', () => {
  const read = async (dashboard: TestDashboard, path: string) => (await dashboard.call('GET', `/_mock/${path}`)).json();
  const options = (dashboard: TestDashboard, label: string) =>
    dashboard.page
      .getByLabel(label, { exact: true })
      .locator('option')
      .evaluateAll((all) => all.map((option) => (option as unknown as { value: string }).value));

  test('offers the operations, token kinds, defects and methods of the document', async () => {
    await using dashboard = await TestDashboard.open('faults');
    const { components, paths } = await read(dashboard, 'openapi.json');
    await dashboard.page.getByRole('searchbox', { name: 'Filter' }).fill('success-text-plain');
    await dashboard.press('Conditions of success-text-plain');
    expect(await options(dashboard, 'Operation')).toEqual(['', ...components.schemas.OperationId.enum]);
    await dashboard.go('Tokens');
    const { kind, defect } = paths['/tokens'].post.requestBody.content['application/json'].schema.properties;
    expect(await options(dashboard, 'Kind')).toEqual(kind.enum);
    expect(await options(dashboard, 'Defect')).toEqual(defect.enum);
    await dashboard.go('Journal');
    expect(await options(dashboard, 'Method')).toEqual(['', ...components.parameters.JournalMethod.schema.enum]);
  });

  test('arms a fault with its parameters, and says what cannot be', async () => {
    await using dashboard = await TestDashboard.open('faults');
    const { page } = dashboard;
    const armed = async (id: string) =>
      ((await read(dashboard, 'faults')) as { id: string; armed?: object }[]).find((fault) => fault.id === id)?.armed;
    await page.getByRole('searchbox', { name: 'Filter' }).fill('delay');
    await dashboard.press('Conditions of delay');
    await page.getByLabel('ms', { exact: true }).fill('600001');
    await dashboard.press(/^Arm$/);
    await page.getByText('must be <= 600000. Allowed: integer from 0 to 600000').waitFor();
    await page.getByLabel('ms', { exact: true }).fill('800');
    await page.getByLabel('Requests like').fill('{"path": "/v1/echo/*"}');
    await page.getByLabel('Every nth of them').fill('2');
    await dashboard.press(/^Arm$/);
    await page.getByText('{"path":"/v1/echo/*"} · every 2 · ms 800').waitFor();
    const request = { path: '/v1/echo/*' };
    expect(await armed('delay')).toEqual({ request, every: 2, probability: 1, parameters: { ms: 800 } });
    await page.getByRole('searchbox', { name: 'Filter' }).fill('respond');
    await dashboard.press('Conditions of respond');
    await page.getByLabel('status', { exact: true }).fill('418');
    await page.getByLabel('body', { exact: true }).fill('"a text"');
    await dashboard.press(/^Arm$/);
    await page.getByText('body a text').waitFor();
    expect(await armed('respond')).toEqual({ probability: 1, parameters: { status: 418, body: 'a text' } });
    expect(await page.getByLabel('body', { exact: true }).inputValue()).toBe('"a text"');
  });

  test('lets the service behind the mock answer an operation, and takes that back', async () => {
    await using real = await startMock({ faults: ['success-text-plain'] });
    await using dashboard = await TestDashboard.open('overview', {
      upstream: { upstream: real.baseUrl, only: ['/v1/admin/*'] },
    });
    const { page } = dashboard;
    const basis = async () => (await dashboard.call('POST', '/v1/auth/login', {})).headers.get('x-mock-basis');
    await page.getByText(`${real.baseUrl} answers what the mock does not know`).waitFor();
    await page.getByText('Whatever is ticked, it answers /v1/admin/*.').waitFor();
    await page.getByLabel('login', { exact: true }).click();
    await page.getByText(`login is answered by ${real.baseUrl}`).waitFor();
    expect(await basis()).toBe('upstream');
    expect((await read(dashboard, 'upstream')).mockOnly).toHaveLength(6);
    await page.getByLabel('login', { exact: true }).click();
    await page.getByText('login is answered by the mock').waitFor();
    expect(await basis()).not.toBe('upstream');
    expect(await read(dashboard, 'upstream')).not.toHaveProperty('mockOnly');
    await using alone = await TestDashboard.open('overview');
    await alone.page.getByRole('heading', { name: 'Personas' }).waitFor();
    expect(await alone.page.getByText('Service behind the mock').count()).toBe(0);
  });

  test('creates a PAT with scopes, and expires it', async () => {
    await using dashboard = await TestDashboard.open('tokens');
    const { page } = dashboard;
    await page.getByLabel('Kind').selectOption('pat');
    await page.getByLabel('Scopes').fill('recordings:read, keys:read');
    await dashboard.press('Create token');
    const token = (await page.locator('.facts code').first().textContent()) ?? '';
    const { items } = await read(dashboard, 'state/pats');
    expect(items).toMatchObject([{ user_id: 'usr_ada', scopes: ['recordings:read', 'keys:read'] }]);
    await page.getByLabel('Token', { exact: true }).fill(token);
    await dashboard.press('Expire token');
    await page.getByText('Expired: Personal access token of usr_ada.').waitFor();
  });

  test('reseeds, resets all but the clock, and starts a sandbox from a snapshot with another profile', async () => {
    await using dashboard = await TestDashboard.open('overview');
    const { page } = dashboard;
    await page.getByLabel('Seed').fill('7');
    await dashboard.press('Reseed');
    await page.getByText('World reseeded.').waitFor();
    await dashboard.call('PUT', '/_mock/snapshots/seven');
    await dashboard.call('POST', '/_mock/clock/freeze', {});
    await dashboard.call('PUT', '/_mock/faults/title-lower-cased', {});
    await page.getByLabel('clock').check();
    await dashboard.press('Reset');
    await dashboard.press('Confirm reset');
    await page.getByText('World reset.').waitFor();
    expect(await read(dashboard, 'info')).toMatchObject({ seed: 7, frozen: true, faults: [] });
    await dashboard.go('Sandboxes');
    await page.getByLabel('Name').fill('from-seven');
    await page.getByLabel('Start from').selectOption('snapshot seven');
    await page.getByLabel('Profile').selectOption('strict');
    await dashboard.press('Create sandbox');
    await page.getByText('Sandbox from-seven created.').waitFor();
    expect(await read(dashboard, 'sandboxes/from-seven')).toMatchObject({ profile: 'strict', seed: 7 });
  });

  test('adds a record, removes a field, processes it and deletes it', async () => {
    await using dashboard = await TestDashboard.open('state/recordings');
    const { page } = dashboard;
    const dialog = page.getByRole('dialog');
    await dashboard.press('Add a recording');
    await dialog.getByLabel('id', { exact: true }).fill('rec_new');
    await dialog.getByLabel('summary').fill('Short.');
    await dialog.getByLabel('status').selectOption('pending');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByText('Added a recording.').waitFor();
    expect(await read(dashboard, 'state/recordings/rec_new')).toMatchObject({ summary: 'Short.', status: 'pending' });
    await page.getByLabel('Filter recordings').fill('rec_new');
    await dashboard.press('Edit rec_new');
    await dialog.getByLabel('summary').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved: rec_new').waitFor();
    expect(await read(dashboard, 'state/recordings/rec_new')).not.toHaveProperty('summary');
    await dashboard.press('Edit rec_new');
    await dialog.getByLabel('Steps').selectOption('1');
    await dialog.getByRole('button', { name: 'Process' }).click();
    await page.getByText('rec_new: pending → processing').waitFor();
    await dashboard.press('Edit rec_new');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted: rec_new').waitFor();
    expect((await dashboard.call('GET', '/_mock/state/recordings/rec_new')).status).toBe(404);
  });

  test('applies a profile and an answer in JSON; says where the JSON is not valid', async () => {
    await using dashboard = await TestDashboard.open('gaps');
    const { page } = dashboard;
    await page.getByLabel('Apply a shipped profile').selectOption('strict');
    await page.getByRole('button', { name: 'Apply' }).first().click();
    await page.getByText('Profile strict applied.').waitFor();
    await page.getByRole('searchbox').fill('sso-required-claims');
    await page.locator('.gap summary').click();
    const answer = page.locator('.gap').getByRole('textbox');
    await answer.fill('["oid"');
    await page.locator('.gap').getByRole('button', { name: 'Apply' }).click();
    await page.locator('.gap .field').getByText('This is not valid JSON.').waitFor();
    await answer.fill('["oid"]');
    await page.locator('.gap').getByRole('button', { name: 'Apply' }).click();
    await page.getByText('sso-required-claims is now ["oid"].').waitFor();
    const { differences } = await read(dashboard, 'profile');
    expect(differences['sso-required-claims']).toEqual(['oid']);
  });

  test('filters the journal', async () => {
    await using dashboard = await TestDashboard.open('journal');
    const { page } = dashboard;
    for (const path of ['/v1/nowhere', '/v1/elsewhere']) await dashboard.call('GET', path);
    await page.locator('.entry').nth(1).waitFor();
    await page.getByLabel('Path').fill('nowhere');
    await page.locator('.entry').nth(1).waitFor({ state: 'detached' });
    await page.getByLabel('Status').selectOption('2xx');
    await page.getByText('No requests match.').waitFor();
    await dashboard.press('Clear filters');
    await page.locator('.entry').nth(1).waitFor();
  });
});
