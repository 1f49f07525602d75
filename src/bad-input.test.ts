// Any bytes at any endpoint: a clear 4xx in the profile's error shape, never a 5xx, and nothing has changed.
import { afterAll, describe, expect, test } from 'vitest';
import { apiFor } from './core/api.ts';
import type { GapAnswers } from './core/spec/gaps.ts';
import { type Call, keys, patch, TestMock } from './testing/client.ts';
import { sendRaw } from './testing/raw-client.ts';

const json = (value: unknown): Call => ({ json: value });
const raw = (text: string | Uint8Array): Call => ({ raw: text });
const typed = (type: string): Call => ({ raw: '{"title":"x"}', headers: { 'content-type': type } });
const authorized = (authorization: string): Call => ({ headers: { authorization } });

const deepAnalysis = `{"analysis":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`;
const tenMegabytes = { title: 'x'.repeat(10_000_000) };
const millionScopes = `{"name":"x","scopes":[${'"s",'.repeat(200_000)}"s"]}`;
const wrongPassword = { email: 'ada@analytical.example', password: 'x' };

type Row = readonly [name: string, status: number, call?: Call];

const updates: readonly Row[] = [
  ['a truncated body', 400, raw('{"title":')],
  ['bytes that are no UTF-8', 400, raw(Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d))],
  ['no body', 400],
  ['an empty body', 400, raw('')],
  ['null', 400, raw('null')],
  ['an array', 400, raw('[]')],
  ['title null', 400, json({ title: null })],
  ['title an array', 400, json({ title: ['x'] })],
  ['analysis an array', 400, json({ analysis: [] })],
  ['analysis a string', 400, json({ analysis: 'x' })],
  ['one good and one bad field', 400, json({ title: 'x', summary: 7 })],
  ['100,000 open brackets', 400, raw('['.repeat(100_000))],
  ['deep analysis', 400, raw(deepAnalysis)],
  ['ten megabytes', 413, json(tenMegabytes)],
  ['an unknown encoding', 415, { raw: '{}', headers: { 'content-encoding': 'zip' } }],
  ['text/plain', 415, typed('text/plain')],
  ['UTF-16', 415, typed('application/json; charset=utf-16')],
  ['an empty media type', 415, typed(' ')],
  ['a nonsense media type', 415, typed(';;=;,')],
  ['a status that cannot be preferred', 400, { json: {}, headers: { prefer: 'code=200abc' } }],
];

const ids: readonly Row[] = [
  ['none', 404],
  ['a%2Fb%2F..%2Fc', 404],
  ['%F0%9F%8E%A4', 404],
  ['%00', 404],
  ['a'.repeat(8000), 404],
  ['__proto__', 404],
  ['%', 400],
  ['%ff', 400],
];

/** By a caller who has signed in. */
const lines: readonly Row[] = [
  ['GET /v1/admin/tenants/constructor/api-keys', 404],
  [`${keys}?provider=x`, 400],
  [`${keys}?provider=`, 400],
  [`${keys}?provider=openai&provider=google`, 400],
  [`${keys}?provider[a]=openai`, 400],
  ['POST /v1/api-tokens', 400, json({ name: '' })],
  ['POST /v1/api-tokens', 400, raw(millionScopes)],
  ['GET /v1/nothing', 404],
  ['GET /', 404],
  ['POST /V1/auth/sso', 404, json({})],
  ['POST /v1/auth/sso/', 404, json({})],
  ['GET /~/v1/nothing', 404],
  ['GET /~a%20b/v1/nothing', 404],
  ['PROPFIND /v1/auth/sso', 405],
  ['DELETE /v1/echo/recordings/rec_kickoff', 405],
  ['HEAD /v1/auth/sso', 405],
];

/** Without credentials, or with bad ones. */
const anonymous: readonly Row[] = [
  ['POST /v1/auth/sso', 400, json({ oid: 1, tid: 't', upn: 'u' })],
  ['POST /v1/auth/sso', 401, json({ oid: 'o', tid: 't', upn: 'u' })],
  ['POST /v1/auth/login', 401, json(wrongPassword)],
  ['POST /v1/auth/refresh', 401, json({ refresh_token: 'x' })],
  [keys, 401],
  [keys, 401, authorized('Bearer ')],
  [keys, 401, authorized('Basic YTpi')],
  [keys, 401, authorized('xbearer abc')],
  [keys, 401, { token: `${'a'.repeat(5000)}.${'b'.repeat(5000)}` }],
];

