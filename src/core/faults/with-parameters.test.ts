import { afterAll, describe, expect, test } from 'vitest';
import { TestMock } from '../../testing/client.ts';
import { sendRaw } from '../../testing/raw-client.ts';
import { faultOf } from './index.ts';
import { Turn, withFaults } from './turn.ts';

const scopes = '/v1/api-tokens/scopes';
const recording = '/v1/echo/recordings/rec_kickoff';

const mock = await TestMock.start();
const token = await mock.token();
afterAll(() => mock[Symbol.asyncDispose]());

async function sandboxWith(fault: string, body: object) {
  const { name, baseUrl, control } = await mock.mock.sandbox();
  await control.PUT('/faults/{fault}', { params: { path: { fault } }, body });
  const get = (path = scopes, init: RequestInit = {}) =>
    fetch(baseUrl + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  const patch = (title: string) =>
    get(recording, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title }),
    });
  const stored = async () => {
    const params = { path: { resource: 'recordings', record: 'rec_kickoff' } } as const;
    return ((await control.GET('/state/{resource}/{record}', { params })).data as { title: string }).title;
  };
  return { name, baseUrl, control, get, patch, stored };
}

/** What comes over a connection in answer to a GET, until it closes. */
async function rawGet(prefix: string): Promise<{ text: string; ms: number }> {
  const started = performance.now();
  const lines = [`GET ${prefix}${scopes} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${token}`];
  const text = await sendRaw(mock.mock.baseUrl, `${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`, /never/);
  return { text, ms: performance.now() - started };
}

const bodyOf = (text: string) => text.slice(text.indexOf('\r\n\r\n') + 4);
const announced = (text: string) => Number(/content-length: (\d+)/i.exec(text)?.[1]);

describe('respond', () => {
  test('status, headers and a JSON body in the place of the service', async () => {
    const body = { error: { code: 'quota' } };
    const { patch, stored } = await sandboxWith('respond', { status: 507, headers: { 'Retry-After': '9' }, body });
    const before = await stored();
    const response = await patch('never');
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([507, '9', body]);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-mock-basis')).toBe('fault');
    expect(await stored()).toBe(before);
  });

  test('a text is sent as it is, under the media type that is given', async () => {
    const headers = { 'content-type': 'text/html' };
    const { get } = await sandboxWith('respond', { status: 200, headers, body: '<p>Hello</p>' });
    const response = await get();
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['text/html', '<p>Hello</p>']);
  });

  test('without parameters: 503 with the error body of the profile', async () => {
    const { control, get } = await sandboxWith('respond', {});
    expect(await (await get()).json()).toMatchObject({ error: { code: 'service_unavailable' } });
    await control.PATCH('/profile', { body: { answers: { 'error-body': 'problem' } } });
    const response = await get();
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(await response.json()).toMatchObject({ status: 503 });
  });

  test('a status without a body has none', async () => {
    const { get } = await sandboxWith('respond', { status: 204, body: { left: 'out' } });
    const response = await get();
    expect([response.status, await response.text()]).toEqual([204, '']);
  });
});

