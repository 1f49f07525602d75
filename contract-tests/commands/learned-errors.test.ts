/** What is learned can be served: a mock with the learned profile refuses as the deployment does. */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { startSecondImplementation } from '../../fixtures/servers/second/server.ts';
import { resolveStyle } from '../../fixtures/servers/second/styles.ts';
import { targetOf } from '../../src/control/target.ts';
import { startMock } from '../../src/index.ts';
import { learnAt, learnedAs } from '../testing/judge.ts';
import { withoutWaiting } from '../wire/time.ts';
import { keepServed } from './learn.ts';

const JSON_TYPE = 'application/json';
const bodies: readonly (readonly [type: string | undefined, text: string | undefined])[] = [
  [JSON_TYPE, '{"oid": "'],
  [JSON_TYPE, '{"title": 1,}'],
  [JSON_TYPE, '{}}'],
  [JSON_TYPE, '{"title":"x"'],
  [JSON_TYPE, '[]'],
  [JSON_TYPE, '"text"'],
  [JSON_TYPE, 'null'],
  [JSON_TYPE, '{"oid":1,"tid":2,"upn":3,"email":4,"username":4,"password":5,"name":6,"scopes":7,"title":8}'],
  ['text/plain', '{}'],
  ['application/x-www-form-urlencoded', 'oid=1&title=2'],
  ['multipart/form-data; boundary=x', '--x--'],
  [undefined, '{}'],
];

/** 87 requests of all kinds, each as `METHOD path`, headers and body. */
function requestsTo(
  { refreshPath, scopesPath }: { refreshPath: string; scopesPath: string },
  ids: Partial<Ids>,
  token: string,
) {
  const update = `PATCH /v1/echo/recordings/${ids.recordingId}`;
  const keys = `GET /v1/admin/tenants/${ids.tenantId}/api-keys`;
  const withBody = ['POST /v1/auth/sso', 'POST /v1/auth/login', `POST ${refreshPath}`, 'POST /v1/api-tokens', update];
  const good = { authorization: `Bearer ${token}` };
  const bad: Record<string, string>[] = [
    {},
    { authorization: 'Bearer garbage' },
    { authorization: 'Basic eDp5' },
    { authorization: `Bearer ${token}x` },
  ];
  const request = (line: string, headers: Record<string, string>, body?: string) => ({ line, headers, body });
  return [
    ...withBody.flatMap((line) =>
      bodies.map(([type, text]) => request(line, { ...good, ...(type && { 'content-type': type }) }, text)),
    ),
    ...['POST /v1/api-tokens', update, keys, `GET ${scopesPath}`].flatMap((line) =>
      bad.map((headers) =>
        request(line, { 'content-type': JSON_TYPE, ...headers }, line.startsWith('GET') ? undefined : '{}'),
      ),
    ),
    ...withBody.map((line) => request(line.replace(/^\w+/, 'DELETE'), good)),
    ...['GET /v1/unknown', 'POST /v1/unknown/path', `${keys}?provider=nonesuch`].map((line) => request(line, good)),
    request('GET /v1/admin/tenants/unknown/api-keys', good),
    request('PATCH /v1/echo/recordings/unknown', { ...good, 'content-type': JSON_TYPE }, '{"title":"x"}'),
    request(update, { ...good, 'content-type': JSON_TYPE }, '{"unknown":1,"title":"x"}'),
  ];
}
type Ids = { recordingId: string; tenantId: string };
type Request = ReturnType<typeof requestsTo>[number];

/** Names and types of all that an answer holds; members that are lists of texts are named after fields. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  const members = Object.entries(value).map(([name, inside]) => {
    const isField = name !== 'loc' && Array.isArray(inside) && typeof inside[0] === 'string';
    return [isField ? 'field' : name, shapeOf(inside)];
  });
  return Object.fromEntries(members);
}

async function answerOf(baseUrl: string, { line, headers, body }: Request) {
  const [method = '', path] = line.split(' ');
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers,
    body: body ? new TextEncoder().encode(body) : null,
  });
  const shape = answer.ok ? undefined : shapeOf(await answer.json());
  return { status: answer.status, type: answer.headers.get('content-type')?.split(';')[0], shape };
}

async function tokenAt(baseUrl: string, claims: unknown): Promise<string> {
  const headers = { 'content-type': JSON_TYPE };
  const answer = await fetch(`${baseUrl}/v1/auth/sso`, { method: 'POST', headers, body: JSON.stringify(claims) });
  return ((await answer.json()) as { access_token: string }).access_token;
}

const usual = { ...resolveStyle('fastify').statuses, validation: 422, foreignRecording: 403 };

test.each([
  ['fastapi', JSON_TYPE, { ...usual, malformed: 422, mediaType: 422 }],
  ['laravel', JSON_TYPE, usual],
  ['spring', JSON_TYPE, { ...usual, validation: 400 }],
  ['rfc9457', 'application/problem+json', usual],
] as const)('the mock refuses as the deployment does from which it learned: %s', async (shape, type, statuses) => {
  const style = { ...resolveStyle('fastify'), statuses, errorShape: shape, errorContentType: type };
  await using server = await startSecondImplementation({ style: { ...style, unknownProvider: statuses.validation } });
  const observed = await withoutWaiting(server.pass, () => learnAt(server.target));
  await using mock = await startMock({ port: 0, profile: { answers: observed.answers } });
  expect(await keepServed(observed, mock.baseUrl)).toEqual(observed);
  const requestsAt = async (baseUrl: string, actors: { admin?: { sso?: object } }, resources: Partial<Ids>) =>
    requestsTo(style, resources, await tokenAt(baseUrl, actors.admin?.sso));
  const described = targetOf(mock.world, mock.baseUrl);
  const atMock = await requestsAt(mock.baseUrl, described.actors, described.resources);
  const different: string[] = [];
  for (const [at, request] of (
    await requestsAt(server.baseUrl, server.target.actors, server.target.resources)
  ).entries()) {
    const theirs = await answerOf(server.baseUrl, request);
    const ours = await answerOf(mock.baseUrl, atMock[at] ?? request);
    if (!isDeepStrictEqual(theirs, ours)) different.push(request.line);
  }
  expect(atMock).toHaveLength(87);
  // It takes a refresh token of a wrong type for a wrong one.
  expect(different).toEqual([`POST ${style.refreshPath}`]);
});

test('what a mock does not give back is left open, with the reason', async () => {
  await using mock = await startMock({ port: 0 });
  const learned = learnedAs({ 'error-body': 'detail', 'validation-status': 400, 'empty-update': 'refuse' });
  const { answers, gaps: kept } = await keepServed(learned, mock.baseUrl);
  expect(answers).toEqual({ 'validation-status': 400, 'empty-update': 'refuse' });
  const reason = '"detail" was observed and cannot be served: the mock that serves it answers "error-object"';
  expect(kept[0]).toMatchObject({ id: 'error-body', outcome: 'undetermined', reason });
});
