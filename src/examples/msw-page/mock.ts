// What an app has in its src/mock.ts; docs/frontend.md shows it.
import { http, passthrough } from 'msw';
import { setupWorker } from 'msw/browser';
import { createMswMock } from 'platform-mock/msw';

/** Answers what the page sends to /api, in the page itself. */
export async function startMock(): Promise<void> {
  const mock = await createMswMock('/api', { seed: 7 });
  // In MSW 2 and 3, other requests go to the network without a warning.
  const others = http.all('*', () => passthrough());
  await setupWorker(...mock.handlers, others).start({ quiet: true });
  // For stories, tests and the browser's console.
  Object.assign(window, { mock });
}
