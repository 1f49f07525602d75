import { afterEach, describe, expect, test, vi } from 'vitest';
import { TestMock } from '../testing/client.ts';

afterEach(() => void vi.useRealTimers());

const apps = 'https://app.example';

const names = ({ worlds }: TestMock): string[] => [...worlds.named()].map(([name]) => name);

// By which headers a page is one of another site: src/server/upstream-pages.test.ts.
describe('a sandbox is made on first use', () => {
  test('not by a page of another site', async () => {
    const headers = { origin: 'https://evil.example' };
    await using mock = await TestMock.start({ cors: [apps] });
    for (const path of ['/~page1/', '/~page2/v1/nowhere', '/~page3/_mock/info', '/%7epage4/v1/auth/sso']) {
      const { status } = await mock.call(`GET ${path}`, { headers });
      expect([path, status]).toEqual([path, path.includes('_mock') ? 403 : 404]);
    }
    expect(names(mock)).toEqual([]);
    const { body } = await mock.call('GET /~page1/v1/nowhere', { headers });
    expect(JSON.stringify(body)).toContain('there is no sandbox page1, and a page of another site makes none');
    // An existing one may be used: it needs no room.
    await mock.call('PUT /_mock/sandboxes/page1');
    expect(JSON.stringify((await mock.call('GET /~page1/v1/nowhere', { headers })).body)).toContain('no resource at');
  });

  test('by a page that --cors allows', async () => {
    const headers = { origin: apps, 'sec-fetch-site': 'cross-site' };
    await using mock = await TestMock.start({ cors: [apps] });
    await mock.call('GET /~page/v1/nowhere', { headers });
    await mock.call('GET /~page-2/_mock/info', { headers });
    expect(names(mock)).toEqual(['page', 'page-2']);
  });

  test('not by a call of the control plane that is refused', async () => {
    await using mock = await TestMock.start();
    const refused = [
      await mock.call('POST /~a/_mock/reset', { json: { from: { snapshot: 'none' } } }),
      await mock.call('GET /~b/_mock/nowhere'),
      await mock.call('GET /~c/_mock/state/recordings/none'),
      await mock.call('POST /~d/_mock/tokens', { json: { user: 'usr_nobody' } }),
      await mock.call('PUT /~e/_mock/faults/none'),
    ];
    expect(refused.map(({ status }) => status >= 400)).toEqual(refused.map(() => true));
    expect(names(mock)).toEqual([]);
    // It stays, although it was not changed.
    await mock.call('GET /~a/_mock/info');
    await mock.call('POST /~a/_mock/reset', { json: { from: { snapshot: 'none' } } });
    expect(names(mock)).toEqual(['a']);
  });
});

test('at the limit, sandboxes that were unchanged and unused for a minute are deleted', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const routes = [{ routes: [{ path: '/v1/steps', answers: [{ body: 1 }, { body: 2 }] }] }];
  await using mock = await TestMock.start({ sandboxes: 5, routes });
  await mock.call('PUT /_mock/sandboxes/idle');
  await mock.call('PUT /_mock/sandboxes/own', { json: { seed: 7 } });
  await mock.call('PATCH /~changed/_mock/clock', { json: { frozen: true } });
  await mock.call('POST /~token/_mock/tokens', { json: { user: 'usr_ada' } });
  await mock.call('GET /~answered/v1/steps');
  expect((await mock.call('GET /~more/_mock/info')).status).toBe(409);
  vi.setSystemTime(Date.now() + 61_000);
  expect((await mock.call('GET /~more/_mock/info')).status).toBe(200);
  expect(names(mock)).toEqual(['own', 'changed', 'token', 'answered', 'more']);
  expect((await mock.call('GET /~again/_mock/info')).status).toBe(409);
});
