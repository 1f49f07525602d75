// What the tests of an app use. `.ci/versions.js` runs them with the versions of its table, and then with a break in each part.
import { setupServer } from 'msw/node';
import { createMock } from 'platform-mock';
import { apiClient } from 'platform-mock/client';
import { createMswMock } from 'platform-mock/msw';
import 'platform-mock/vitest';
import { expect, onTestFinished, test, vi } from 'vitest';

const scopes = '/v1/api-tokens/scopes';

test('a matcher', async () => {
  const mock = await createMock();
  await apiClient(mock.baseUrl, { fetch: mock.fetch }).GET(scopes);
  await expect(mock).toHaveReceived({ operation: 'listTokenScopes', status: 401, count: 1 });
});

test('Mock Service Worker', async () => {
  const mock = await createMswMock('https://api.example.test');
  const server = setupServer(...mock.handlers);
  server.listen();
  onTestFinished(() => server.close());
  expect((await fetch(`https://api.example.test${scopes}`)).status).toBe(401);
});

test('simulated timers', async () => {
  const mock = await createMock();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const delayed = await mock.fetch(mock.baseUrl + scopes, { headers: { 'X-Mock-Fault': 'delay;ms=20' } });
  expect(delayed.status).toBe(401);
});
