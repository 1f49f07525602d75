import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Passed, type RunningMock, startMock } from '../index.ts';
import { listening } from '../testing/raw-client.ts';

const page = 'http://localhost:3000';
let mock: RunningMock;
let asked: string[];
const passed: Passed[] = [];

beforeAll(async () => {
  asked = [];
  const server = createServer(({ method, url, headers }, response) => {
    asked.push(`${method} ${url}`);
    const to = new URL(url ?? '', 'http://x').searchParams.get('to');
    response.writeHead(to === null ? 403 : 302, {
      'Access-Control-Allow-Origin': 'https://app.example.test',
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Expose-Headers': 'X-Total-Count',
      Vary: 'Accept-Encoding',
      'Set-Cookie': [
        'sid=1; Path=/base; Domain=api.example.test; Expires=Wed, 21 Oct 2099 07:28:00 GMT; HttpOnly',
        'theme=a; path=/base/v1',
        'elsewhere=b; Path=/basement',
      ],
      ...(to !== null && { Location: to.replace('HOST', headers.host ?? '') }),
    });
    response.end();
  });
  mock = await startMock({
    upstream: { upstream: `${await listening(server)}/base/` },
    record: (each) => void passed.push(each),
  });
});
afterAll(() => mock.close());

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
  const answer = await fetch(`${mock.baseUrl}/v1/from?to=${encodeURIComponent(to)}`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, location]);
});

test('its cookies are for the mock, and recorded one by one', async () => {
  passed.length = 0;
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
  const preflight = await fetch(`${mock.baseUrl}/v1/preflight`, {
    method: 'OPTIONS',
    headers: { Origin: page, 'Access-Control-Request-Method': 'PURGE', 'Access-Control-Request-Headers': 'x-a' },
  });
  expect([preflight.status, Object.fromEntries(preflight.headers)]).toEqual([
    204,
    expect.objectContaining({
      'access-control-allow-origin': page,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'x-a',
      'access-control-allow-methods': 'PURGE',
      'x-mock-basis': 'upstream',
    }),
  ]);
  expect(asked).not.toContain('OPTIONS /base/v1/preflight');

  const { headers } = await fetch(`${mock.baseUrl}/v1/x`, { headers: { Origin: page } });
  expect(Object.fromEntries(headers)).toMatchObject({
    'access-control-allow-origin': page,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': expect.stringMatching(/X-Mock-Basis.*, X-Total-Count$/),
    vary: 'Origin, Accept-Encoding',
  });
});
