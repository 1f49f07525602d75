import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readRunInput } from '../run-input.ts';
import { type Style, startSecondImplementation } from '../second-implementation/server.ts';
import { recordApp } from '../testing/app-traffic.ts';
import { learnHar } from './learn-har.ts';
import { HarFile } from './write-har.ts';

const folder = mkdtempSync(join(tmpdir(), 'learn-har-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const nextFile = (): string => {
  files += 1;
  return join(folder, `${files}.har`);
};

/** What the recording of an app shows of a server in a style. */
async function learned(style: Partial<Style>) {
  const file = nextFile();
  const server = await startSecondImplementation({ style: { targetAdmin: ['sso', 'login'], ...style } });
  await recordApp(server, file).finally(() => server.close());
  const given = { name: 'known', answers: { 'scopes-path': server.style.scopesPath } };
  return learnHar(file, { ...readRunInput({}), given });
}

test('what an app shows is learned, each answer with entries that show it; the rest is not claimed', async () => {
  const { answers, gaps, conflicts } = await learned({ unknownFields: 'ignore' });
  expect(answers).toMatchInlineSnapshot(`
    {
      "access-token-lifetime": 900,
      "error-body": "detail",
      "extra-fields": {
        "Recording": {
          "_links": {
            "self": {
              "href": "string",
            },
          },
          "duration_seconds": "number",
          "folder": "null",
          "revision": "number",
        },
        "TenantApiKey": {
          "has_secret": "boolean",
          "key_hint": "string",
          "secret_length": "number",
          "secret_rotated_at": "date-time",
          "secret_version": "number",
          "tokens": "number",
          "usage": [
            "number",
          ],
        },
        "TokenGrant": {
          "scope": "string",
          "session_state": "string",
        },
        "User": {
          "avatar": "null",
          "locale": "string",
          "tenant": {
            "id": "string",
          },
        },
      },
      "invalid-credentials-status": 401,
      "key-status-values": [
        "außer Betrieb (100%)",
        "in use",
        "rotation due & locked",
      ],
      "login-request": "username-password",
      "login-response": {
        "template": {
          "accessToken": "\${accessToken}",
          "expiresIn": "\${expiresIn}",
          "refreshToken": "\${refreshToken}",
          "tokenType": "Bearer",
        },
      },
      "missing-credentials-status": 403,
      "pat-create-response": {
        "template": {
          "data": {
            "created_at": "\${createdAt}",
            "id": "\${id}",
            "name": "\${name}",
            "plain_text_token": "\${token}",
          },
        },
      },
      "pat-prefix": "echo",
      "provider-values": [
        "aleph_alpha",
        "cohere",
        "llama3",
        "mistral",
        "qwen-max",
        "searx",
        "voxtral",
      ],
      "scopes-path": "/v1/token-scopes",
      "success-codes": {
        "createApiToken": 200,
        "login": 200,
        "ssoLogin": 201,
      },
      "timestamp-form": {
        "digits": 6,
        "offset": "+02:00",
      },
      "unknown-field": "ignore",
    }
  `);
  expect(conflicts).toEqual([]);
  for (const { id, evidence, outcome } of gaps) {
    expect(outcome !== 'undetermined', id).toBe(id in answers);
    if (id in answers) expect(evidence?.[0]).toMatch(/^entry \d+ \(\d{4}-.*\): (GET|POST|PATCH) \/\S* -> \d{3}$/);
  }
});

interface Call {
  request: [method: string, path: string, body?: unknown, token?: string];
  answer: [status: number, body: unknown];
}

/** What a recording of these exchanges shows. */
async function shownBy(...calls: Call[]) {
  const file = nextFile();
  const har = new HarFile(file);
  calls.forEach(({ request: [method, path, body, token], answer: [status, answered] }, at) => {
    har.add({
      method,
      url: `http://api.example.test${path}`,
      httpVersion: 'HTTP/1.1',
      requestHeaders: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      requestBody: Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)),
      status,
      statusText: '',
      responseHeaders: { 'content-type': 'application/json' },
      responseBody: Buffer.from(JSON.stringify(answered)),
      startedAt: Date.parse('2026-03-01T12:00:00Z') + at * 1000,
      durationMs: 1,
    });
  });
  await har.close();
  const { answers } = await learnHar(file, readRunInput({}));
  return answers;
}

