import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type MockOptions, type RunningMock, startMock } from '../index.ts';
import { type Misdeeds, watchMisdeeds } from './browser.ts';

/** A mock of its own with its dashboard open in a tab. For tests. */
export class TestDashboard implements AsyncDisposable {
  private constructor(
    readonly mock: RunningMock,
    readonly context: BrowserContext,
    readonly page: Page,
    readonly misdeeds: Misdeeds,
  ) {}

  /** Opens a view, e.g. `faults`. */
  static async open(browser: Browser, view: string, options: MockOptions = {}): Promise<TestDashboard> {
    const mock = await startMock({ ...options, port: 0 });
    const context = await browser.newContext();
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: mock.baseUrl });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    const dashboard = new TestDashboard(mock, context, page, watchMisdeeds(page, mock.baseUrl));
    await page.goto(`${mock.baseUrl}/_mock/#/${view}`);
    await page.locator('main h1').waitFor();
    return dashboard;
  }

  /** Goes to another view as a user does, by the navigation. */
  async go(title: string): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: title }).click();
    await this.page.getByRole('heading', { level: 1, name: title }).waitFor();
  }

  /** Presses a button by its name. */
  async press(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name }).click();
  }

  clipboard(): Promise<string> {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Calls the API (or, below /_mock, the control plane) beside the page. */
  async call(method: string, path: string, json?: unknown, token?: string): Promise<Response> {
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    if (json !== undefined) headers['Content-Type'] = 'application/json';
    const body = json === undefined ? null : JSON.stringify(json);
    return fetch(`${this.mock.baseUrl}${path}`, { method, headers, body });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.close();
    await this.mock.close();
  }
}
