import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { controlDocument } from '../../control/document.ts';
import { operationsOf } from '../../core/spec/document.ts';
import { type MockOptions, startMock } from '../../index.ts';
import { field, TestMock } from '../../testing/client.ts';
import { packageFile } from '../files/package-root.ts';
import { blockOf } from './gate.ts';
import { publicLimits } from './limits.ts';

const operator = 'the-token-of-the-operator-0123456789';
const start = (limits: readonly string[] = [], more: MockOptions = {}) =>
  TestMock.start({ public: { limits }, controlToken: operator, ...more });

interface Opened {
  readonly name: string;
  readonly baseUrl: string;
  readonly key: string;
}

const open = async (mock: TestMock, json: object = {}) =>
  (await mock.call('POST /_mock/sandboxes', { json })).body as Opened;
const login = { email: 'ada@analytical.example', password: 'ada-password' };

describe('a public mock', () => {
  let mock: TestMock;
  let mine: Opened;
  let other: Opened;
  const own = (line: string, json?: unknown, token = mine.key) =>
    mock.call(line.replace(' ', ` /~${mine.name}`), { token, json });
  beforeAll(async () => {
    mock = await start(['client-sandboxes=1000']);
    mine = await open(mock);
    other = await open(mock, { profile: 'strict', seed: 7 });
  });
  afterAll(() => mock[Symbol.asyncDispose]());

  test('gives everybody a sandbox of a name that nobody guesses, with its key', async () => {
    expect(mine).toMatchObject({
      name: expect.stringMatching(/^s[a-z2-9]{26}$/),
      key: expect.stringMatching(/^key_.{43}$/),
    });
    expect(mine.baseUrl).toBe(`${mock.mock.baseUrl}/~${mine.name}`);
    expect([other.name, other.key]).not.toEqual([mine.name, mine.key]);
    expect((await own('POST /v1/auth/login', login)).status).toBe(200);
    expect((await own('GET /_mock/info')).body).toMatchObject({ world: mine.name });
    expect((await mock.call(`GET /~${other.name}/_mock/info`, { token: other.key })).body).toMatchObject({ seed: 7 });
  });

  test('opens a control plane to its own key only, and to the operator', async () => {
    const statuses = async (path: string) => {
      const tokens = [undefined, mine.key, other.key, mine.key.slice(0, -1), operator];
      return Promise.all(tokens.map(async (token) => (await mock.call(`GET ${path}`, { token })).status));
    };
    expect(await statuses(`/~${mine.name}/_mock/info`)).toEqual([403, 200, 403, 403, 200]);
    expect(await statuses(`/%7e${mine.name}/_mock/info`)).toEqual([403, 200, 403, 403, 200]);
    for (const path of ['/_mock/info', '/_mock/sandboxes', '/_mock/journal', `/_mock/sandboxes/${mine.name}`])
      expect(await statuses(path), path).toEqual([403, 403, 403, 403, 200]);
    expect(await statuses(`/~${mine.name}/_mock/sandboxes`)).toEqual([403, 403, 403, 403, 200]);
    expect(await statuses(`/~${mine.name}/_mock/sandboxes/${other.name}`)).toEqual([403, 403, 403, 403, 200]);
    expect(await statuses(`/~${mine.name}/_mock/sandboxes/${mine.name}`)).toEqual([403, 200, 403, 403, 200]);
    expect(await statuses('/_mock/health/ready')).toEqual([200, 200, 200, 200, 200]);
  });

  test('lets the holder of a key do all but run code and lead out of the sandbox', () => {
    // An operation that is new has to be decided about: here, and in access.ts.
    const closed = ['addRoute', 'createSandbox', 'deleteSandboxes', 'getMetrics', 'getUpstream', 'listSandboxes'];
    const more = [
      'getHealth',
      'getLiveness',
      'getReadiness',
      'openSandbox',
      'removeRoute',
      'removeRoutes',
      'splitUpstream',
    ];
    return expect(refusedOperations()).resolves.toEqual([...closed, ...more].toSorted());
  });

  /** The operations that a sandbox refuses to the holder of its key for being such. */
  async function refusedOperations(): Promise<string[]> {
    const box = await open(mock);
    const refused: string[] = [];
    for (const { path, method, operation } of operationsOf(controlDocument())) {
      if (['watchJournal', 'deleteSandbox'].includes(operation.operationId)) continue;
      const filled = path
        .replace('{sandbox}', box.name)
        .replace('{resource}', 'recordings')
        .replaceAll(/\{\w+\}/g, '1');
      const line = `${method.toUpperCase()} /~${box.name}/_mock${filled}`;
      const { status } = await mock.call(line, { token: box.key, ...(method !== 'get' && { json: {} }) });
      if (status === 403) refused.push(operation.operationId);
    }
    return refused.toSorted();
  }

  test('makes no sandbox on first use, and has no world without one', async () => {
    const before = mock.worlds.count;
    const unknown = await mock.call('GET /~guessed/v1/api-tokens/scopes');
    expect(unknown.status).toBe(404);
    expect(JSON.stringify(unknown.body)).toContain('POST /_mock/sandboxes gives you one');
    expect((await mock.call('GET /~guessed/_mock/info', { token: operator })).status).toBe(404);
    expect((await mock.call('POST /v1/auth/login', { json: login })).body).toMatchObject({
      error: { message: expect.stringContaining('POST /_mock/sandboxes') },
    });
    expect(mock.worlds.count).toBe(before);
  });

  test('copies no other world, and makes none larger than it may be', async () => {
    const refused = async (json: object) => (await mock.call('POST /_mock/sandboxes', { json })).body;
    expect(await refused({ from: { sandbox: mine.name } })).toMatchObject({
      error: { details: [{ field: 'from', message: 'is not allowed at a public mock' }] },
    });
    expect(await refused({ recordings: 1001 })).toMatchObject({ error: { details: [{ field: 'recordings' }] } });
    expect((await own('POST /_mock/seed', { recordings: 1001 })).status).toBe(400);
    expect((await own('POST /_mock/seed', { seed: 2 })).status).toBe(200);
  });

  test('a key ends with its sandbox', async () => {
    const box = await open(mock);
    expect((await mock.call(`DELETE /~${box.name}/_mock/sandboxes/${box.name}`, { token: box.key })).status).toBe(204);
    expect((await mock.call(`GET /~${box.name}/_mock/info`, { token: box.key })).status).toBe(404);
    expect((await mock.call(`GET /~${box.name}/v1/api-tokens/scopes`)).status).toBe(404);
  });

  test('any replica with the same token knows the keys; with another one they are worthless', async () => {
    await using replica = await start();
    await using stranger = await start([], { controlToken: `${operator}!` });
    const status = async (at: TestMock) => {
      const { status: made } = await at.call(`PUT /_mock/sandboxes/${mine.name}`, {
        token: at === stranger ? `${operator}!` : operator,
      });
      return [made, (await at.call(`GET /~${mine.name}/_mock/info`, { token: mine.key })).status];
    };
    expect([await status(replica), await status(stranger)]).toEqual([
      [200, 200],
      [200, 403],
    ]);
  });
});

