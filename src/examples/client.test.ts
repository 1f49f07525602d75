// Example: the typed clients of the API and of the control plane, for a mock that is served and for one without a port.
import { createMock, startMock } from 'platform-mock';
import { apiClient, ControlRefusal, connectMock } from 'platform-mock/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const served = await startMock({ port: 0 });
const portless = await createMock();
afterAll(() => served.close());

describe.each([
  { where: 'at a served mock', baseUrl: served.baseUrl, fetch: undefined },
  { where: 'over mock.fetch', baseUrl: portless.baseUrl, fetch: portless.fetch },
])('$where', ({ baseUrl, fetch }) => {
  const mock = connectMock(baseUrl, { fetch });
  let token: string | undefined;
  beforeAll(async () => {
    const { data } = await apiClient(baseUrl, { fetch }).POST('/v1/auth/login', {
      body: { email: 'ada@analytical.example', password: 'ada-password' },
    });
    token = data?.access_token;
  });

  test('the API: a refusal is an error to look at, with its status', async () => {
    const { data, error, response } = await apiClient(baseUrl, { fetch }).GET('/v1/api-tokens/scopes');
    expect(data).toBeUndefined();
    expect(error).toMatchObject({ error: { code: expect.any(String) } });
    expect(response.status).toBe(401);
  });

  test('the control plane: what it refuses is thrown, with the field and an example', async () => {
    await using world = await mock.sandbox();
    await world.control.POST('/clock/advance', { body: { seconds: 60 } });
    const refusal = await world.control
      .POST('/clock/advance', { body: { seconds: 'a minute' as never } })
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ControlRefusal);
    expect(String(refusal)).toMatch(/POST .*\/_mock\/clock\/advance: 400 .*\n {2}seconds: /);
  });

  test('a sandbox is deleted where its block ends', async () => {
    const name = await (async () => {
      await using world = await mock.sandbox();
      await apiClient(world.baseUrl, { fetch, token }).GET('/v1/api-tokens/scopes');
      return world.name;
    })();
    const { data } = await mock.control.GET('/sandboxes');
    expect(data.sandboxes.map((sandbox) => sandbox.name)).not.toContain(name);
  });
});
