import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { type RunningMock, startMock } from '../index.ts';
import { keys, TestMock } from '../testing/client.ts';
import { sendRaw } from '../testing/raw-client.ts';

const rebound = { host: 'somewhere.example.test' };

describe('health', async () => {
  const mock = await TestMock.start({ controlToken: 'secret-token' });
  afterAll(() => mock[Symbol.asyncDispose]());

  test.each([
    ['/live', { live: true }],
    ['/ready', { live: true, ready: true }],
  ])('/_mock/health%s is open to probes, from any host and without the token', async (path, body) => {
    // fetch sets Host itself.
    expect(await raw(mock, `GET /_mock/health${path}`, rebound)).toMatchObject({ status: 200, body });
    expect(await raw(mock, `HEAD /_mock/health${path}`, rebound)).toMatchObject({ status: 200 });
    expect((await mock.call(`POST /_mock/health${path}`)).status).toBe(403);
  });

  test('nothing else is, and no sandbox is made by it', async () => {
    const paths =
      '/_mock/health /_mock/health/x /_mock/info /~one/_mock/health/live /_mock/metrics /_mock/health/../info';
    for (const path of paths.split(' '))
      expect(await raw(mock, `GET ${path}`, rebound), path).toMatchObject({ status: 403 });
    expect(mock.worlds.count).toBe(0);
  });

  test('is not ready, with the reason, while the store is not; lives all the same', async () => {
    const { services } = mock.worlds;
    services.ready = async () => 'the store does not answer';
    const reason = 'the store does not answer';
    const ready = await mock.call('GET /_mock/health/ready');
    const error = { code: 'unavailable', message: `Not ready: ${reason}.` };
    expect(ready).toMatchObject({ status: 503, body: { error } });
    expect(ready.headers.get('retry-after')).toBe('1');
    expect((await mock.call('GET /_mock/health/live')).status).toBe(200);
    services.ready = () => Promise.reject(new Error('redis://user:password@host'));
    expect(JSON.stringify((await mock.call('GET /_mock/health/ready')).body)).not.toContain('password');
    services.ready = () => new Promise(() => {});
    expect(await mock.call('GET /_mock/health/ready')).toMatchObject({ status: 503 });
    services.ready = async () => undefined;
    expect((await mock.call('GET /_mock/health/ready')).status).toBe(200);
  });
});