describe('limits of a public mock', () => {
  const statusesOf = async (mock: TestMock, line: string, times: number, call = {}) => {
    const seen = [];
    for (let at = 0; at < times; at += 1) seen.push(await mock.call(line, call));
    return seen;
  };

  test('requests per address and minute', async () => {
    await using mock = await start(['client-requests=3']);
    const seen = await statusesOf(mock, 'GET /_mock/info', 8);
    const last = seen.at(-1);
    expect(last).toMatchObject({ status: 429, body: { error: { code: 'too_many' } } });
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await mock.call('GET /_mock/health/ready')).status).toBe(200);
  });

  test('requests per sandbox and minute', async () => {
    await using mock = await start(['sandbox-requests=2']);
    const [one, two] = [await open(mock), await open(mock)];
    const seen = await statusesOf(mock, `GET /~${one.name}/v1/api-tokens/scopes`, 5);
    expect(seen.at(-1)?.status).toBe(429);
    expect((await mock.call(`GET /~${two.name}/v1/api-tokens/scopes`)).status).toBe(401);
  });

  test('sandboxes per address and hour, by the address that trusted proxies tell', async () => {
    await using mock = await start(['client-sandboxes=1'], { trustProxy: 'loopback' });
    const from = (address: string) => mock.call('POST /_mock/sandboxes', { headers: { 'x-forwarded-for': address } });
    expect((await from('203.0.113.7')).status).toBe(201);
    const again = await from('203.0.113.7');
    expect([again.status, Number(again.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await from('2001:db8:1:2::1')).status).toBe(201);
    expect((await from('2001:db8:1:2:ffff::9')).status).toBe(429);
    expect((await from('2001:db8:1:3::1')).status).toBe(201);
  });

  test('an address is not believed where no proxy is trusted', async () => {
    await using mock = await start(['client-sandboxes=1']);
    const from = (address: string) => mock.call('POST /_mock/sandboxes', { headers: { 'x-forwarded-for': address } });
    expect([(await from('203.0.113.7')).status, (await from('203.0.113.8')).status]).toEqual([201, 429]);
  });

  test('sandboxes in all', async () => {
    await using mock = await start([], { sandboxLimit: 1 });
    const box = await open(mock);
    const full = await mock.call('POST /_mock/sandboxes');
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '600']);
    expect((await mock.call(`GET /~${box.name}/_mock/info`, { token: box.key })).status).toBe(200);
  });

  test('the size of bodies', async () => {
    await using mock = await start(['body-bytes=100']);
    const box = await open(mock);
    const path = `/~${box.name}/v1/auth/login`;
    expect((await mock.call(`POST ${path}`, { json: { email: 'x'.repeat(100) } })).status).toBe(413);
    expect(await chunked(`${mock.mock.baseUrl}${path}`)).toBe(411);
  });

  test('the size of bodies as they are, not as they are compressed', async () => {
    await using mock = await start(['sandbox-bytes=20000']);
    const { name, key } = await open(mock);
    const body = gzipSync(JSON.stringify({ title: 'x'.repeat(1_000_000) }));
    expect(body.length).toBeLessThan(2000);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const path = `${mock.mock.baseUrl}/~${name}/_mock/state/recordings`;
    expect((await fetch(path, { method: 'POST', headers, body })).status).toBe(415);
    const { body: state } = await mock.call(`GET /~${name}/_mock/state`, { token: key });
    expect(JSON.stringify(state).length).toBeLessThan(100_000);
  });

  test('the size of a sandbox, its snapshots included; reset makes room', async () => {
    await using mock = await start(['sandbox-bytes=20000']);
    const { name, key } = await open(mock);
    const edit = (at: number) =>
      mock.call(`POST /~${name}/_mock/state/recordings`, {
        token: key,
        json: { id: `rec_${at}`, title: 'x'.repeat(3000) },
      });
    const statuses: number[] = [];
    for (let at = 0; at < 8; at += 1) statuses.push((await edit(at)).status);
    expect(statuses.slice(0, 3)).toEqual([201, 201, 201]);
    expect(statuses.at(-1)).toBe(409);
    const snapshot = () => mock.call(`PUT /~${name}/_mock/snapshots/one`, { token: key });
    expect((await snapshot()).body).toMatchObject({
      error: { code: 'limit', message: expect.stringContaining('20000') },
    });
    expect((await mock.call(`GET /~${name}/_mock/state`, { token: key })).status).toBe(200);
    expect((await mock.call(`POST /~${name}/_mock/reset`, { token: key })).status).toBe(200);
    expect([(await edit(9)).status, (await snapshot()).status]).toEqual([201, 200]);
  });

  test('requests at a time', async () => {
    await using mock = await start(['client-connections=1']);
    const box = await open(mock);
    const aborted = new AbortController();
    const events = await fetch(`${box.baseUrl}/_mock/journal/events`, {
      headers: { authorization: `Bearer ${box.key}` },
      signal: aborted.signal,
    });
    expect(events.status).toBe(200);
    expect((await mock.call('GET /_mock/sandboxes')).status).toBe(429);
    aborted.abort();
    await expect.poll(async () => (await mock.call('GET /_mock/sandboxes')).status).toBe(403);
  });

  test('changes of profiles', async () => {
    await using mock = await start(['client-profiles=1']);
    const { name, key } = await open(mock);
    const change = (json: object) => mock.call(`PATCH /~${name}/_mock/profile`, { token: key, json });
    expect((await change({ answers: { 'error-body': 'problem' } })).status).toBe(200);
    expect((await change({ answers: { 'error-body': 'problem' } })).status).toBe(429);
  });

  test('pages may read why they were refused', async () => {
    await using mock = await start(['client-requests=1'], { cors: ['https://app.example.test'] });
    const headers = { origin: 'https://app.example.test' };
    const seen = await statusesOf(mock, 'GET /v1/api-tokens/scopes', 3, { headers });
    expect([seen.at(-1)?.status, seen.at(-1)?.headers.get('access-control-allow-origin')]).toEqual([
      429,
      headers.origin,
    ]);
  });

  test.each([
    [{ controlToken: undefined }, '--public needs --control-token with at least 24 characters'],
    [{ controlToken: 'short' }, '--public needs --control-token'],
    [{ public: { limits: ['requests=3'] } }, 'the names are client-requests, '],
    [{ public: { limits: ['client-requests=-3'] } }, 'is not name=number'],
    [{ trustProxy: 'nonsense' }, 'trust proxy: invalid IP address: nonsense; give the number of proxies'],
  ])('%j is refused at the start', async (options, message) => {
    await expect(startMock({ public: {}, controlToken: operator, ...options } as MockOptions)).rejects.toThrow(message);
  });
});

