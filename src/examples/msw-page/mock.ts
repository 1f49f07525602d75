// What an app has in its src/mock.ts; docs/frontend.md shows it.
import { setupWorker } from 'msw/browser';
import { createMswMock } from 'platform-mock/msw';

/** Answers what the page sends to /api, in the page itself. */
export async function startMock(): Promise<void> {
  const mock = await createMswMock('/api', { seed: 7 });
  await setupWorker(...mock.handlers).start({ quiet: true, onUnhandledRequest: 'bypass' });
  // For stories, tests and the browser's console.
  Object.assign(window, { mock });
}
