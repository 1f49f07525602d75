// Any bytes at any endpoint: a clear 4xx in the profile's error shape, never a 5xx, and nothing has changed.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiFor } from './core/api.ts';
import type { GapAnswers } from './core/spec/gaps.ts';
import type { RunningMock } from './index.ts';
import { type Call, TestMock } from './testing/client.ts';
import { sendRaw } from './testing/raw-client.ts';

const patch = 'PATCH /v1/echo/recordings/rec_kickoff';
const keys = 'GET /v1/admin/tenants/ten_analytical/api-keys';

interface Bad {
  readonly name: string;
  readonly line: string;
  readonly call?: Call;
  readonly status: number;
  /** Without credentials. */
  readonly anonymous?: true;
}

const typed = (type: string): Call => ({ raw: '{"title":"x"}', headers: { 'content-type': type } });
const encoded = (encoding: string, raw: string | Uint8Array): Call => ({
  raw,
  headers: { 'content-encoding': encoding },
});

const requests: readonly Bad[] = [
  { name: 'a truncated body', line: patch, call: { raw: '{"title":' }, status: 400 },
  { name: 'bytes that are no UTF-8', line: patch, call: { raw: Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d) }, status: 400 },
  { name: 'single quotes', line: patch, call: { raw: "{'title':'x'}" }, status: 400 },
  { name: 'a comment', line: patch, call: { raw: '{} // yes' }, status: 400 },
  { name: 'NaN', line: patch, call: { raw: '{"title":NaN}' }, status: 400 },
  { name: 'no body', line: patch, status: 400 },
  { name: 'an empty body', line: patch, call: { raw: '' }, status: 400 },
  { name: 'null', line: patch, call: { raw: 'null' }, status: 400 },
  { name: 'a string', line: patch, call: { raw: '"x"' }, status: 400 },
  { name: 'a number', line: patch, call: { raw: '7' }, status: 400 },
  { name: 'true', line: patch, call: { raw: 'true' }, status: 400 },
  { name: 'an array', line: patch, call: { raw: '[]' }, status: 400 },
  { name: 'an array of objects', line: patch, call: { raw: '[{"title":"x"}]' }, status: 400 },
  { name: 'title null', line: patch, call: { json: { title: null } }, status: 400 },
  { name: 'title an array', line: patch, call: { json: { title: ['x'] } }, status: 400 },
  { name: 'title an object', line: patch, call: { json: { title: {} } }, status: 400 },
  { name: 'analysis an array', line: patch, call: { json: { analysis: [] } }, status: 400 },
  { name: 'analysis a string', line: patch, call: { json: { analysis: 'x' } }, status: 400 },
  { name: 'one good and one bad field', line: patch, call: { json: { title: 'x', summary: 7 } }, status: 400 },
  { name: '100,000 open brackets', line: patch, call: { raw: '['.repeat(100_000) }, status: 400 },
  {
    name: 'deep analysis',
    line: patch,
    call: { raw: `{"analysis":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}` },
    status: 400,
  },
  { name: 'ten megabytes', line: patch, call: { json: { title: 'x'.repeat(10_000_000) } }, status: 413 },
  {
    name: 'a small body that unpacks to ten megabytes',
    line: patch,
    call: encoded('gzip', gzipSync(JSON.stringify({ title: 'x'.repeat(10_000_000) }))),
    status: 413,
  },
  { name: 'gzip that is none', line: patch, call: encoded('gzip', 'not gzip'), status: 400 },
  { name: 'an unknown encoding', line: patch, call: encoded('zip', '{}'), status: 415 },
  { name: 'text/plain', line: patch, call: typed('text/plain'), status: 415 },
  { name: 'a form', line: patch, call: typed('application/x-www-form-urlencoded'), status: 415 },
  { name: 'multipart', line: patch, call: typed('multipart/form-data; boundary=x'), status: 415 },
  { name: 'UTF-16', line: patch, call: typed('application/json; charset=utf-16'), status: 415 },
  { name: 'an empty media type', line: patch, call: typed(' '), status: 415 },
  { name: 'a nonsense media type', line: patch, call: typed(';;=;,'), status: 415 },
  { name: 'an unknown recording', line: 'PATCH /v1/echo/recordings/none', call: { json: {} }, status: 404 },
  {
    name: 'an id with escaped slashes',
    line: 'PATCH /v1/echo/recordings/a%2Fb%2F..%2Fc',
    call: { json: {} },
    status: 404,
  },
  { name: 'a Unicode id', line: 'PATCH /v1/echo/recordings/%F0%9F%8E%A4', call: { json: {} }, status: 404 },
  { name: 'a null byte in the id', line: 'PATCH /v1/echo/recordings/%00', call: { json: {} }, status: 404 },
  {
    name: 'an id of 8,000 characters',
    line: `PATCH /v1/echo/recordings/${'a'.repeat(8000)}`,
    call: { json: {} },
    status: 404,
  },
  {
    name: 'an id that is a property of every object',
    line: 'PATCH /v1/echo/recordings/__proto__',
    call: { json: {} },
    status: 404,
  },
  {
    name: 'a tenant id that is a property of every object',
    line: 'GET /v1/admin/tenants/constructor/api-keys',
    status: 404,
  },
  { name: 'a broken percent escape', line: 'PATCH /v1/echo/recordings/%', call: { json: {} }, status: 400 },
  { name: 'a percent escape that is no UTF-8', line: 'PATCH /v1/echo/recordings/%ff', call: { json: {} }, status: 400 },
  { name: 'an unknown provider', line: `${keys}?provider=x`, status: 400 },
  { name: 'an empty provider', line: `${keys}?provider=`, status: 400 },
  { name: 'two providers', line: `${keys}?provider=openai&provider=google`, status: 400 },
  { name: 'a provider that is an object', line: `${keys}?provider[a]=openai`, status: 400 },
  { name: 'two statuses', line: `${keys}?status=a&status=b`, status: 400 },
  {
    name: 'a claim of a wrong type',
    line: 'POST /v1/auth/sso',
    call: { json: { oid: 1, tid: 't', upn: 'u' } },
    status: 400,
    anonymous: true,
  },
  {
    name: 'unknown claims',
    line: 'POST /v1/auth/sso',
    call: { json: { oid: 'o', tid: 't', upn: 'u' } },
    status: 401,
    anonymous: true,
  },
  {
    name: 'a wrong password',
    line: 'POST /v1/auth/login',
    call: { json: { email: 'ada@analytical.example', password: 'x' } },
    status: 401,
    anonymous: true,
  },
  {
    name: 'an unknown refresh token',
    line: 'POST /v1/auth/refresh',
    call: { json: { refresh_token: 'x' } },
    status: 401,
    anonymous: true,
  },
  { name: 'a PAT without a name', line: 'POST /v1/api-tokens', call: { json: { name: '' } }, status: 400 },
  {
    name: 'a PAT with a million scopes',
    line: 'POST /v1/api-tokens',
    call: { raw: `{"name":"x","scopes":[${'"s",'.repeat(200_000)}"s"]}` },
    status: 400,
  },
  { name: 'an unknown path', line: 'GET /v1/nothing', status: 404 },
  { name: 'the root', line: 'GET /', status: 404 },
  { name: 'another case', line: 'POST /V1/auth/sso', call: { json: {} }, status: 404 },
  { name: 'a slash at the end', line: 'POST /v1/auth/sso/', call: { json: {} }, status: 404 },
  { name: 'a sandbox with no name', line: 'GET /~/v1/nothing', status: 404 },
  { name: 'a sandbox with a bad name', line: 'GET /~a%20b/v1/nothing', status: 404 },
  { name: 'an unknown method', line: 'PROPFIND /v1/auth/sso', status: 405 },
  { name: 'a method that the path does not have', line: 'DELETE /v1/echo/recordings/rec_kickoff', status: 405 },
  { name: 'HEAD where there is no GET', line: 'HEAD /v1/auth/sso', status: 405 },
  { name: 'no credentials', line: keys, status: 401, anonymous: true },
  {
    name: 'an empty bearer token',
    line: keys,
    call: { headers: { authorization: 'Bearer ' } },
    status: 401,
    anonymous: true,
  },
  {
    name: 'basic credentials',
    line: keys,
    call: { headers: { authorization: 'Basic YTpi' } },
    status: 401,
    anonymous: true,
  },
  {
    name: 'a scheme that only contains bearer',
    line: keys,
    call: { headers: { authorization: 'xbearer abc' } },
    status: 401,
    anonymous: true,
  },
  {
    name: 'a bearer token of 10,000 characters',
    line: keys,
    call: { token: `${'a'.repeat(5000)}.${'b'.repeat(5000)}` },
    status: 401,
    anonymous: true,
  },
  {
    name: 'a status that cannot be preferred',
    line: patch,
    call: { json: {}, headers: { prefer: 'code=200abc' } },
    status: 400,
  },
];

