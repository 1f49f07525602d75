// Example: an app in Node that calls fetch with its own base URL. MSW hands what it sends there to the mock.
import { setupServer } from 'msw/node';
import { createMswMock } from 'platform-mock/msw';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

/** The app under test. In a real one, its base URL comes from the configuration. */
const app = {
  baseUrl: 'https://platform.example.test:8443/api',
  token: '',
  async rename(title: string) {
    const response = await fetch(`${this.baseUrl}/v1/echo/recordings/rec_kickoff`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ title }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  },
};

const mock = await createMswMock(app.baseUrl, { seed: 7, recordings: 100, profile: 'rfc9457' });
const server = setupServer(...mock.handlers);
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(async () => {
  await mock.control.POST('/reset', { params: { query: { journal: true } } });
  const { data } = await mock.control.POST('/tokens', { body: { user: 'usr_ada' } });
  app.token = data.token;
});
afterAll(() => server.close());

test('seed, recordings and profile are as asked for', async () => {
  const { data: info } = await mock.control.GET('/info');
  expect(info).toMatchObject({ seed: 7, profile: 'rfc9457', counts: { recordings: 100 } });
  app.token = 'wrong';
  expect(await app.rename('Unknown')).toMatchObject({ status: 401, body: { title: expect.any(String), status: 401 } });
});

test('a sandbox is below the base URL, and so is the control plane: plain fetch reaches both', async () => {
  await using sandbox = await mock.sandbox('nightly', { recordings: 500 });
  expect(sandbox.baseUrl).toBe('https://platform.example.test:8443/api/~nightly');
  const response = await fetch(`${sandbox.baseUrl}/_mock/info`);
  expect(await response.json()).toMatchObject({
    world: 'nightly',
    baseUrl: sandbox.baseUrl,
    counts: { recordings: 500 },
  });
});

test('anything else that the app sends is not for the mock', async () => {
  const complaint = vi.spyOn(console, 'error').mockImplementation(() => {});
  await expect(fetch(`${app.baseUrl}/health`)).rejects.toThrow();
  expect(complaint.mock.lastCall?.join()).toContain(`GET ${app.baseUrl}/health`);
  complaint.mockRestore();
});