test('unused sandboxes are deleted, watched ones are not', async () => {
  await using mock = await TestMock.start({ sandboxTtl: 1 });
  await mock.call('GET /~unused/v1/api-tokens/scopes');
  const aborted = new AbortController();
  await fetch(`${mock.mock.baseUrl}/~watched/_mock/journal/events`, { signal: aborted.signal });
  await expect.poll(() => [...mock.worlds.named()].map(([name]) => name), { interval: 200 }).toEqual(['watched']);
  aborted.abort();
});

test('the address that clients know is that of the trusted proxy, with its scheme', async () => {
  await using mock = await TestMock.start({ trustProxy: '1' });
  const { body } = await mock.call('GET /_mock/target', {
    headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1' },
  });
  expect(field(body, 'baseUrl')).toBe(mock.mock.baseUrl.replace('http:', 'https:'));
  await using direct = await TestMock.start();
  const seen = await direct.call('GET /_mock/target', { headers: { 'x-forwarded-proto': 'https' } });
  expect(field(seen.body, 'baseUrl')).toBe(direct.mock.baseUrl);
});

test('whoever is local to the proxy only is not local', async () => {
  await using mock = await TestMock.start({ trustProxy: 'loopback' });
  expect((await mock.call('GET /_mock/info', { headers: { 'x-forwarded-for': '203.0.113.7' } })).status).toBe(403);
  expect((await mock.call('GET /_mock/info')).status).toBe(200);
});

