import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, IncomingMessage, type RequestListener, request, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { issueAccessToken } from '../core/operations/tokens.ts';
import { type Passed, startMock } from '../index.ts';
import { callerOf } from '../testing/client.ts';
import { listening, sendRaw } from '../testing/raw-client.ts';
import type { Observed } from './options.ts';
import { observed } from './record.ts';

const nowhere = 'http://127.0.0.1:1';
const far = 'http://api.invalid';
let asked: IncomingMessage[] = [];

const server = createServer((request, response) => {
  asked.push(request);
  if (request.url?.endsWith('/hangs')) return;
  if (request.url?.endsWith('/breaks')) return void request.socket.destroy();
  const to = new URL(request.url ?? '', 'http://x').searchParams.get('to');
  response.writeHead(to === null ? 200 : 302, {
    'Content-Type': 'text/plain',
    Connection: 'close',
    'X-Real': 'yes',
    'X-Mock-Basis': 'assumed',
    'Access-Control-Allow-Origin': 'https://app.example.test',
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': 'X-Total-Count',
    Vary: 'Accept-Encoding',
    'Set-Cookie': [
      'sid=1; Path=/base; Domain=api.example.test; Expires=Wed, 21 Oct 2099 07:28:00 GMT; HttpOnly',
      'theme=a; path=/base/v1',
      'elsewhere=b; Path=/basement',
    ],
    ...(to !== null && { Location: to.replace('HOST', request.headers.host ?? '') }),
  });
  response.write(`${request.method} `);
  request.pipe(response);
});
server.on('upgrade', (request, socket) => {
  asked.push(request);
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n${request.url} `);
  socket.pipe(socket);
});
const upstream = `${await listening(server)}/base`;
beforeEach(() => {
  asked = [];
});
afterEach(() => vi.restoreAllMocks());

test('what the mock does not know is answered by the upstream, and the rest by the mock', async () => {
  await using mock = await startMock({ upstream: { upstream } });
  const call = callerOf(mock.baseUrl);
  const { status, text, headers, basis } = await call('PUT /v1/echo/uploads?a=1', { raw: 'whole body' });
  expect([status, text, basis]).toEqual([200, 'PUT whole body', 'upstream']);
  expect([headers.get('x-real'), headers.get('x-mock-upstream-credential')]).toEqual(['yes', 'none']);
  expect(asked.map(({ url }) => url)).toEqual(['/base/v1/echo/uploads?a=1']);
  expect((await call('POST /v1/auth/sso', { json: {} })).basis).toMatch(/^assumed/);
  expect((await call('GET /_mock/nothing')).basis).toBe('control');
  const why = expect.stringContaining('Only the main world has the upstream.');
  expect(await call('GET /~one/v1/echo/uploads')).toMatchObject({ status: 404, text: why });
  expect(asked.length).toBe(1);
});

test.each([
  ['http://HOST/base/v1/there?a=1#b', '/v1/there?a=1#b'],
  ['https://HOST/base', '/'],
  ['/base/v1/there', '/v1/there'],
  ['there', '/v1/there'],
  ['http://HOST/basement', expect.stringMatching(/^http:.*\/basement$/)],
  ['http://HOST/base//evil.example', expect.stringMatching(/^http:/)],
  ['/outside', '/outside'],
  ['https://login.example.test/base/x', 'https://login.example.test/base/x'],
  ['http://[', 'http://['],
])('a redirect of the upstream to %s leads to %s', async (to, location) => {
  await using mock = await startMock({ upstream: { upstream } });
  const answer = await fetch(`${mock.baseUrl}/v1/from?to=${encodeURIComponent(to)}`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, location]);
});

test('the cookies of the upstream are for the mock, and recorded one by one', async () => {
  const passed: Passed[] = [];
  await using mock = await startMock({ upstream: { upstream }, record: (each) => void passed.push(each) });
  const answer = await fetch(`${mock.baseUrl}/v1/x`);
  const cookies = [
    'sid=1; Path=/; Expires=Wed, 21 Oct 2099 07:28:00 GMT; HttpOnly',
    'theme=a; path=/v1',
    'elsewhere=b; Path=/basement',
  ];
  expect(answer.headers.getSetCookie()).toEqual(cookies);
  await expect.poll(() => passed[0]?.responseHeaders['set-cookie']?.split('\n')).toEqual(cookies);
});

test('the mock decides which pages may call, not the upstream', async () => {
  const page = 'http://localhost:3000';
  await using mock = await startMock({ upstream: { upstream } });
  const wanted = { 'Access-Control-Request-Method': 'PURGE', 'Access-Control-Request-Headers': 'x-a' };
  const allowed = { 'access-control-allow-origin': page, 'access-control-allow-credentials': 'true' };
  const call = callerOf(mock.baseUrl);
  const preflight = await call('OPTIONS /v1/preflight', { headers: { Origin: page, ...wanted } });
  expect([preflight.status, preflight.basis]).toEqual([204, 'upstream']);
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    ...allowed,
    'access-control-allow-headers': 'x-a',
    'access-control-allow-methods': 'PURGE',
  });
  expect(asked).toEqual([]);

  const { headers } = await call('GET /v1/x', { headers: { Origin: page } });
  expect(Object.fromEntries(headers)).toMatchObject({
    ...allowed,
    'access-control-expose-headers': expect.stringMatching(/X-Mock-Basis.*, X-Total-Count$/),
    vary: 'Origin, Accept-Encoding',
  });
});

test("the upstream gets the client's token or the configured one, never the mock's", async () => {
  await using mock = await startMock({ upstream: { upstream }, controlToken: 'of-the-operator' });
  await using withToken = await startMock({ upstream: { upstream, token: 'for-upstream' } });
  const [user] = mock.world.store.users.all();
  if (!user) throw new Error('the world has no users');
  const token = issueAccessToken(mock.world, user);
  const credential = async (baseUrl: string, sent: string): Promise<unknown[]> => {
    const answer = await fetch(`${baseUrl}/v1/me`, { headers: { Authorization: sent } });
    return [answer.headers.get('x-mock-upstream-credential'), asked.at(-1)?.headers.authorization];
  };
  expect(await credential(mock.baseUrl, 'Bearer of-the-client')).toEqual(['client', 'Bearer of-the-client']);
  for (const own of [`Bearer ${token}`, 'Bearer of-the-operator', 'bearer  of-the-operator', 'of-the-operator'])
    expect(await credential(mock.baseUrl, own)).toEqual(['withheld', undefined]);
  expect(await credential(withToken.baseUrl, `Bearer ${token}`)).toEqual(['own', 'Bearer for-upstream']);
});

test('what goes wrong is said: 502 with the reason, 403 for a write to another host', async () => {
  for (const [to, line, status, text] of [
    [upstream, 'GET /hangs', 502, 'nothing came within 50 ms'],
    [upstream, 'GET /breaks', 502, 'closed the connection'],
    [nowhere, 'GET /x', 502, 'connection refused'],
    [far, 'DELETE /x', 403, '--allow-writes'],
  ] as const) {
    const limit = line === 'GET /hangs' ? { timeoutMs: 50 } : {};
    await using mock = await startMock({ upstream: { upstream: to, ...limit } });
    const message = expect.stringContaining(text);
    expect(await callerOf(mock.baseUrl)(line)).toMatchObject({ status, body: { error: { message } } });
  }
});

test('the address and not the name decides which upstream is written to', async () => {
  const { lookup } = dns;
  let address = '127.0.0.1';
  vi.spyOn(dns, 'lookup').mockImplementation(((host: string, options: dns.LookupOptions, done: never) => {
    if (host !== 'prod.localhost') return lookup(host, options as never, done);
    const found = options.all ? [[{ address, family: 4 }]] : [address, 4];
    (done as (error: null, ...found: unknown[]) => void)(null, ...found);
  }) as never);
  await using mock = await startMock({ upstream: { upstream: upstream.replace('127.0.0.1', 'prod.localhost') } });
  for (const [method, at, status, text] of [
    ['GET', '127.0.0.1', 200, /^GET $/],
    ['DELETE', '127.0.0.1', 200, /^DELETE $/],
    ['POST', '127.0.0.2', 502, /./],
    ['PATCH', '10.1.2.3', 403, /has the address 10\.1\.2\.3.*--allow-writes/],
  ] as const) {
    address = at;
    const seen = await callerOf(mock.baseUrl)(`${method} /v1/files`);
    expect(seen).toMatchObject({ status, text: expect.stringMatching(text) });
  }
  expect(asked.map(({ method }) => method)).toEqual(['GET', 'DELETE']);
});

test('a forwarded exchange is held back and reported like any other', async () => {
  const seen: Observed[] = [];
  const options = { upstream: { upstream }, latency: 60, observe: (each: Observed) => void seen.push(each) };
  await using mock = await startMock(options);
  const answer = await fetch(`${mock.baseUrl}/v1/files?a=1`, { method: 'PUT', body: 'whole' });
  expect(await answer.text()).toBe('PUT whole');
  await fetch(`${mock.baseUrl}/breaks`);
  await expect.poll(() => seen.length).toBe(2);
  expect(seen).toMatchObject([
    { method: 'PUT', url: '/v1/files?a=1', status: 200, basis: 'upstream', faults: [], delayMs: 60 },
    { method: 'GET', url: '/breaks', status: 502, basis: 'upstream' },
  ]);
  expect(seen[0]?.milliseconds).toBeGreaterThan(50);
});

test('what goes to the upstream is said by the control plane, and changed while the mock runs', async () => {
  await using mock = await startMock({ upstream: { upstream, mockOnly: ['login'] } });
  const answeredBy = async (path: string) => (await callerOf(mock.baseUrl)(`POST ${path}`)).basis;
  const shown = { url: upstream, allowsWrites: true, only: [], mockOnly: ['login'] };
  expect((await mock.control.GET('/info')).data.upstream).toEqual(shown);
  expect(await answeredBy('/v1/auth/sso')).toBe('upstream');
  const wrong = mock.control.PUT('/upstream', { body: { mockOnly: ['logn'] } });
  await expect(wrong).rejects.toThrow(/400 mockOnly: logn: unknown operation.*did you mean login/);
  expect(await answeredBy('/v1/auth/sso')).toBe('upstream');
  const rows: [object, boolean][] = [
    [{}, false],
    [{ only: ['/v1/*/login'] }, true],
    [{ only: ['/v1/admin/*', '/*'] }, true],
    [{ mockOnly: ['ssoLogin'] }, true],
    [{ mockOnly: ['login'] }, false],
    [{ mockOnly: ['login'], only: ['/v1/auth/l*'] }, true],
  ];
  for (const [body, isForwarded] of rows) {
    expect((await mock.control.PUT('/upstream', { body })).data).toMatchObject(body);
    expect([body, (await answeredBy('/v1/auth/login')) === 'upstream']).toEqual([body, isForwarded]);
  }
  const ofSandbox = { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '{"only":["/*"]}' };
  expect((await fetch(`${mock.baseUrl}/~one/_mock/upstream`, ofSandbox)).status).toBe(404);
  await using alone = await startMock();
  await expect(alone.control.PUT('/upstream', { body: {} })).rejects.toThrow(/404 No service is behind this mock/);
});

/** Asks for another protocol; returns everything received up to `until` or the end of the connection. */
const upgrade = (baseUrl: string, path: string, until = /frame!$/, { protocol = 'websocket', body = '' } = {}) => {
  const line = protocol === 'websocket' ? `GET ${path}` : `PATCH ${path}`;
  const length = protocol === 'websocket' ? '' : `Content-Length: ${body.length}\r\n`;
  const headers = `Host: localhost\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n${length}`;
  return sendRaw(baseUrl, `${line} HTTP/1.1\r\n${headers}\r\n${body || 'frame!'}`, until);
};

test('WebSockets go to the upstream, and are logged; other protocols are not taken up', async () => {
  const seen: Observed[] = [];
  await using mock = await startMock({ upstream: { upstream }, observe: (each) => void seen.push(each) });
  expect(await upgrade(mock.baseUrl, '/v1/live?a=1')).toMatch(
    /^HTTP\/1\.1 101 [\s\S]*\r\n\r\n\/base\/v1\/live\?a=1 frame!$/,
  );
  await expect.poll(() => seen.length).toBe(1);
  expect(seen).toMatchObject([{ method: 'GET', url: '/v1/live?a=1', status: 101, basis: 'upstream' }]);
  const h2c = { protocol: 'h2c', body: 'whole' };
  expect(await upgrade(mock.baseUrl, '/v1/echo/recordings/x', /\}$/, h2c)).toMatch(
    /^HTTP\/1\.1 401 [\s\S]*missing_credentials/,
  );
  expect(await upgrade(mock.baseUrl, '/v1/files', /whole/, h2c)).toMatch(/^HTTP\/1\.1 200 [\s\S]*PATCH [\s\S]*whole/);
  await using away = await startMock({ upstream: { upstream: far } });
  expect(await upgrade(away.baseUrl, '/v1/live')).toMatch(/^HTTP\/1\.1 403 [\s\S]*A WebSocket may change something/);
  await using gone = await startMock({ upstream: { upstream: nowhere } });
  expect(await upgrade(gone.baseUrl, '/v1/live')).toMatch(/^HTTP\/1\.1 502 [\s\S]*connection refused/);
});

test('closing the mock ends open WebSockets', async () => {
  const mock = await startMock({ upstream: { upstream } });
  const headers = { Connection: 'Upgrade', Upgrade: 'websocket' };
  const [{ statusCode }, socket] = await once(request(`${mock.baseUrl}/v1/live`, { headers }).end(), 'upgrade');
  const closed = new Promise((resolve) => socket.once('close', resolve).on('error', () => {}));
  await mock.close();
  await closed;
  expect(statusCode).toBe(101);
});

test('two mocks that are each other’s upstream end the loop', async () => {
  await using first = await startMock({ upstream: { upstream: nowhere } });
  await using second = await startMock({ upstream: { upstream: first.baseUrl } });
  const { port } = first;
  await first.close();
  await using again = await startMock({ port, upstream: { upstream: second.baseUrl } });
  expect((await fetch(`${again.baseUrl}/x`)).status).toBe(508);
});

test('what goes wrong in a recording reaches no request', async () => {
  const told: string[] = [];
  const log = (_level: string, message: string): void => void told.push(message);
  const atOnce = (): void => {
    throw new Error('at once');
  };
  const wrong = [() => Promise.reject(new Error('later')), atOnce];
  await using mock = await startMock({ log, record: () => wrong.pop()?.() });
  for (let at = 0; at < 2; at += 1) expect((await fetch(`${mock.baseUrl}/v1/nowhere`)).status).toBe(404);
  await expect.poll(() => told).toEqual(['recording failed: at once', 'recording failed: later']);
});

test('requests wait while 500 exchanges wait to be recorded, and none is lost', async () => {
  let [served, recorded, goOn] = [0, 0, (): void => {}];
  const isFree = new Promise<void>((done) => {
    goOn = done;
  });
  const answer: RequestListener = (_request, response) => {
    served += 1;
    response.emit('finish');
  };
  const record = () => isFree.then(() => (recorded += 1));
  const nothing = () => {};
  const listener = observed(answer, () => 'http://127.0.0.1/', record, nothing);
  for (let at = 0; at < 520; at += 1) {
    const request = new IncomingMessage(new Socket());
    listener(request, new ServerResponse(request) as Parameters<typeof listener>[1]);
  }
  expect(served).toBe(500);
  goOn();
  await expect.poll(() => [served, recorded]).toEqual([520, 520]);
});

test.each([
  ['OPTIONS *', 'h', 'http://h/*'],
  ['GET http://other.example.test/a', 'h', 'http://other.example.test/a'],
  ['GET http://[', 'h', 'http://h/http://['],
  ['GET /a', 'no host', 'http://localhost/a'],
])('%s with the host %s is recorded as %s', async (line, host, url) => {
  const passed: Passed[] = [];
  await using mock = await startMock({ record: (each) => void passed.push(each) });
  await sendRaw(mock.baseUrl, `${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, /never/);
  await expect.poll(() => passed.map((each) => each.url)).toEqual([url]);
  const { data } = await mock.control.GET('/journal/har');
  expect(JSON.stringify(data)).toContain(`"url":"${mock.baseUrl}/`);
});
