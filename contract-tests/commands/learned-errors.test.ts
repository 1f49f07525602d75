/** What is learned can be served: a mock with the learned profile refuses as the deployment does. */
import { expect, test } from 'vitest';
import { startSecondImplementation } from '../../fixtures/servers/second/server.ts';
import { resolveStyle } from '../../fixtures/servers/second/styles.ts';
import { targetOf } from '../../src/control/target.ts';
import { startMock } from '../../src/index.ts';
import { type Call, callerOf, field } from '../../src/testing/client.ts';
import type { Target } from '../session/target-file.ts';
import { learnAt } from '../testing/judge.ts';
import { withoutWaiting } from '../wire/time.ts';

const json = (raw: string): Call => ({ raw });
const typed = (type: string, text: string): Call => ({
  raw: new TextEncoder().encode(text),
  headers: { 'content-type': type },
});
const bodies: readonly Call[] = [
  ...['{"oid": "', '{"title": 1,}', '{}}', '{"title":"x"', '[]', '"text"', 'null'].map(json),
  json(
    '{"oid":1,"tid":2,"upn":3,"email":4,"username":4,"password":5,"name":6,"scopes":7,"title":8,"refresh_token":"x"}',
  ),
  typed('text/plain', '{}'),
  typed('application/x-www-form-urlencoded', 'oid=1&title=2'),
  typed('multipart/form-data; boundary=x', '--x--'),
  typed('', '{}'),
];
const statuses = { ...resolveStyle('fastify').statuses, validation: 422, foreignRecording: 403 };
const style = { ...resolveStyle('fastify'), statuses, unknownProvider: statuses.validation };

/** Names and types of all that a body holds; members that are lists of texts are named after fields. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  const members = Object.entries(value).map(([name, inside]) => {
    const isField = Array.isArray(inside) && typeof inside[0] === 'string';
    return [isField ? 'field' : name, shapeOf(inside)];
  });
  return Object.fromEntries(members);
}

/** How 87 requests of all kinds are answered. */
async function answersOf({ baseUrl, actors, resources }: Omit<Target, 'profile'>) {
  const call = callerOf(baseUrl);
  const token = String(field((await call('POST /v1/auth/sso', { json: actors?.admin?.sso })).body, 'access_token'));
  const update = `PATCH /v1/echo/recordings/${resources?.recordingId}`;
  const keys = `GET /v1/admin/tenants/${resources?.tenantId}/api-keys`;
  const signIns = ['POST /v1/auth/sso', 'POST /v1/auth/login', `POST ${style.refreshPath}`];
  const withBody = [...signIns, 'POST /v1/api-tokens', update];
  const known = { token };
  const credentials = [undefined, 'Bearer garbage', 'Basic eDp5', `Bearer ${token}x`];
  const calls: readonly Call[] = credentials.map((authorization) => ({
    ...(authorization && { headers: { authorization } }),
  }));
  const requests: (readonly [line: string, call: Call])[] = [
    ...withBody.flatMap((line) => bodies.map((each) => [line, { ...known, ...each }] as const)),
    ...['POST /v1/api-tokens', update].flatMap((line) => calls.map((each) => [line, { ...each, json: {} }] as const)),
    ...[keys, `GET ${style.scopesPath}`].flatMap((line) => calls.map((each) => [line, each] as const)),
    ...withBody.map((line) => [line.replace(/^\w+/, 'DELETE'), known] as const),
    ...['GET /v1/unknown', 'POST /v1/unknown/path', `${keys}?provider=nonesuch`].map((line) => [line, known] as const),
    ['GET /v1/admin/tenants/unknown/api-keys', known],
    ['PATCH /v1/echo/recordings/unknown', { ...known, json: { title: 'x' } }],
    [update, { ...known, json: { unknown: 1, title: 'x' } }],
  ];
  expect(requests).toHaveLength(87);
  const answers = [];
  for (const [line, sent] of requests) {
    const { status, headers, body } = await call(line, sent);
    const type = headers.get('content-type')?.split(';')[0];
    const path = line.replace(/(recordings|tenants)\/[^/]+/, '$1/ID');
    answers.push({ path, status, type, shape: status < 300 || shapeOf(body) });
  }
  return answers;
}

test.each([
  ['laravel', 'application/json'],
  ['rfc9457', 'application/problem+json'],
] as const)('the mock refuses as the deployment from which it learned: %s', async (errorShape, errorContentType) => {
  await using server = await startSecondImplementation({ style: { ...style, errorShape, errorContentType } });
  const { answers } = await withoutWaiting(server.pass, () => learnAt(server.target));
  await using mock = await startMock({ port: 0, profile: { answers } });
  expect(await answersOf(targetOf(mock.world, mock.baseUrl))).toEqual(await answersOf(server.target));
});
