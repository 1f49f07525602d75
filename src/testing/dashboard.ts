import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MockOptions, type RunningMock, startMock } from '../index.ts';
import { hasBrowser, type Misdeeds, startBrowser, unexpected, watchMisdeeds } from './browser.ts';
import { callerOf, type Seen } from './client.ts';

let browser: Browser;

export function describeDashboard(name: string, tests: () => void): void {
  describe.runIf(hasBrowser)(name, () => {
    beforeAll(async () => {
      browser = await startBrowser();
    });
    afterAll(() => browser?.close());
    tests();
  });
}

/** A test of a view, e.g. `faults`, on a new mock; the browser must log nothing but rejections. */
export function testView(name: string, view: string, steps: (dashboard: TestDashboard) => Promise<void>): void {
  test(name, async () => {
    await using dashboard = await TestDashboard.open(view);
    await steps(dashboard);
    expect(unexpected(dashboard.misdeeds)).toEqual([]);
  });
}

export class TestDashboard implements AsyncDisposable {
  /** What the page asked, and whether it gets a yes. */
  readonly asked: string[] = [];
  agrees = true;
  /** The text that it gets. */
  says: string | undefined;

  private constructor(
    readonly mock: RunningMock,
    readonly context: BrowserContext,
    readonly page: Page,
    readonly misdeeds: Misdeeds,
  ) {
    page.on('dialog', (dialog) => {
      this.asked.push(dialog.message() || dialog.type());
      return this.agrees ? dialog.accept(this.says) : dialog.dismiss();
    });
  }

  static async open(view: string, options: MockOptions = {}): Promise<TestDashboard> {
    const dashboard = await TestDashboard.start(options);
    await dashboard.page.goto(`${dashboard.mock.baseUrl}/_mock/#/${view}`);
    await dashboard.page.locator('main h1').waitFor();
    return dashboard;
  }

  static async start(options: MockOptions = {}): Promise<TestDashboard> {
    const mock = await startMock({ ...options, port: 0 });
    const context = await browser.newContext();
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: mock.baseUrl });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    return new TestDashboard(mock, context, page, watchMisdeeds(page, mock.baseUrl));
  }

  async go(title: string): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: title }).click();
    await this.page.getByRole('heading', { level: 1, name: title }).waitFor();
  }

  async press(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name }).click();
  }

  async see(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  async fill(label: string, text: string): Promise<void> {
    const field = this.page.getByLabel(label, { exact: true });
    const isChoice = await field.evaluate((element) => element.tagName === 'SELECT');
    await (isChoice ? field.selectOption(text) : field.fill(text));
  }

  async read(path: string) {
    return JSON.parse((await this.call('GET', `/_mock/${path}`)).text);
  }

  clipboard(): Promise<string> {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Calls the API (or, below /_mock, the control plane) outside the page. */
  call(method: string, path: string, json?: unknown, token?: string): Promise<Seen> {
    return callerOf(this.mock.baseUrl)(`${method} ${path}`, { json, token });
  }

  /** Renames a recording by the API. @returns the answer */
  async rename(title: string): Promise<unknown> {
    const { token } = (await this.mock.control.POST('/tokens', { body: { user: 'usr_ada' } })).data;
    return (await this.call('PATCH', '/v1/echo/recordings/rec_kickoff', { title }, token)).body;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A page goes on asking: its routes must not outlive the test.
    await this.page.unrouteAll({ behavior: 'wait' });
    await this.context.close();
    await this.mock.close();
  }
}