const user = (administrator: boolean) => ({ id: 'u', administrator, created_at: '2026-01-01T00:00:00.123456+00:00' });
const grant = (token: string, refresh: string, administrator = true) => ({
  access_token: token,
  refresh_token: refresh,
  token_type: 'bearer',
  expires_in: 900,
  user: user(administrator),
});
const sso = (token: string, refresh: string, administrator?: boolean): Call => ({
  request: ['POST', '/v1/auth/sso', { oid: 'o', tid: 't', upn: token }],
  answer: [200, grant(token, refresh, administrator)],
});
const exchange = (refresh: string, status: number, body: unknown): Call => ({
  request: ['POST', '/v1/auth/renew', { refreshToken: refresh }],
  answer: [status, body],
});
const recording = '/v1/echo/recordings/r';

test.each<[string, Call[], Record<string, unknown>]>([
  [
    'an exchange of a refresh token',
    [sso('access-one', 'refresh-one'), exchange('refresh-one', 200, { access_token: 'access-two' })],
    { 'refresh-path': '/v1/auth/renew', 'refresh-request': 'camel-body', 'timestamp-form': 'offset-micros' },
  ],
  [
    'one that is refused the second time',
    [
      sso('access-one', 'refresh-one'),
      exchange('refresh-one', 200, { access_token: 'access-two', refresh_token: 'refresh-two' }),
      exchange('refresh-one', 401, {}),
    ],
    { 'refresh-rotation': 'rotate' },
  ],
  [
    'one that works the second time',
    [
      sso('access-one', 'refresh-one'),
      exchange('refresh-one', 200, { access_token: 'access-two' }),
      exchange('refresh-one', 200, { access_token: 'access-three' }),
    ],
    { 'refresh-rotation': 'reuse' },
  ],
  [
    'somebody who is no administrator',
    [
      sso('of-member', 'r', false),
      { request: ['GET', '/v1/admin/tenants/t/api-keys', undefined, 'of-member'], answer: [403, {}] },
    ],
    { 'forbidden-status': 403 },
  ],
  [
    'updates that are refused',
    [
      { request: ['PATCH', recording, {}, 'x'], answer: [422, {}] },
      { request: ['PATCH', recording, { title: 7 }, 'x'], answer: [422, {}] },
      { request: ['PATCH', recording, { analysis: 'text' }, 'x'], answer: [422, {}] },
    ],
    { 'empty-update': 'refuse', 'wrong-type': 'refuse', 'validation-status': 422 },
  ],
  [
    'updates that are accepted',
    [
      { request: ['PATCH', recording, { other: 1 }, 'x'], answer: [200, { status: 'completed', updated_at: '1' }] },
      { request: ['PATCH', recording, {}, 'x'], answer: [200, { status: 'completed', updated_at: '2' }] },
      { request: ['PATCH', recording, { title: 7 }, 'x'], answer: [200, { title: '7' }] },
    ],
    { 'empty-update': 'accept', 'wrong-type': 'coerce', 'unknown-field': 'ignore' },
  ],
  [
    'what is no JSON, and a method that there is not',
    [
      { request: ['POST', '/v1/auth/sso', '{"oid": "'], answer: [400, {}] },
      { request: ['GET', '/v1/auth/sso'], answer: [405, {}] },
    ],
    { 'malformed-json-status': 400, 'method-status': 405 },
  ],
])('%s is seen', async (_, calls, expected) => expect(await shownBy(...calls)).toMatchObject(expected));

test('what may have another cause is not claimed', async () => {
  const answers = await shownBy(
    sso('of-admin', 'r'),
    // The recording may have moved on by itself.
    { request: ['PATCH', recording, { summary: 's' }, 'x'], answer: [200, { status: 'pending', updated_at: '1' }] },
    { request: ['PATCH', recording, {}, 'x'], answer: [200, { status: 'processing', updated_at: '2' }] },
    // An administrator may be refused for the tenant.
    { request: ['GET', '/v1/admin/tenants/t/api-keys', undefined, 'of-admin'], answer: [403, {}] },
    { request: ['PATCH', recording, { title: 7, summary: 's' }, 'x'], answer: [422, {}] },
  );
  for (const gap of ['empty-update', 'forbidden-status', 'wrong-type', 'rate-limit'])
    expect(answers).not.toHaveProperty(gap);
});
