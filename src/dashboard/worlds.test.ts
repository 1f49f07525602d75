// The worlds: what a client needs to start in one, their clocks, snapshots and sandboxes; a keyboard is enough.
import { expect, test } from 'vitest';
import { startMock } from '../index.ts';
import { describeDashboard, TestDashboard, testView } from '../testing/dashboard.ts';
import { fileWith } from '../testing/refused.ts';

describeDashboard('the dashboard', () => {
  testView('tokens and the address are on the first screen of a phone', 'overview', async (it) => {
    await it.page.setViewportSize({ width: 390, height: 844 });
    for (const name of ['Copy JWT · new JWT of mary', 'Copy base URL']) {
      const button = await it.page.getByRole('button', { name }).boundingBox();
      expect((button?.y ?? 9999) + (button?.height ?? 0), name).toBeLessThanOrEqual(844);
    }
  });

  testView('copies the base URL, claims that sign in, tokens that work, and a curl command', 'overview', async (it) => {
    await it.press('Copy base URL');
    await it.see('Copied: base URL');
    expect(await it.clipboard()).toBe(it.mock.baseUrl);
    await it.page.locator('.persona summary').first().click();
    await it.press('Copy SSO claims of ada');
    await it.see('Copied: SSO claims of ada');
    const signIn = await it.call('POST', '/v1/auth/sso', JSON.parse(await it.clipboard()));
    expect(signIn.status).toBe(200);
    for (const kind of ['JWT', 'PAT']) {
      await it.press(`Copy ${kind} · new ${kind} of ada`);
      await it.see(`Copied: new ${kind} of ada`);
      const path = '/v1/echo/recordings/rec_kickoff';
      expect((await it.call('PATCH', path, { title: kind }, await it.clipboard())).status, kind).toBe(200);
    }
    await it.press(/^Copy curl command/);
    await it.see('Copied: curl command');
    expect(await it.clipboard()).toMatch(/^curl -X PATCH '.*rec_kickoff' -H 'Authorization: Bearer \S+'/);
  });

  test('lets the service behind the mock answer an operation, and takes that back', async () => {
    await using real = await startMock({ faults: ['success-text-plain'] });
    const upstream = { upstream: real.baseUrl, only: ['/v1/admin/*'] };
    await using it = await TestDashboard.open('overview', { upstream });
    const basis = async () => (await it.call('POST', '/v1/auth/login', {})).headers.get('x-mock-basis');
    await it.see(`${real.baseUrl} answers what the mock does not know`);
    await it.see('With any selection, it answers /v1/admin/*.');
    await it.page.getByLabel('login', { exact: true }).click();
    await it.see(`login is answered by ${real.baseUrl}`);
    expect(await basis()).toBe('upstream');
    expect((await it.read('info')).upstream.mockOnly).toHaveLength(6);
    await it.page.getByLabel('login', { exact: true }).click();
    await it.see('login is answered by the mock');
    expect(await basis()).not.toBe('upstream');
    expect((await it.read('info')).upstream).not.toHaveProperty('mockOnly');
  });

  testView('creates a PAT with scopes, and expires it', 'tokens', async (it) => {
    await it.fill('Kind', 'pat');
    await it.fill('Scopes', 'recordings:read, keys:read');
    await it.press('Create token');
    await it.see('Token created.');
    const token = (await it.page.locator('.facts code').first().textContent()) ?? '';
    const scopes = ['recordings:read', 'keys:read'];
    expect((await it.read('state/pats')).items).toMatchObject([{ user_id: 'usr_ada', scopes }]);
    await it.fill('Token', token);
    await it.press('Expire token');
    await it.see('Expired: Personal access token of usr_ada.');
  });

  testView('freezes the clock, advances it and resets it to system time', 'clock', async (it) => {
    const time = it.page.locator('main time');
    await it.fill('Time (UTC)', '2030-01-31 12:00');
    await it.press('Freeze at this time');
    await time.getByText('2030-01-31 12:00:00 UTC').waitFor();
    await it.press('Advance by 1 hour');
    await time.getByText('2030-01-31 13:00:00 UTC').waitFor();
    await it.press('Reset to system time');
    await it.page.locator('main').getByText('running').waitFor();
    expect((await it.read('info')).offsetMilliseconds).toBe(0);
  });

  test('lists custom routes, adds one from a form, and removes those that were added', async () => {
    const routes = fileWith('routes: [{ path: /v1/profile, body: { name: Ada } }]\ntables: { things: [{ id: a }] }\n');
    await using it = await TestDashboard.open('routes', { routes: [routes] });
    await it.page.getByRole('row', { name: 'GET /v1/profile' }).waitFor();
    expect(await it.page.getByLabel('Records by table').textContent()).toBe('things1');
    await it.press('Add route');
    await it.fill('Path', 'no slash');
    await it.press('Add route');
    await it.see(/path/);
    await it.fill('Path', '/v1/things/{id}/mood');
    await it.fill('Method', 'POST');
    await it.fill('Status', '201');
    await it.fill('Headers', '{"X-Mood": "good"}');
    await it.fill('Body', '{"id": "{{ params.id }}"}');
    await it.press('Add route');
    await it.see('Added: route-1');
    const { status, headers, body } = await it.call('POST', '/v1/things/a/mood', {});
    expect([status, headers.get('x-mood'), body]).toEqual([201, 'good', { id: 'a' }]);
    await it.fill('Path', '/v1/plain');
    await it.fill('Body', 'a text');
    await it.press('Add route');
    await it.see('Added: route-2');
    expect((await it.call('POST', '/v1/plain')).text).toBe('a text');
    await it.press('Remove route-1');
    await it.see('Removed: route-1');
    await it.press('Remove all added');
    await it.see('Removed: all');
    expect((await it.read('routes')).routes).toMatchObject([{ id: 'GET /v1/profile' }]);
    expect(await it.page.getByRole('button', { name: 'Remove all added' }).isDisabled()).toBe(true);
  });

  testView('takes a snapshot, restores it and deletes it', 'snapshots', async (it) => {
    const path = 'state/recordings/rec_kickoff';
    const before = await it.read(path);
    await it.fill('Name', 'before');
    await it.press('Take snapshot');
    await it.page.getByRole('button', { name: 'Restore before' }).waitFor();
    await it.call('PATCH', `/_mock/${path}`, { title: 'Gone again' });
    await it.press('Restore before');
    await it.see('Restored: before');
    expect(await it.read(path)).toEqual(before);
    it.agrees = false;
    await it.press('Delete before');
    expect(it.asked).toEqual(['Delete before? This cannot be undone.']);
    it.agrees = true;
    await it.press('Delete before');
    await it.see('No snapshots yet.');
  });

  testView('reseeds, resets all but the clock, and starts a sandbox from a snapshot', 'overview', async (it) => {
    await it.fill('Seed', '7');
    await it.press('Reseed');
    await it.see('World reseeded.');
    await it.call('PUT', '/_mock/snapshots/seven');
    await it.call('PATCH', '/_mock/clock', { frozen: true });
    await it.call('PUT', '/_mock/faults/title-lower-cased', {});
    await it.page.getByLabel('clock').check();
    await it.press('Reset');
    await it.see('World reset.');
    expect(await it.read('info')).toMatchObject({ seed: 7, frozen: true, faults: [] });
    await it.go('Sandboxes');
    await it.page.getByRole('option', { name: 'snapshot seven' }).waitFor({ state: 'attached' });
    await it.fill('Name', 'from-seven');
    await it.fill('Start from', 'snapshot seven');
    await it.fill('Profile', 'strict');
    await it.press('Create sandbox');
    await it.see('Sandbox from-seven created.');
    expect((await it.read('sandboxes')).sandboxes).toMatchObject([{ name: 'from-seven', profile: 'strict', seed: 7 }]);
  });

  testView("creates a sandbox, and the sandbox's dashboard shows a separate world", 'sandboxes', async (it) => {
    const rule = 'Letters, digits, dots, underscores and hyphens, the first one a letter or a digit; 64 at the most.';
    await it.see(rule);
    await it.fill('Name', 'test 1');
    await it.press('Create sandbox');
    await it.see(`is not in the allowed format. Allowed: string (${rule})`);
    await it.fill('Name', 'test-1');
    await it.press('Create sandbox');
    const open = it.page.getByRole('link', { name: 'Open test-1' });
    // Otherwise the request below makes the sandbox.
    await open.waitFor();
    await it.call('PATCH', '/~test-1/_mock/state/recordings/rec_kickoff', { title: 'Only in test-1' });
    await open.click();
    await it.page.waitForURL(`${it.mock.baseUrl}/~test-1/_mock/`);
    await it.see('~test-1');
    await it.press('Copy base URL');
    await it.see('Copied: base URL');
    expect(await it.clipboard()).toBe(`${it.mock.baseUrl}/~test-1`);
    await it.go('State');
    await it.page.getByRole('cell', { name: 'Only in test-1' }).waitFor();
    await it.go('Sandboxes');
    await it.press('Reset test-1');
    await it.see('Sandbox test-1 reset.');
    await it.page.getByRole('link', { name: 'Go to the main world' }).click();
    await it.page.waitForURL(`${it.mock.baseUrl}/_mock/`);
    await it.go('Sandboxes');
    await it.press('Delete test-1');
    await it.see('No sandboxes yet.');
  });

  testView('the keyboard alone goes to a view, arms a fault and edits a record', 'overview', async (it) => {
    const { keyboard } = it.page;
    const focused = () =>
      it.page.evaluate(() => {
        const element = document.activeElement;
        return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? '';
      });
    const tabTo = async (name: RegExp) => {
      for (let count = 0; count < 60 && !name.test(await focused()); count += 1) await keyboard.press('Tab');
      expect(await focused()).toMatch(name);
    };
    await keyboard.press('Tab');
    expect(await focused()).toBe('Skip to content');
    await tabTo(/^Faults/);
    const outline = await it.page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
    expect(outline).toBe('solid');
    await keyboard.press('Enter');
    await it.page.getByRole('searchbox').waitFor();
    expect(await focused()).toBe('Faults');
    await tabTo(/^status and protocol/);
    await keyboard.press('Enter');
    await it.page.getByRole('switch').first().waitFor();
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await it.see(/^Armed: /);
    await it.page.waitForFunction(() => document.activeElement?.getAttribute('aria-checked') === 'true');
    await it.go('State');
    await it.page.getByRole('button', { name: 'Edit rec_kickoff' }).waitFor();
    await tabTo(/^Edit rec_kickoff/);
    await keyboard.press('Enter');
    await it.page.getByRole('dialog').getByLabel('title').waitFor();
    await keyboard.press('Escape');
    await it.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused()).toBe('Edit rec_kickoff');
  });

  test('asks for the control token where one is required, and then works', async () => {
    await using it = await TestDashboard.open('overview', { controlToken: 'open-sesame' });
    await it.fill('Control token', 'open-sesame');
    await it.press('Continue');
    await it.page.getByRole('heading', { name: 'Personas' }).waitFor();
    await it.go('Journal');
    await it.page.getByText('live', { exact: true }).waitFor();
  });

  test('says so when the mock does not respond', async () => {
    await using it = await TestDashboard.open('clock');
    await it.page.locator('main time').waitFor();
    await it.mock.close();
    await it.press('Freeze now');
    await it.see('The mock does not respond. Is it still running?');
  });

  testView('an address that names no view says so', 'nowhere', async (it) => {
    await it.see('There is no view nowhere.');
    await it.page.getByRole('main').getByRole('link', { name: 'Overview' }).click();
    await it.page.getByRole('heading', { name: 'Personas' }).waitFor();
  });
});
