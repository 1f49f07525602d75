// Example: a whole app offline. It needs twelve routes; seven are documented, and two files have the other ones.
import { startMock } from 'platform-mock';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../server/files/package-root.ts';
import { type App, appAt } from './whole-app/app.ts';

const files = ['routes.yaml', 'routes.ts'].map((name) => packageFile('src', 'examples', 'whole-app', name));
const mock = await startMock({ routes: files });

/** What the app does in a session; gives each route with what answered. */
async function session({ send }: App): Promise<string[]> {
  const seen: string[] = [];
  const step = async (method: string, path: string, body?: Readonly<Record<string, unknown>>) => {
    const answer = await send(method, path, body);
    seen.push(`${method} ${path.replace(/[0-9a-f-]{36}/, '{id}')} ${answer.status} ${answer.basis.split(';')[0]}`);
    return answer.body;
  };
  await step('GET', '/v1/health');
  await step('GET', '/v1/health');
  const ada = { oid: '0a6d3f18-52c7-4b1e-8f09-6b9c4d2e7a31', tid: '7c1f0a52-3b64-4e0c-9d51-0f6a3c2b8e10' };
  const granted = await step('POST', '/v1/auth/sso', { ...ada, upn: 'ada@analytical.example' });
  await step('POST', '/v1/auth/login', { email: 'ada@analytical.example', password: 'ada-password' });
  await step('POST', '/v1/auth/refresh', { refresh_token: granted.refresh_token });
  expect(await step('GET', '/v1/profile')).toMatchObject({ name: 'ada', tenant: 'ten_analytical' });
  const before = await step('GET', '/v1/echo/recordings');
  const made = await step('POST', '/v1/echo/recordings', { title: 'Offline' });
  expect(await step('GET', `/v1/uploads/${made.id}`)).toMatchObject({ recording: made.id });
  await step('PATCH', `/v1/echo/recordings/${made.id}`, { title: 'Still offline' });
  const after = (await step('GET', '/v1/echo/recordings')) as unknown as { id: string; title: string }[];
  expect(after).toHaveLength((before as unknown as unknown[]).length + 1);
  expect(after.find(({ id }) => id === made.id)?.title).toBe('Still offline');
  expect(await step('GET', '/v1/folders')).toEqual({ folders: [{ id: 'fld_calls', name: 'Calls' }] });
  await step('GET', '/v1/api-tokens/scopes');
  await step('POST', '/v1/api-tokens', { name: 'app' });
  await step('GET', '/v1/admin/tenants/ten_analytical/api-keys');
  return seen;
}

describe('an app that needs twelve routes', () => {
  test('runs offline as a whole, in an isolated world', async () => {
    await using world = await mock.sandbox();
    const seen = await session(appAt(world.baseUrl));
    const answered = (by: string) =>
      new Set(seen.filter((line) => line.endsWith(by)).map((line) => line.split(' 2')[0]));
    expect(seen.filter((line) => !/ 20[01] /.test(line))).toEqual(['GET /v1/health 503 yours']);
    expect(answered(' yours').size - 1).toBe(5 + 1);
    expect(answered('documented').size + answered('assumed').size).toBe(7);
  });

  test('one test stubs one more route, in one line', async () => {
    await using world = await mock.sandbox();
    await world.control.POST('/routes', { body: { path: '/v1/quota', body: { left: 0 }, times: 1 } });
    const app = appAt(world.baseUrl);
    expect((await app.send('GET', '/v1/quota')).body).toEqual({ left: 0 });
    const { body, status } = await app.send('GET', '/v1/quota');
    expect([status, JSON.stringify(body)]).toEqual([404, expect.stringContaining('it has answered 1 time')]);
  });
});
