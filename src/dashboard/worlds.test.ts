// A sandbox's dashboard shows that sandbox only; a keyboard is enough.
import { expect, test } from 'vitest';
import { describeDashboard, TestDashboard } from '../testing/dashboard.ts';

const none = { console: [], elsewhere: [] };

describeDashboard('the dashboard', () => {
  test("creates a sandbox, and the sandbox's dashboard shows a separate world", async () => {
    await using dashboard = await TestDashboard.open('sandboxes');
    const { page, mock, misdeeds } = dashboard;
    const rule = 'Letters, digits, dots, underscores and hyphens, the first one a letter or a digit; 64 at the most.';
    await page.getByText(rule).waitFor();
    await page.getByLabel('Name').fill('test 1');
    await dashboard.press('Create sandbox');
    await page.getByRole('alert').getByText(`is not in the allowed format. Allowed: string (${rule})`).waitFor();
    misdeeds.console.length = 0;
    await page.getByLabel('Name').fill('test-1');
    await dashboard.press('Create sandbox');
    // Only then is it there: the request below would make it as well.
    await page.getByRole('link', { name: 'Open test-1' }).waitFor();
    await dashboard.call('PATCH', '/~test-1/_mock/state/recordings/rec_kickoff', { title: 'Only in test-1' });
    await page.getByRole('link', { name: 'Open test-1' }).click();
    await page.waitForURL(`${mock.baseUrl}/~test-1/_mock/`);
    await page.getByText('~test-1').first().waitFor();
    await dashboard.press('Copy base URL');
    expect(await dashboard.clipboard()).toBe(`${mock.baseUrl}/~test-1`);
    await dashboard.go('State');
    await page.getByRole('cell', { name: 'Only in test-1' }).waitFor();
    await dashboard.go('Sandboxes');
    await dashboard.press('Reset test-1');
    await page.getByText('Sandbox test-1 reset.').waitFor();
    await page.getByRole('link', { name: 'Go to the main world' }).click();
    await page.waitForURL(`${mock.baseUrl}/_mock/`);
    await dashboard.go('Sandboxes');
    await dashboard.press('Delete test-1');
    await dashboard.press('Confirm delete test-1');
    await page.getByText('No sandboxes yet.').waitFor();
    expect(dashboard.misdeeds).toEqual(none);
  });

  test('the keyboard alone goes to a view, arms a fault and edits a record', async () => {
    await using dashboard = await TestDashboard.open('overview');
    const { page } = dashboard;
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement;
        return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? '';
      });
    const tabTo = async (name: RegExp) => {
      for (let count = 0; count < 60 && !name.test(await focused()); count += 1) await page.keyboard.press('Tab');
      expect(await focused()).toMatch(name);
    };
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to content');
    await tabTo(/^Faults/);
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
    expect(outline).toBe('solid');
    await page.keyboard.press('Enter');
    await page.getByRole('searchbox').waitFor();
    expect(await focused()).toBe('Faults');
    await tabTo(/^status and protocol/);
    await page.keyboard.press('Enter');
    await page.getByRole('switch').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.getByText(/^Armed: /).waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-checked') === 'true');
    await dashboard.go('State');
    await tabTo(/^Edit rec_kickoff/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('title').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused()).toBe('Edit rec_kickoff');
    expect(dashboard.misdeeds).toEqual(none);
  });

  test('asks for the control token where one is required, and then works', async () => {
    await using dashboard = await TestDashboard.open('overview', { controlToken: 'open-sesame' });
    const { page } = dashboard;
    await page.getByLabel('Control token').fill('open-sesame');
    await dashboard.press('Continue');
    await page.getByRole('heading', { name: 'Personas' }).waitFor();
    await dashboard.go('Journal');
    await page.getByText('live', { exact: true }).waitFor();
  });

  test('says so when the mock does not respond', async () => {
    await using dashboard = await TestDashboard.open('clock');
    await dashboard.page.locator('main time').waitFor();
    await dashboard.mock.close();
    await dashboard.press('Freeze now');
    await dashboard.page.getByText('The mock does not respond. Is it still running?').first().waitFor();
  });
});
