import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { type MockFetch, startMock } from '../index.ts';
import { createPortableMock } from './portable.ts';

const served = await startMock({ port: 0 });
const portable = await createPortableMock();
const slow = await createPortableMock({ latency: 600_000 });
afterAll(() => served.close());

const doors: readonly { door: string; mock: typeof portable; send: MockFetch }[] = [
  { door: 'mock.fetch', mock: portable, send: portable.fetch },
  { door: 'fetch at a served mock', mock: served, send: fetch },
];

const update = '/v1/echo/recordings/rec_kickoff';
const scopes = '/v1/api-tokens/scopes';
const json = { 'Content-Type': 'application/json' };

async function adasToken({ control }: Pick<typeof portable, 'control'>): Promise<Record<string, string>> {
  const { data } = await control.POST('/tokens', { body: { user: 'usr_ada' } });
  return { ...json, Authorization: `Bearer ${data.token}` };
}

describe.each(doors)('$door', ({ mock, send }) => {
  test('answers without a body where HTTP has none: HEAD, 204', async () => {
    const head = await send(mock.baseUrl + scopes, { method: 'HEAD', headers: await adasToken(mock) });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const options = await send(mock.baseUrl + scopes, { method: 'OPTIONS' });
    const seen = [options.status, await options.text(), options.headers.get('allow')];
    expect(seen).toEqual([204, '', 'GET, HEAD, OPTIONS']);
  });

  test.each([
    ['/v1/%61pi-tokens/scopes', 200],
    ['/%561/api%2Dtokens/scopes', 404],
    ['/v1%2Fapi-tokens/scopes', 404],
  ])('finds a path by its characters, however its letters are written: %s', async (path, status) => {
    expect((await send(mock.baseUrl + path, { headers: await adasToken(mock) })).status).toBe(status);
  });

  test.each([
    ['gzip', 'gzip', gzipSync, 200],
    ['deflate', 'deflate', deflateSync, 200],
    ['GZIP', 'gzip', gzipSync, 200],
    ['identity', 'as it is', Buffer.from, 200],
    ['compress', 'as it is', Buffer.from, 415],
    ['gzip', 'as it is', Buffer.from, 400],
    ['gzip', 'half of it', (text: string) => gzipSync(text).subarray(0, 20), 400],
    ['gzip', 'far too much', () => gzipSync(' '.repeat(20_000_000)), 413],
  ])('reads a body by its Content-Encoding: %s, sent %s', async (encoding, _how, encode, status) => {
    await using world = await mock.sandbox();
    const headers = { ...(await adasToken(world)), 'Content-Encoding': encoding };
    const body = new Uint8Array(encode('{"title":"Packed"}'));
    const response = await send(world.baseUrl + update, { method: 'PATCH', headers, body });
    expect(response.status).toBe(status);
    if (status === 200) expect(await response.json()).toMatchObject({ title: 'Packed' });
  });

  test('rejects with the reason of a signal that is aborted, before and while it waits', async () => {
    await using world = await mock.sandbox();
    const reason = new Error('changed my mind');
    const early = send(world.baseUrl + scopes, { signal: AbortSignal.abort(reason) });
    await expect(early).rejects.toBe(reason);
    expect((await world.control.GET('/journal')).data.entries).toEqual([]);

    const client = new AbortController();
    const headers = { 'X-Mock-Fault': 'latency' };
    const late = send(world.baseUrl + scopes, { signal: client.signal, headers });
    setTimeout(() => client.abort(reason), 50);
    await expect(late).rejects.toBe(reason);
    await expect
      .poll(async () => (await world.control.GET('/journal')).data.entries.map(({ outcome }) => outcome))
      .toEqual(['dropped']);
  });
});

test('a signal ends the latency of all answers, too', async () => {
  await expect(slow.fetch('http://any.invalid/v1', { signal: AbortSignal.timeout(20) })).rejects.toThrow(/timeout/);
});

test('a signal ends a body that comes in drips', async () => {
  const client = new AbortController();
  const aborted = await portable.fetch(portable.baseUrl + scopes, {
    headers: { 'X-Mock-Fault': 'slow-drip' },
    signal: client.signal,
  });
  setTimeout(() => client.abort(), 20);
  await expect(aborted.text()).rejects.toThrow(/abort/i);
});

test('faults with parameters show through fetch as far as it can show them', async () => {
  const headers = await adasToken(portable);
  const ask = (fault: string, init: RequestInit = {}) =>
    portable.fetch(portable.baseUrl + scopes, { ...init, headers: { ...headers, 'X-Mock-Fault': fault } });
  for (const fault of ['drop', 'drop;when=after', 'offline']) await expect(ask(fault)).rejects.toThrow(TypeError);
  await expect((await ask('truncate;bytes=5')).text()).rejects.toThrow(TypeError);
  await expect(ask('hang', { signal: AbortSignal.timeout(30) })).rejects.toThrow(/timeout/);
  const started = performance.now();
  expect(await (await ask('respond;status=418;body=short and stout, delay;ms=60')).text()).toBe('short and stout');
  expect(performance.now() - started).toBeGreaterThan(57);
  const lengths: number[] = [];
  const collect = new WritableStream<Uint8Array>({ write: ({ length }) => void lengths.push(length) });
  await (await ask('throttle;bytesPerSecond=300')).body?.pipeTo(collect);
  expect(Math.max(...lengths)).toBe(30);
  await expect((await ask('malformed-json')).json()).rejects.toThrow(SyntaxError);
});
