import { afterAll, expect, test } from 'vitest';
import { scopes, TestMock } from '../testing/client.ts';

const mock = await TestMock.withoutPort();
const token = await mock.token();
afterAll(() => mock[Symbol.asyncDispose]());

test.concurrent.each([
  ['wait=1', token, 200, 'wait=1', 'assumed; gaps=other-capabilities'],
  ['respond-async, wait=1, code=503', token, 503, 'wait=1, code=503', 'other-capabilities'],
  // A refusal waits as well.
  ['wait=1', 'wrong', 401, 'wait=1', 'assumed'],
])('%s takes a second, and says so', async (prefer, credentials, status, applied, basis) => {
  const started = performance.now();
  const seen = await mock.call(scopes, { token: credentials, headers: { prefer } });
  // Timers may fire a millisecond early.
  expect(performance.now() - started).toBeGreaterThan(997);
  expect([seen.status, seen.headers.get('preference-applied')]).toEqual([status, applied]);
  expect(seen.basis).toContain(basis);
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
