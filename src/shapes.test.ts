// Shapes that a profile writes out: what the mock takes and answers under them.
import { expect, test } from 'vitest';
import { answersFrom } from './core/profiles/load.ts';
import { defaultAnswers, type GapAnswers, type GapId, type Json } from './core/spec/gaps.ts';
import type { ErrorShape, Shape } from './core/spec/json.ts';
import { resolve } from './core/spec/resolve.ts';
import { shapeSchema } from './core/spec/shape.ts';
import { patch, type Seen, TestMock } from './testing/client.ts';

async function withAnswers(answers: Partial<GapAnswers>, use: (mock: TestMock) => Promise<void>): Promise<void> {
  await using mock = await TestMock.withoutPort({ profile: { answers } });
  await use(mock);
  expect(mock.world.ownViolations).toBe(0);
}

const nest: ErrorShape = {
  template: { message: '${message}', error: '${title}', statusCode: '${status}' },
  cases: [
    { for: ['missing-credentials', 403], template: { message: '${title}', statusCode: '${status}' } },
    { for: ['validation'], template: { message: ['${detail}'], error: '${title}', statusCode: '${status}' } },
  ],
};
const asked: ErrorShape = { template: { at: '${method} ${path}', when: '${time}', no: '${statusText}' } };
const ofFields: ErrorShape = { template: { '${field}': ['${detail}'] } };
const aboutField: ErrorShape = { template: { error: { param: '${field}', note: '${title}' } } };
const listed: ErrorShape = { template: [{ at: '/${field}', detail: '${detail}' }] };
const text: ErrorShape = { template: '${status} ${title}', mediaType: 'text/plain' };
const notJson = expect.stringContaining('it is not JSON');
const time = expect.stringMatching(/^\d{4}-/);

const anonymous = (mock: TestMock) => mock.call(patch, { json: {} });
const foreign = (mock: TestMock) => mock.update({ title: 'x' }, { user: 'usr_charles' });
const invalid = (mock: TestMock) => mock.update({ title: 5 });
const malformed = (mock: TestMock) =>
  mock.call('POST /v1/auth/sso', { raw: '{', headers: { 'content-type': 'application/json' } });
const empty = (mock: TestMock) => mock.call('POST /v1/auth/sso');
const unknown = (mock: TestMock) => mock.call('GET /v1/nothing');

test.each<[string, ErrorShape, (mock: TestMock) => Promise<Seen>, unknown, mediaType?: string]>([
  ['a kind has its own (NestJS)', nest, anonymous, { message: 'Unauthorized', statusCode: 401 }],
  ['so has a status', nest, foreign, { message: 'Forbidden', statusCode: 403 }],
  ['a list', nest, invalid, { message: ['must be string'], error: 'Bad Request', statusCode: 400 }],
  ['the others', nest, unknown, { message: expect.stringContaining('/v1/'), error: 'Not Found', statusCode: 404 }],
  ['no field is wrong', ofFields, empty, { body: [expect.stringContaining('body')] }],
  ['a required member (Stripe)', aboutField, malformed, { error: { param: 'body', note: 'Bad Request' } }],
  ['a field of one that is wrong', aboutField, invalid, { error: { param: 'title', note: 'Bad Request' } }],
  ['an item is about a field', listed, malformed, [{ at: '/body', detail: notJson }]],
  ['plain text', text, invalid, '400 Bad Request', 'text/plain'],
  ['the request', asked, invalid, { at: patch, when: time, no: '400' }],
])('the shape of errors: %s', (_what, shape, send, expected, mediaType = 'application/json') =>
  withAnswers({ 'error-body': shape }, async (mock) => {
    const { body, headers } = await send(mock);
    expect([headers.get('content-type'), body]).toEqual([`${mediaType}; charset=utf-8`, expected]);
  }),
);

test('errors without a body', () =>
  withAnswers({ 'error-body': { template: null } }, async (mock) => {
    const { status, body, basis, headers } = await unknown(mock);
    expect([status, body, headers.get('content-type')]).toEqual([404, '', null]);
    expect(basis).toBe('assumed; gaps=error-body,unknown-path-status');
  }));

test('only errors with a code rest on how codes are written', () => {
  const cases = [{ for: [404], template: { detail: '${message}' } }];
  return withAnswers({ 'error-body': { template: { code: '${code}' }, cases } }, async (mock) => {
    expect((await unknown(mock)).basis).toBe('assumed; gaps=error-body,unknown-path-status');
    expect((await anonymous(mock)).basis).toBe('assumed; gaps=error-body,error-codes,missing-credentials-status');
  });
});

test('codes by kind; a kind that is not named keeps its own code', () =>
  withAnswers({ 'error-codes': { 'missing-credentials': 'E-401' } }, async (mock) => {
    expect((await anonymous(mock)).body).toMatchObject({ error: { code: 'E-401' } });
    expect((await unknown(mock)).body).toMatchObject({ error: { code: 'not_found' } });
  }));

test('the shape of each default answer is the one that openapi.yaml spells out', () => {
  const schemas = resolve(defaultAnswers()).components.schemas;
  const spelledOut: Partial<Record<GapId, string>> = {
    'login-request': 'LoginRequest',
    'refresh-request': 'RefreshRequest',
    'refresh-response': 'TokenPair',
    'pat-create-request': 'ApiTokenRequest',
    'pat-create-response': 'ApiTokenAnswer',
    'scopes-response': 'TokenScopes',
    'error-body': 'Error',
  };
  for (const [gap, name] of Object.entries(spelledOut)) {
    const derived = shapeSchema(gap as GapId, defaultAnswers());
    expect({ gap, ...structure(derived as Json) }).toEqual({ gap, ...structure(schemas[name] as Json) });
  }
});

/** Names and types only. */
function structure(schema: Json): Record<string, Json> {
  const { type, required = [], properties, items, $ref } = schema as Record<string, Json>;
  const inside = Object.entries((properties ?? {}) as Record<string, Json>);
  const named = Object.fromEntries(inside.map(([name, one]) => [name, structure(one)]));
  return JSON.parse(
    JSON.stringify({ type: [type].flat(), $ref, required, properties: named, items: items && structure(items) }),
  );
}

test('a placeholder that the gap does not have is refused, and the right one is named', () => {
  const shape: Shape = { template: { access: '${acessToken}' } };
  expect(() => answersFrom({ answers: { 'login-response': shape } })).toThrow(
    /answers\.login-response: \$\{acessToken\} is not known here; allowed: .*did you mean accessToken/,
  );
  expect(() => answersFrom({ answers: { 'error-body': { shape: 1 } as unknown as Shape } })).toThrow(
    'is not an answer',
  );
});
