import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSecondImplementation } from '../../fixtures/servers/second/server.ts';
import { readRunInput } from '../commands/run-input.ts';
import { sameAnswer } from '../session/gap-answers.ts';
import { loadGaps } from '../spec-data.ts';
import { recordApp } from '../testing/app-traffic.ts';
import { withFiles } from '../testing/fixtures.ts';
import { testFolder } from '../testing/folder.ts';
import { harOf } from '../testing/har-of.ts';
import { learn } from '../testing/judge.ts';
import { learnHar } from './recorded.ts';

const folder = testFolder();
let files = 0;
const nextFile = (): string => {
  files += 1;
  return join(folder, `${files}.har`);
};

test('an app shows what a run would learn, each answer with entries that show it; the rest is not claimed', async () => {
  const server = await startSecondImplementation({ style: { targetAdmin: ['sso', 'login'], unknownFields: 'ignore' } });
  const file = nextFile();
  await recordApp(server, file);
  const given = { name: 'known', answers: { 'scopes-path': server.style.scopesPath } };
  const { answers, gaps } = await learnHar(file, { ...readRunInput({}), given });
  const live = await withFiles({ 'target.yaml': server.target }, (path) => learn({ target: path('target.yaml') }));
  await server.close();
  const different = loadGaps().filter(
    (gap) => gap.id in answers && gap.id in live.answers && !sameAnswer(gap, answers[gap.id], live.answers[gap.id]),
  );
  // The app logs in as well.
  expect(different.map(({ id }) => id)).toEqual(['success-codes']);
  const shown =
    'access-token-lifetime error-body extra-fields invalid-credentials-status key-status-values login-request login-response ' +
    'missing-credentials-status pat-create-response pat-prefix provider-values scopes-path success-codes timestamp-form unknown-field';
  expect(Object.keys(answers).toSorted().join(' ')).toBe(shown);
  const headersRemoved = nextFile();
  const har = readFileSync(file, 'utf8');
  writeFileSync(
    headersRemoved,
    har.replaceAll(/\{\s*"name":\s*"content-type",\s*"value":\s*"[^"]*"\s*\}/gi, '{"name":"x","value":""}'),
  );
  expect((await learnHar(headersRemoved, { ...readRunInput({}), given })).answers).toEqual(answers);
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
  const exchanges = calls.map(({ request: [method, path, body, token], answer: [status, answered] }, at) => ({
    method,
    url: `http://api.example.test${path}`,
    requestHeaders: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    requestBody: Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)),
    status,
    responseHeaders: { 'content-type': 'application/json' },
    responseBody: Buffer.from(JSON.stringify(answered)),
    startedAt: Date.parse('2026-03-01T12:00:00Z') + at * 1000,
  }));
  await harOf(file, exchanges);
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
