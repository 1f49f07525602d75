import { afterAll, expect, test, vi } from 'vitest';
import type { Recording } from '../core/world/records.ts';
import type { World } from '../index.ts';
import { keys, patch, type Seen, TestMock } from '../testing/client.ts';

const mock = await TestMock.start({ cors: ['https://app.example'] });
const token = await mock.token();
afterAll(() => mock[Symbol.asyncDispose]());

test('states the basis of its responses', async () => {
  const refused = 'assumed; gaps=error-body,error-codes';
  const rows: [string, Promise<Seen>][] = [
    ['documented', mock.sso()],
    ['documented', mock.update({ title: 'x' })],
    ['documented', mock.call(keys, { token })],
    ['assumed; gaps=empty-update', mock.update({})],
    ['assumed; gaps=unknown-field', mock.update({ title: 'x', colour: 1 })],
    ['assumed; gaps=unknown-query', mock.call(`${keys}?colour=red`, { token })],
    [`${refused},validation-status,wrong-type`, mock.update({ title: 7 })],
    [`${refused},validation-status,null-field`, mock.update({ title: null })],
    [`${refused},missing-credentials-status`, mock.call(keys)],
    [`${refused},foreign-recording,forbidden-status`, mock.update({ title: 'x' }, { user: 'usr_charles' })],
    ['fault', mock.call(keys, { token, headers: { 'X-Mock-Fault': 'keys-wrapped' } })],
    ['documented', mock.call(keys, { token, headers: { 'X-Mock-Fault': 'delay;ms=1' } })],
  ];
  for (const [basis, seen] of rows) expect((await seen).basis).toBe(basis);
});

test('names the invalid field and what is expected', async () => {
  const details = [{ field: 'title', message: 'must be string' }];
  const error = { code: 'validation_failed', message: 'The request is not valid: title.', details };
  expect((await mock.update({ title: 7 })).body).toEqual({ error });
  expect((await mock.call(`${keys}?provider=x`, { token })).body).toMatchObject({
    error: { details: [{ field: 'provider', message: expect.stringContaining('openai, anthropic') }] },
  });
});

test('accepts Bearer in any case, with spaces around; no header reveals the framework', async () => {
  const { status, headers } = await mock.call(keys, { headers: { authorization: `bearer  ${token} ` } });
  expect([status, headers.get('x-powered-by'), headers.get('etag')]).toEqual([200, null, null]);
});

test.each([
  ['http://localhost:5173', true],
  ['http://127.0.0.1:3000', true],
  ['http://[::1]:8080', true],
  ['https://app.localhost', true],
  ['https://app.example', true],
  ['https://example.com', false],
  ['http://localhost.example.com', false],
  ['null', false],
])('lets pages on %s call: %s', async (origin, allowed) => {
  const asked = {
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization,content-type',
  };
  const preflight = await mock.call(patch.replace('PATCH', 'OPTIONS'), { headers: { origin, ...asked } });
  expect(preflight.status).toBe(204);
  const refused = await mock.call(keys, { headers: { origin } });
  expect(refused.status).toBe(401);
  for (const seen of [preflight, refused]) {
    expect(seen.headers.get('access-control-allow-origin')).toBe(allowed ? origin : null);
    expect(seen.headers.get('access-control-allow-credentials')).toBe(allowed ? 'true' : null);
    expect(seen.basis).toMatch(/^assumed/);
  }
  const control = await mock.call('GET /_mock/info', { headers: { origin } });
  expect(control.headers.get('access-control-allow-credentials')).toBe(null);
  if (!allowed) return;
  expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
  expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization,content-type');
  expect(refused.headers.get('access-control-expose-headers')).toContain('X-Mock-Basis');
});

test('pages may read every header of a response, also one that is slow', async () => {
  const headers = { 'X-Total': '7', 'X-Own': 'a' };
  const routes = [{ path: '/v1/own', headers, body: {} }];
  await using own = await TestMock.start({ cors: ['*'], routes: [{ routes }] });
  for (const fault of [undefined, 'throttle;bytesPerSecond=100000']) {
    const sent = { origin: 'https://app.example', ...(fault !== undefined && { 'X-Mock-Fault': fault }) };
    const seen = await own.call('GET /v1/own', { headers: sent });
    expect(seen.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(seen.headers.get('access-control-expose-headers')).toMatch(/X-Total,X-Own,.*X-Mock-Basis/);
  }
});

test('the rate limit counts requests per caller and minute of the clock', async () => {
  await using mock = await TestMock.start({ profile: { answers: { 'rate-limit': 2 } } });
  mock.world.clock.freeze(Date.UTC(2030, 0, 1, 0, 0, 15));
  const call = (token = 'a') => mock.call(keys, { token });
  const seen = [await call(), await call(), await call(), await call('b')];
  expect(
    seen.map(({ status, headers }) => [status, headers.get('ratelimit-remaining'), headers.get('retry-after')]),
  ).toEqual([
    [401, '1', null],
    [401, '0', null],
    [429, '0', '45'],
    [401, '1', null],
  ]);
  mock.world.clock.advance(45_000);
  expect((await call()).status).toBe(401);
});

const badStatus = ({ store: { recordings } }: World) =>
  recordings.put({ ...(recordings.get('rec_kickoff') as Recording), status: 'x' as 'failed' });
const judgeOfAll = ({ services }: World) => void Object.assign(services, { judge: async () => true });

/** What the mock does wrong: how, the update that meets it, its status, and what is logged. */
test.each<[string, (world: World) => void, object, number, string]>([
  ['a response that violates the spec', badStatus, {}, 500, 'violates the spec: body/status must be equal'],
  ['a request that only the compiled validators refuse', judgeOfAll, { title: 7 }, 400, `BUG: ${patch}: the judge`],
])('%s is logged and counted, and not shown', async (_name, spoil, json, status, logged) => {
  const log = vi.fn();
  await using mock = await TestMock.start({ log });
  spoil(mock.world);
  const seen = await mock.update(json);
  expect([seen.status, seen.text]).toEqual([status, expect.not.stringContaining('status')]);
  expect(log).toHaveBeenCalledWith('error', expect.stringContaining(logged));
  expect(mock.world.ownViolations).toBe(1);
});