describe('delay', () => {
  test('takes so long, and adds up with other faults', async () => {
    const { control, get } = await sandboxWith('delay', { ms: 150 });
    await control.PUT('/faults/{fault}', { params: { path: { fault: 'respond' } }, body: { status: 503 } });
    const started = performance.now();
    expect((await get()).status).toBe(503);
    // Timers may fire a millisecond early.
    expect(performance.now() - started).toBeGreaterThan(147);
  });

  /** Of 4,000 delays, those at the 0th, 16th, 50th, 84th and 100th percentile. @param draws how many numbers of the seed each takes */
  const percentiles = (draws: number, parameters: object) => {
    const fault = faultOf('delay');
    const arm = { id: 'delay', parameters: { ...parameters }, probability: 1 };
    if (!fault) throw new Error('there is no delay');
    const plain = { status: 200, headers: {}, text: '' };
    const { world } = mock;
    const before = world.image().draws;
    const request = { params: {}, query: {}, caller: undefined, body: undefined };
    const context = { world, arrival: { method: '', url: '', headers: {} }, operation: undefined, request };
    const delays = Array.from({ length: 4000 }, () => {
      const { delayMs = 0 } = withFaults([new Turn(world, arm, fault)], 'transport', context, () => plain);
      return delayMs;
    });
    expect(world.image().draws - before).toBe(4000 * draws);
    delays.sort((one, other) => one - other);
    return [0, 0.16, 0.5, 0.84, 1].map((share) => delays[Math.min(Math.floor(share * 4000), 3999)] ?? 0);
  };

  test('uniform: at most jitter from ms, and never below nothing', () => {
    const [least = 0, low = 0, median = 0, , most = 0] = percentiles(1, { ms: 1000, jitter: 400 });
    expect(least).toBeGreaterThanOrEqual(600);
    expect(most).toBeLessThanOrEqual(1400);
    expect(Math.abs(low - 728)).toBeLessThan(40);
    expect(Math.abs(median - 1000)).toBeLessThan(40);
    expect(percentiles(1, { ms: 10, jitter: 500 })[0]).toBe(0);
  });

  test('lognormal: ms is the median, ms and jitter the 84th percentile, with a long tail', () => {
    const [least = 0, , median = 0, high = 0, most = 0] = percentiles(2, {
      ms: 1000,
      jitter: 500,
      distribution: 'lognormal',
    });
    expect(Math.abs(median - 1000)).toBeLessThan(50);
    expect(Math.abs(high - 1500)).toBeLessThan(80);
    expect(least).toBeGreaterThan(100);
    expect(most).toBeGreaterThan(3000);
  });
});

describe('drop', () => {
  test.each([
    ['before', false],
    ['after', true],
  ] as const)('%s the effect of a request: nothing comes over the connection', async (when, isStored) => {
    const { name, patch, stored } = await sandboxWith('drop', { when });
    await expect(patch('dropped')).rejects.toThrow('fetch failed');
    expect((await stored()) === 'dropped').toBe(isStored);
    expect((await rawGet(`/~${name}`)).text).toBe('');
  });
});

describe('truncate', () => {
  test('so many bytes of the announced body arrive', async () => {
    const { name, get } = await sandboxWith('truncate', { bytes: 7 });
    const { text } = await rawGet(`/~${name}`);
    expect(bodyOf(text)).toHaveLength(7);
    expect(announced(text)).toBeGreaterThan(7);
    await expect((await get()).text()).rejects.toThrow('terminated');
  });

  test('a shorter body is no hit', async () => {
    const { control, get } = await sandboxWith('truncate', { bytes: 100_000, times: 1 });
    expect((await get()).status).toBe(200);
    expect((await control.GET('/faults')).data.find(({ id }) => id === 'truncate')).toMatchObject({
      hits: 0,
      armed: { left: 1, parameters: { bytes: 100_000 } },
    });
  });

  test('without parameters: halfway', async () => {
    const { name } = await sandboxWith('truncate', {});
    const { text } = await rawGet(`/~${name}`);
    expect(bodyOf(text)).toHaveLength(Math.ceil(announced(text) / 2));
  });
});

test('throttle: the whole body in pieces, at that pace', async () => {
  const { get } = await sandboxWith('throttle', { bytesPerSecond: 400 });
  const started = performance.now();
  const pieces: Uint8Array[] = [];
  await (await get()).body?.pipeTo(new WritableStream({ write: (piece) => void pieces.push(piece) }));
  const body = Buffer.concat(pieces);
  expect(JSON.parse(body.toString())).toMatchObject({ is_admin: true });
  expect(pieces.length).toBeGreaterThan(1);
  // The piece of the first tenth of a second comes at once.
  expect(performance.now() - started).toBeGreaterThan((body.length / 400 - 0.1) * 1000 * 0.9);
});

