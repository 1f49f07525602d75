import { afterAll, expect, test } from 'vitest';
import { TestMock } from '../testing/client.ts';

const mock = await TestMock.withoutPort();
const token = await mock.token();
afterAll(() => mock[Symbol.asyncDispose]());

const scopes = 'GET /v1/api-tokens/scopes';

async function timed(prefer: string, line = scopes) {
  const started = performance.now();
  const { status, headers, basis } = await mock.call(line, { token, headers: { prefer } });
  return { status, applied: headers.get('preference-applied'), basis, ms: performance.now() - started };
}

test.concurrent('wait=1 takes a second, and says so', async () => {
  const { ms, ...seen } = await timed('wait=1');
  expect(seen).toEqual({
    status: 200,
    applied: 'wait=1',
    basis: expect.stringContaining('assumed; gaps=other-capabilities'),
  });
  // Timers may fire a millisecond early.
  expect(ms).toBeGreaterThan(997);
});

test.concurrent('wait and code together, in one header', async () => {
  const { ms, ...seen } = await timed('respond-async, wait=1, code=503');
  expect(seen).toMatchObject({ status: 503, applied: 'wait=1, code=503' });
  expect(ms).toBeGreaterThan(997);
});

test.concurrent('a refusal waits as well', async () => {
  const started = performance.now();
  const refused = await mock.call(scopes, { token: 'wrong', headers: { prefer: 'wait=1' } });
  expect([refused.status, refused.headers.get('preference-applied')]).toEqual([401, 'wait=1']);
  expect(performance.now() - started).toBeGreaterThan(997);
});

test('the first of several is the one that counts, and the effect is that of the request', async () => {
  const headers = { prefer: 'wait=0; wait=500' };
  const seen = await mock.call('PATCH /v1/echo/recordings/rec_kickoff', { token, headers, json: { title: 'waited' } });
  expect([seen.status, seen.headers.get('preference-applied')]).toEqual([200, 'wait=0']);
  expect(mock.world.store.recordings.get('rec_kickoff')?.title).toBe('waited');
});

test.each(['601', '-1', '1.5', 'soon', '9999999999999999999999'])('wait=%s is refused', async (wait) => {
  const refused = await mock.call(scopes, { token, headers: { prefer: `wait=${wait}` } });
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain('is not supported; allowed: whole seconds from 0 to 600.');
});