describe('metrics', () => {
  test('count requests by operation and status, worlds and the store, and are the token holder’s', async () => {
    await using mock = await TestMock.start({ metrics: 'control', controlToken: 'secret-token' });
    const token = await mock.token();
    await mock.call(keys, { token });
    await mock.call(keys.replace(' ', ' /~one'));
    await mock.call('GET /nowhere/at/all');
    mock.worlds.services.metrics?.storeRoundTrip(0.002, 'ok');
    mock.worlds.services.metrics?.storeConflict();
    expect((await mock.call('GET /_mock/metrics')).status).toBe(403);
    expect((await mock.call('GET /_mock/info', { token: 'secret-token' })).status).toBe(200);
    const seen = await mock.call('GET /_mock/metrics', { token: 'secret-token' });
    expect(seen.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    for (const line of [
      'requests_total{operation="ssoLogin",status="200"} 1',
      'requests_total{operation="listTenantApiKeys",status="200"} 1',
      'requests_total{operation="listTenantApiKeys",status="401"} 1',
      'requests_total{operation="none",status="404"} 1',
      'requests_total{operation="control",status="200"} 1',
      'request_duration_seconds_count{operation="listTenantApiKeys"} 2',
      'request_duration_seconds_bucket{le="10",operation="listTenantApiKeys"} 2',
      'worlds 2',
      'sandboxes_limit 1000',
      'journal_requests 4',
      'own_violations 0',
      'store_round_trip_seconds_count{outcome="ok"} 1',
      'store_conflicts_total 1',
    ])
      expect(seen.text).toContain(`\nplatform_mock_${line}\n`);
    expect(seen.text).toMatch(/\nprocess_cpu_seconds_total \d/);
  });

  test('may be open to a scraper elsewhere; two mocks in a process count apart', async () => {
    await using open = await TestMock.start({ metrics: 'open', controlToken: 'secret-token' });
    await using other = await TestMock.start({ metrics: 'open' });
    await open.call(keys);
    const line = 'platform_mock_requests_total{operation="listTenantApiKeys",status="401"} 1\n';
    expect((await open.call('GET /_mock/metrics')).text).toContain(line);
    expect((await other.call('GET /_mock/metrics')).text).not.toContain(line);
  });

  test('are not collected unless asked for, which is said', async () => {
    await using mock = await TestMock.start();
    const error = { message: 'This mock collects no metrics; serve --metrics does.' };
    expect(await mock.call('GET /_mock/metrics')).toMatchObject({ status: 404, body: { error } });
  });
});

describe('behind a proxy', () => {
  test('its address and scheme are what clients know, and who is local to it is not local to the mock', async () => {
    await using mock = await TestMock.start({ trustProxy: 'loopback' });
    await using direct = await TestMock.start();
    const targetOf = async (at: TestMock, client: string) =>
      at.call('GET /_mock/target', { headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': client } });
    const { baseUrl } = mock.mock;
    expect((await targetOf(mock, '127.0.0.1')).body).toMatchObject({ baseUrl: baseUrl.replace('http:', 'https:') });
    expect((await targetOf(mock, '203.0.113.7')).status).toBe(403);
    expect((await targetOf(direct, '203.0.113.7')).body).toMatchObject({ baseUrl: direct.mock.baseUrl });
  });

  test.each([
    ['1', [401, 401]],
    ['loopback', [401, 401]],
    [undefined, [401, 429]],
  ])('clients are told apart by X-Forwarded-For where the proxy is trusted: %s', async (trustProxy, statuses) => {
    await using mock = await TestMock.start({ trustProxy, profile: { answers: { 'rate-limit': 1 } } });
    const from = (address: string) => mock.call(keys, { headers: { 'x-forwarded-for': address } });
    expect([(await from('203.0.113.7')).status, (await from('203.0.113.8')).status]).toEqual(statuses);
  });
});

test.concurrent('unused sandboxes are deleted, watched ones are not', async ({ expect }) => {
  await using mock = await TestMock.start({ sandboxTtl: 1 });
  await mock.call('GET /~unused/v1/api-tokens/scopes');
  // Read: fetch closes the connection of a response that is garbage, even where its body is not.
  const reader = (await fetch(`${mock.mock.baseUrl}/~watched/_mock/journal/events`)).body?.getReader();
  await expect.poll(() => [...mock.worlds.named()].map(([name]) => name), { interval: 200 }).toEqual(['watched']);
  await reader?.cancel();
});

// src/cli/hardness.test.ts shows that clients are sent elsewhere, and that requests in flight are finished.
describe.concurrent('a drain', () => {
  /** Resolves once the next request is handled. */
  const arrival = ({ world: { journal } }: RunningMock) =>
    new Promise<void>((resolve) => {
      const { begin } = journal;
      journal.begin = (request) => {
        resolve();
        return begin.call(journal, request);
      };
    });

  test('cuts off what is not finished by the deadline, and says so', async () => {
    const lines: string[] = [];
    const mock = await startMock({ log: (_level, line) => lines.push(line) });
    const arrived = arrival(mock);
    const hanging = fetch(`${mock.baseUrl}/v1/api-tokens/scopes`, { headers: { 'x-mock-fault': 'hang' } });
    hanging.catch(() => {});
    await arrived;
    await mock.close({ timeoutMs: 50 });
    await expect(hanging).rejects.toThrow('fetch failed');
    expect(lines).toEqual(['connections cut off, since their requests took too long: 1']);
  });

  test('does not wait for a connection on which nothing has come', async () => {
    const lines: string[] = [];
    const mock = await startMock({ log: (_level, line) => void lines.push(line) });
    const socket = connect(mock.port, mock.host);
    await new Promise((resolve) => socket.once('connect', resolve));
    await mock.close({ timeoutMs: 3_600_000 });
    expect([socket.bytesRead, lines]).toEqual([0, []]);
  });

  test('cuts off a connection on which TLS never begins', async () => {
    const mock = await startMock({ log: () => {}, tls: 'self-signed' });
    const socket = connect(mock.port, mock.host);
    await new Promise((resolve) => socket.once('connect', resolve));
    // The first byte of a ClientHello.
    await new Promise<unknown>((written) => socket.write(Buffer.from([0x16]), written));
    await new Promise((done) => setTimeout(done, 50));
    await mock.close({ timeoutMs: 50 });
  });

  test('does not wait for a connection whose answer has left', async () => {
    const mock = await startMock({ log: () => {} });
    const arrived = arrival(mock);
    const answered = fetch(`${mock.baseUrl}/v1/api-tokens/scopes`, { headers: { 'x-mock-fault': 'delay;ms=400' } });
    await arrived;
    const [seen] = await Promise.all([answered, mock.close({ timeoutMs: 3_600_000 })]);
    expect(seen.status).toBe(401);
  });
});

async function raw(mock: TestMock, line: string, headers: Record<string, string>) {
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = await sendRaw(mock.mock.baseUrl, `${line} HTTP/1.1\r\n${lines.join('')}\r\n`, /never/);
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: body === '' ? undefined : JSON.parse(body) };
}