test('throttle and truncate together: at that pace, as far as it goes', async () => {
  const { name, control } = await sandboxWith('throttle', { bytesPerSecond: 100 });
  await control.PUT('/faults/{fault}', { params: { path: { fault: 'truncate' } }, body: { bytes: 15 } });
  const { text, ms } = await rawGet(`/~${name}`);
  expect(bodyOf(text)).toHaveLength(15);
  expect(ms).toBeGreaterThan(130);
});

test('hang: no answer until the client gives up, which the journal tells at once', async () => {
  const { control, get } = await sandboxWith('hang', {});
  await expect(get(scopes, { signal: AbortSignal.timeout(150) })).rejects.toThrow(/timeout/);
  await expect
    .poll(async () => (await control.GET('/journal')).data.entries.map(({ outcome }) => outcome))
    .toEqual(['dropped']);
});

test('offline: every connection is closed, those of preflights as well; the control plane answers', async () => {
  const { control, baseUrl, get, patch } = await sandboxWith('offline', {});
  const headers = { origin: 'http://localhost:3000', 'access-control-request-method': 'PATCH' };
  await expect(get()).rejects.toThrow('fetch failed');
  await expect(patch('never')).rejects.toThrow('fetch failed');
  await expect(fetch(baseUrl + recording, { method: 'OPTIONS', headers })).rejects.toThrow('fetch failed');
  await control.DELETE('/faults/{fault}', { params: { path: { fault: 'offline' } } });
  expect((await get()).status).toBe(200);
});

test('malformed-json: whole, of the right type, and no JSON', async () => {
  const { get } = await sandboxWith('malformed-json', {});
  const response = await get();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  const text = await response.text();
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  expect(JSON.parse(`${text}}`)).toMatchObject({ is_admin: true });
});

test.each([
  ['delay', { ms: 600_001 }, 'ms: must be <= 600000'],
  ['delay', { ms: -1 }, 'ms: must be >= 0'],
  ['delay', { distribution: 'normal' }, 'allowed: uniform, lognormal'],
  ['respond', { status: 99 }, 'status: must be >= 200'],
  ['respond', { headers: { 'X-A': 'a\nb' } }, 'headers.X-A: must match pattern'],
  ['respond', { headers: { 'transfer-encoding': 'x' } }, 'headers.transfer-encoding: is set by the mock'],
  ['truncate', { bytes: 0 }, 'bytes: must be >= 1'],
  ['throttle', { bytesPerSecond: 1.5 }, 'bytesPerSecond: must be integer'],
  ['drop', { when: 'never' }, 'allowed: before, after'],
  ['drop', { every: 0 }, 'every: must be >= 1'],
  ['drop', { request: {} }, 'request: must NOT have fewer than 1 properties'],
  ['hang', { ms: 5 }, 'ms: is no parameter of hang, which has no parameters'],
  ['delay', { bytes: 5 }, 'allowed: ms, jitter, distribution, operation, request, times, every, probability'],
])('%s with %j is refused: %s', async (fault, body, message) => {
  await expect(sandboxWith(fault, body)).rejects.toThrow(message);
});

test('a sandbox and a mock begin with faults and their terms', async () => {
  await using own = await TestMock.start({ faults: ['respond:status=418;times=1', 'latency:every=1000'] });
  const statuses = [await own.call(`GET ${scopes}`), await own.call(`GET ${scopes}`)].map(({ status }) => status);
  expect(statuses).toEqual([418, 401]);
  const box = await own.mock.sandbox('box', { faults: ['respond:status=418;request.method=PUT'] });
  expect((await own.call(`GET /~box${scopes}`)).status).toBe(401);
  expect((await own.call(`PUT /~box${scopes}`)).status).toBe(418);
  await expect(own.mock.sandbox('other', { faults: ['respond:status=1'] })).rejects.toThrow(
    'the fault respond: status must be >= 200; found 1',
  );
  await expect(TestMock.start({ faults: ['delay:ms=x'] })).rejects.toThrow('the fault delay: ms must be integer');
  await box.control.DELETE('/faults');
  expect((await own.call(`PUT /~box${scopes}`)).status).toBe(405);
});
