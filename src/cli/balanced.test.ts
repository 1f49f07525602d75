// The topology of compose.yaml without containers: nginx with docs/deploy/nginx.conf in front of mocks.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callerOf } from '../testing/client.ts';
import { runHere, startServer } from '../testing/command.ts';
import { hasNginx, startNginx } from '../testing/gateway.ts';
import { noRedis, RedisServer } from '../testing/redis.ts';

const scopes = '/v1/api-tokens/scopes';
const token = 'token-of-the-operator';
const serve = ['serve', '--control-token', token, '--cors', 'https://app.example.test'];

type Server = Awaited<ReturnType<typeof startServer>>;

// CI must have it.
const skipped = !hasNginx && process.env.CI !== 'true';
describe.skipIf(skipped)('behind nginx (skipped where it is not installed)', () => {
  let redis: RedisServer | undefined;
  let mocks: Server[];
  let nginx: Awaited<ReturnType<typeof startNginx>>;
  beforeAll(async () => {
    redis = noRedis === undefined ? await RedisServer.start() : undefined;
    const flags = redis ? ['--store', redis.url] : [];
    mocks = await Promise.all([1, 2, 3].map(() => startServer(['serve', '--drain-delay', '500', ...flags])));
    // Without a store each has its own world: one mock with three names.
    nginx = await startNginx(mocks.map(({ baseUrl }) => (redis ? baseUrl : (mocks[0]?.baseUrl ?? ''))));
  });
  afterAll(async () => {
    await nginx?.[Symbol.asyncDispose]();
    for (const mock of mocks) await mock.end();
    await redis?.[Symbol.asyncDispose]();
  });

  test('the replicas conform, each request at the next one, and describe themselves by the address that clients know', async () => {
    const { code, stdout } = await runHere(['verify', '--base-url', nginx.baseUrl, '--concurrency', '4']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('conforms')]);
    expect(await (await fetch(`${nginx.baseUrl}/_mock/target`)).json()).toMatchObject({ baseUrl: nginx.baseUrl });
    // What is about one process is not shown.
    for (const [path, status] of Object.entries({ 'health/ready': 200, metrics: 404, 'health/live': 404 }))
      expect((await fetch(`${nginx.baseUrl}/_mock/${path}`)).status, path).toBe(status);
  });

  test('events come at once, and large bodies get the answer of the mock', async () => {
    const aborted = new AbortController();
    const events = await fetch(`${nginx.baseUrl}/~box/_mock/journal/events`, { signal: aborted.signal });
    const reader = events.body?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string>).getReader();
    await fetch(`${nginx.baseUrl}/~box${scopes}`);
    let text = '';
    while (!text.includes('event: entry')) text += (await reader?.read())?.value ?? '';
    expect(text).toContain(scopes);
    aborted.abort();
    const json = { email: 'x'.repeat(11_000_000) };
    const large = await callerOf(nginx.baseUrl)('POST /v1/auth/login', { json });
    expect([large.status, large.basis]).toEqual([413, expect.stringMatching(/^assumed/)]);
  });
});

test.skipIf(skipped)('replicas behind nginx end in turn, and no request fails that can be repeated', async () => {
  const mocks = await Promise.all([1, 2, 3].map(() => startServer([...serve, '--drain-delay', '1000'])));
  await using nginx = await startNginx(mocks.map(({ baseUrl }) => baseUrl));
  const [read, sent]: [number[], number[]] = [[], []];
  let isOver = false;
  const call = callerOf(nginx.baseUrl);
  const client = async () => {
    // Twenty more with a single replica left.
    for (let more = 20; more > 0; more -= isOver ? 1 : 0) {
      read.push((await call(`GET ${scopes}`)).status);
      sent.push((await call('POST /v1/auth/sso', { json: {} })).status);
    }
  };
  const clients = [client(), client(), client(), client()];
  for (const mock of mocks.slice(0, 2)) expect((await mock.end('SIGTERM')).code).toBe(0);
  isOver = true;
  await Promise.all(clients);
  expect(new Set(read)).toEqual(new Set([401]));
  // HTTP lets a server close a connection while a request arrives, and nginx does not repeat requests that may write. On a
  // machine that halts for a second that may happen at each connection: as many as there are clients, at each server.
  const failed = sent.filter((status) => status !== 400);
  expect(new Set(failed)).toEqual(failed.length > 0 ? new Set([502]) : new Set());
  expect(failed.length).toBeLessThanOrEqual(clients.length * 2);
  expect((await mocks[2]?.end())?.code).toBe(0);
});