test('docs/public.md has the limits as they are', () => {
  const [, table = ''] = readFileSync(packageFile('docs', 'public.md'), 'utf8').split(/<!-- \/?limits -->/);
  const rows = [...table.matchAll(/^\| `([\w-]+)` \| (\d+) \| (.*?)(?: \(.*\))? \|$/gm)];
  expect(rows.map(([, name, value, counts]) => [name, { value: Number(value), counts }])).toEqual(
    Object.entries(publicLimits),
  );
});

test('an address stands for whoever has it', () => {
  const addresses = ['203.0.113.7', '::ffff:203.0.113.7', '2001:db8::1', '::1', ''];
  // As proxies write those of NAT64, and a bridge or VLAN its own: an error would end the process.
  const odd = ['64:ff9b::203.0.113.7', 'fe80::1%br-lan.7', '::203.0.113.7'];
  expect([...addresses, ...odd].map(blockOf)).toEqual([
    '203.0.113.7',
    '203.0.113.7',
    '2001:db8:0:0::/64',
    '0:0:0:0::/64',
    '',
    '64:ff9b:0:0::/64',
    'fe80:0:0:0::/64',
    '0:0:0:0::/64',
  ]);
});

/** The status of a request with a body of unknown length. */
const chunked = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const sent = httpRequest(url, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end('{}');
  });