const short = (text: string): string => text.slice(0, 60);
type Bad = [name: string, line: string, status: number, call: Call | undefined, isAnonymous: boolean];
const named = ([line, status, call]: Row, isAnonymous = false): Bad => {
  const name = `${short(line)} with ${short(JSON.stringify(call ?? 'nothing'))}`;
  return [name, line, status, call, isAnonymous];
};
const requests: Bad[] = [
  ...updates.map(([name, status, call]): Bad => [`an update with ${name}`, patch, status, call, false]),
  ...ids.map(([id, status]) => named([`PATCH /v1/echo/recordings/${id}`, status, json({})])),
  ...lines.map((row) => named(row)),
  ...anonymous.map((row) => named(row, true)),
];

const profiles: readonly Partial<GapAnswers>[] = [
  {},
  { 'error-body': 'problem', 'error-codes': 'upper-snake' },
  { 'error-body': 'errors-list', 'unknown-field': 'refuse', 'unknown-query': 'refuse' },
];

describe.each(profiles)('under %j', async (answers) => {
  const mock = await TestMock.start({ profile: { answers } });
  const token = await mock.token();
  afterAll(() => mock[Symbol.asyncDispose]());

  test.each(requests)('%s', async (_name, line, status, call, isAnonymous) => {
    const before = JSON.stringify(mock.world);
    const seen = await mock.call(line, isAnonymous ? call : { token, ...call });

    expect(seen.status).toBe(status);
    expect(JSON.stringify(mock.world)).toBe(before);
    expect(seen.basis).toMatch(/^assumed; gaps=[a-z,-]+$/);
    const mediaType = answers['error-body'] === 'problem' ? 'application/problem+json' : 'application/json';
    expect(seen.headers.get('content-type')).toContain(mediaType);
    if (!line.startsWith('HEAD')) {
      const { violation } = await apiFor(mock.world.answers);
      expect(violation({ status: seen.status, mediaType, body: seen.body }, undefined, false)).toBeUndefined();
    }
    expect(mock.world.ownViolations).toBe(0);
  });
});

/** For what is odd but right. What is no HTTP: src/malformed.test.ts. */
const mock = await TestMock.start();
const token = await mock.token();
afterAll(() => mock[Symbol.asyncDispose]());

const accepted: readonly (readonly [name: string, raw: string, type?: string])[] = [
  ['__proto__ as a key', '{"title":"T","__proto__":{"status":"failed"},"constructor":{"prototype":{}}}'],
  ['a key twice', '{"title":"first","title":"T"}'],
  ['a byte order mark', '\ufeff{"title":"T"}'],
  ['a charset', '{"title":"T"}', 'Application/JSON;charset=UTF-8'],
  ['a media type parameter', '{"title":"T"}', 'application/json; version=1'],
];
test.each(accepted)('%s is taken', async (_name, raw, type = 'application/json') => {
  const { status, body } = await mock.call(patch, { token, raw, headers: { 'content-type': type } });
  expect({ status, body }).toMatchObject({ status: 200, body: { title: 'T', status: 'completed' } });
  expect(({} as { status?: string }).status).toBeUndefined();
});

const authorization = `Authorization: Bearer ${token}\r\n`;
test.each([
  ['a body where none is read does not matter', 200, 'Content-Type: text/plain\r\nContent-Length: 2\r\n', '{}'],
  ['two Authorization headers are refused', 401, authorization, ''],
  ['two Authorization headers are refused by the control plane', 403, authorization, '', '/_mock/info'],
])('%s: %i', async (_name, status, headers, body, path = '/v1/api-tokens/scopes') => {
  const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${authorization}${headers}`;
  expect(await sendRaw(mock.mock.baseUrl, `${head}\r\n${body}`, /never/)).toMatch(`HTTP/1.1 ${status} `);
});