const profiles: readonly { readonly name: string; readonly answers: Partial<GapAnswers> }[] = [
  { name: 'default', answers: {} },
  { name: 'problem details', answers: { 'error-body': 'problem', 'error-codes': 'upper-snake' } },
  { name: 'strict', answers: { 'error-body': 'errors-list', 'unknown-field': 'refuse', 'unknown-query': 'refuse' } },
];

describe.each(profiles)('under $name', ({ answers }) => {
  let mock: TestMock<RunningMock>;
  let token: string;
  beforeAll(async () => {
    mock = await TestMock.start({ profile: { answers } });
    token = await mock.token();
  });
  afterAll(() => mock[Symbol.asyncDispose]());

  test.each(requests)('$name: $status', async ({ line, call, status, anonymous }) => {
    const before = JSON.stringify(mock.world);
    const seen = await mock.call(line, anonymous ? call : { token, ...call });

    expect(seen.status).toBe(status);
    expect(JSON.stringify(mock.world)).toBe(before);
    expect(seen.basis).toMatch(/^assumed; gaps=[a-z,-]+$/);
    const mediaType = answers['error-body'] === 'problem' ? 'application/problem+json' : 'application/json';
    expect(seen.headers.get('content-type')).toContain(mediaType);
    if (!line.startsWith('HEAD')) {
      const { rules } = await apiFor(mock.world.answers);
      expect(rules.violation({ status: seen.status, mediaType, body: seen.body }, undefined, false)).toBeUndefined();
    }
    expect(mock.world.ownViolations).toBe(0);
  });
});

