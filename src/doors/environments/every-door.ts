import { getResponse, http, passthrough } from 'msw';
import { setupServer } from 'msw/node';
import { createMock, startMock } from 'platform-mock';
import { apiClient, connectMock, type Sandbox } from 'platform-mock/client';
import { createPortableMock } from 'platform-mock/fetch';
import { createMswMock } from 'platform-mock/msw';
import 'platform-mock/vitest';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';

const recording = '/v1/echo/recordings/{recordingId}';
const kickOff = { params: { path: { recordingId: 'rec_kickoff' } } };

/** Every door in the environment of the test file: sign in, update with a JSON body, look at the journal. */
export async function testEveryDoor(): Promise<void> {
  const served = await startMock({ port: 0 });
  const [portless, portable] = [await createMock(), await createPortableMock()];
  const api = 'https://api.example.test:8443/base';
  // Before MSW listens, as where a module of the app makes its client.
  const early = apiClient(api);
  const msw = await createMswMock(api);
  const server = setupServer(
    ...msw.handlers,
    http.all('*', () => passthrough()),
  );
  server.listen();
  afterAll(async () => {
    server.close();
    await served.close();
  });

  const doors = {
    'a served mock': { mock: connectMock(served.baseUrl), fetch: undefined },
    createMock: { mock: portless, fetch: portless.fetch },
    createPortableMock: { mock: portable, fetch: portable.fetch },
    'Mock Service Worker': { mock: msw, fetch: undefined },
  };
  describe.each(Object.entries(doors))('%s', (name, { mock, fetch }) => {
    const signIn = async ({ control }: Sandbox) => (await control.POST('/tokens', { body: { user: 'usr_ada' } })).data;
    test('the client signs in and updates, and the world has received it', async () => {
      await using world = await mock.sandbox();
      let token: string | undefined;
      const client = apiClient(world.baseUrl, { token: () => token, fetch });
      const body = { email: 'ada@analytical.example', password: 'ada-password' };
      token = (await client.POST('/v1/auth/login', { body })).data?.access_token;
      const { response, data } = await client.PATCH(recording, { ...kickOff, body: { title: 'Typed' } });
      expect([response.status, data?.title]).toEqual([200, 'Typed']);
      await expect(world).toHaveReceived({ operation: 'updateRecording', user: 'usr_ada', status: 200, count: 1 });
      await expect(world).not.toHaveReceived({ operation: 'ssoLogin' });
    });

    test.each([
      ['respond', { status: 503 }],
      ['drop', {}],
      ['drop', { when: 'after' }],
      ['offline', {}],
      ['delay', { ms: 1 }],
      ['maintenance', {}],
      [undefined, { method: 'PATCH', path: recording, override: true, auth: 'none', status: 503 }],
    ] as const)('the fault (or route) %s %o: a call and its repetition are both counted', async (fault, terms) => {
      await using world = await mock.sandbox();
      const { token } = await signIn(world);
      const arm = { ...terms, operation: 'updateRecording', times: 1 } as const;
      if (fault) await world.control.PUT('/faults/{fault}', { params: { path: { fault } }, body: arm });
      else await world.control.POST('/routes', { body: { ...terms, times: 1 } });
      const client = apiClient(world.baseUrl, { token, fetch });
      const body = { title: 'Again' };
      for (const _ of ['first', 'second']) await client.PATCH(recording, { ...kickOff, body }).catch(() => {});
      const sent = await world.calls({ operation: 'updateRecording', user: 'usr_ada', body, count: 2 });
      expect(sent.map(({ entry }) => entry.trace.faults)).toEqual([fault ? [fault] : [], []]);
      if ('status' in terms) expect(sent[0]?.status).toBe(terms.status);
      expect(sent[1]?.status).toBe(200);
    });

    // Of a served mock: src/index.test.ts. The fetch of happy-dom would wait for the simulated clock.
    const inProcess = name === 'a served mock' ? test.skip : test;
    inProcess.each([
      ['X-Mock-Fault', 'delay;ms=20'],
      ['X-Mock-Fault', 'throttle;bytesPerSecond=20000'],
      ['Prefer', 'wait=1'],
      ['route', 'with a delay'],
    ])('under a simulated clock, delays and the time of the mock are real: %s %s', async (header, value) => {
      await using world = await mock.sandbox();
      const later = { path: '/delayed', delay: 20, body: [] };
      await world.control.POST('/routes', { body: later });
      vi.useFakeTimers({ now: 0 });
      onTestFinished(() => void vi.useRealTimers());
      const { token } = await signIn(world);
      const send = fetch ?? globalThis.fetch;
      const headers = { Authorization: `Bearer ${token}`, [header]: value };
      const path = header === 'route' ? 'delayed' : 'v1/api-tokens/scopes';
      const response = await send(`${world.baseUrl}/${path}`, { headers });
      expect([response.status, typeof (await response.json())]).toEqual([200, 'object']);
      const { data } = await world.control.GET('/info');
      expect(Date.parse(data.time)).toBeGreaterThan(Date.UTC(2026));
    });
  });

  test('what the app sends elsewhere is not for the mock', async () => {
    expect(await getResponse([...msw.handlers], new Request(`${api}/health`))).toBeUndefined();
  });

  test('a client made before MSW listens calls the mock', async () => {
    expect((await early.GET('/v1/api-tokens/scopes')).response.status).toBe(401);
  });
}