describe('odd but right', () => {
  let mock: TestMock<RunningMock>;
  let token: string;
  beforeAll(async () => {
    mock = await TestMock.start();
    token = await mock.token();
  });
  afterAll(() => mock[Symbol.asyncDispose]());

  const accepted: readonly { readonly name: string; readonly call: Call }[] = [
    {
      name: '__proto__ as a key',
      call: { raw: '{"title":"T","__proto__":{"status":"failed"},"constructor":{"prototype":{}}}' },
    },
    { name: 'a key twice', call: { raw: '{"title":"first","title":"T"}' } },
    { name: 'a byte order mark', call: { raw: '\ufeff{"title":"T"}' } },
    {
      name: 'a charset',
      call: { raw: '{"title":"T"}', headers: { 'content-type': 'Application/JSON;charset=UTF-8' } },
    },
    {
      name: 'a media type parameter',
      call: { raw: '{"title":"T"}', headers: { 'content-type': 'application/json; version=1' } },
    },
    { name: 'gzip', call: encoded('gzip', gzipSync('{"title":"T"}')) },
  ];
  test.each(accepted)('$name is taken', async ({ call }) => {
    const { status, body } = await mock.call(patch, { token, ...call });
    expect({ status, body }).toMatchObject({ status: 200, body: { title: 'T', status: 'completed' } });
    expect(({} as { status?: string }).status).toBeUndefined();
  });

  test.each(['', ' ', 'Zoë 🎤 \u0000 \u202e', '<script>alert(1)</script>', 'x'.repeat(100_000), '\ud800'])(
    'the title %j is kept exactly',
    async (title) => {
      const { body } = await mock.call(patch, { token, json: { title } });
      expect(body).toMatchObject({ title });
      expect((await mock.call(patch, { token, json: {} })).body).toMatchObject({ title });
    },
  );

  test('a body where none is read does not matter', async () => {
    const text = '{"name":"x"}';
    const request = `GET /v1/api-tokens/scopes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: text/plain\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`;
    expect(await sendRaw(mock.mock.baseUrl, request, /never/)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('two Authorization headers are refused', async () => {
    const request = `${keys} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(mock.mock.baseUrl, request, /never/)).toMatch(/^HTTP\/1\.1 401 /);
  });

  test.each([
    'GARBAGE\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: x\r\nA: ${'b'.repeat(100_000)}\r\n\r\n`,
    'GET / HTTP/1.1\r\n\r\n',
  ])('what is no HTTP gets a 4xx (%#)', async (request) => {
    const answer = await sendRaw(mock.mock.baseUrl, request, /never/);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  });
});
