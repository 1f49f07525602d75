// Shapes that a profile writes out: what the mock takes and answers under them.
import { describe, expect, test } from 'vitest';
import { answersFrom } from './core/profiles/load.ts';
import { defaultAnswers, type GapAnswers, type GapId, gapLedger, type Json } from './core/spec/gaps.ts';
import type { ErrorShape, Shape } from './core/spec/json.ts';
import { resolve } from './core/spec/resolve.ts';
import { shapeSchema } from './core/spec/shape.ts';
import { TestMock } from './testing/client.ts';

const login = { login: 'ada@analytical.example', secret: 'ada-password' };

async function withAnswers(answers: Partial<GapAnswers>, use: (mock: TestMock) => Promise<void>): Promise<void> {
  await using mock = await TestMock.withoutPort({ profile: { answers } });
  await use(mock);
  expect(mock.world.ownViolations).toBe(0);
}

describe('errors', () => {
  const nest: ErrorShape = {
    template: { message: '${message}', error: '${title}', statusCode: '${status}' },
    cases: [
      { for: ['missing-credentials', 403], template: { message: '${title}', statusCode: '${status}' } },
      { for: ['validation'], template: { message: ['${detail}'], error: '${title}', statusCode: '${status}' } },
    ],
  };

  test('kinds and statuses have their own shape (NestJS)', () =>
    withAnswers({ 'error-body': nest }, async (mock) => {
      const { body: missing } = await mock.call('PATCH /v1/echo/recordings/rec_kickoff', { json: {} });
      expect(missing).toEqual({ message: 'Unauthorized', statusCode: 401 });
      const foreign = await mock.update({ title: 'x' }, { user: 'usr_charles' });
      expect(foreign.body).toEqual({ message: 'Forbidden', statusCode: 403 });
      const invalid = await mock.update({ title: 5 });
      expect(invalid.body).toEqual({
        message: ['must be string'],
        error: 'Bad Request',
        statusCode: 400,
      });
      const unknown = await mock.call('GET /v1/nothing');
      expect(unknown.body).toEqual({
        message: expect.stringContaining('/v1/nothing'),
        error: 'Not Found',
        statusCode: 404,
      });
    }));

  test.each<[string, ErrorShape, string, unknown]>([
    [
      'fields as names',
      { template: { errors: { '${field}': ['${detail}'] } } },
      'application/json',
      {
        errors: { title: ['must be string'] },
      },
    ],
    ['plain text', { template: '${status} ${title}', mediaType: 'text/plain' }, 'text/plain', '400 Bad Request'],
    [
      'the request',
      { template: { at: '${method} ${path}', when: '${time}', no: '${statusText}' } },
      'application/json',
      {
        at: 'PATCH /v1/echo/recordings/rec_kickoff',
        when: expect.stringMatching(/^\d{4}-/),
        no: '400',
      },
    ],
  ])('%s', (_what, shape, mediaType, expected) =>
    withAnswers({ 'error-body': shape }, async (mock) => {
      const { body, headers } = await mock.update({ title: 5 });
      expect(headers.get('content-type')).toBe(`${mediaType}; charset=utf-8`);
      expect(body).toEqual(expected);
    }),
  );

  test('fields as names, where no field is wrong: the body as a whole', () =>
    withAnswers({ 'error-body': { template: { '${field}': ['${detail}'] } } }, async (mock) => {
      const { status, body } = await mock.call('POST /v1/auth/sso');
      expect({ status, body }).toEqual({ status: 400, body: { body: [expect.stringContaining('body')] } });
    }));

  test('no body at all', () =>
    withAnswers({ 'error-body': { template: null } }, async (mock) => {
      const { status, body, basis, headers } = await mock.call('GET /v1/nothing');
      expect({ status, body, type: headers.get('content-type') }).toEqual({ status: 404, body: '', type: null });
      expect(basis).toBe('assumed; gaps=error-body,unknown-path-status');
    }));

  test('codes by kind; a kind that is not named keeps its own', () =>
    withAnswers({ 'error-codes': { 'missing-credentials': 'E-401' } }, async (mock) => {
      expect((await mock.call('PATCH /v1/echo/recordings/x', { json: {} })).body).toMatchObject({
        error: { code: 'E-401' },
      });
      expect((await mock.call('GET /v1/nothing')).body).toMatchObject({ error: { code: 'not_found' } });
    }));
});

describe('sign-in and tokens', () => {
  const answers: Partial<GapAnswers> = {
    'login-request': { template: { login: '${email}', secret: '${password}', 'client?': '${any}' } },
    'login-response': { template: { data: { jwt: '${accessToken}', till: '${expiresAt}' }, kind: 'Bearer' } },
    'refresh-request': { template: { grant_type: 'refresh_token', token: '${refreshToken}' } },
    'refresh-response': { template: { accessToken: '${accessToken}', user: '${user}' } },
    'pat-create-request': { template: { label: '${name}' } },
    'pat-create-response': { template: { data: { plain: '${token}', expires_at: '${expiresAt}', used: null } } },
    'scopes-response': { template: { data: [{ key: '${scope}' }], meta: { admin: '${isAdmin}' } } },
    'scope-values': ['read', 'admin:all'],
  };

  test('requests and answers are those of the profile', () =>
    withAnswers(answers, async (mock) => {
      const signedIn = await mock.call('POST /v1/auth/login', { json: login });
      expect(signedIn.body).toEqual({
        data: { jwt: expect.stringMatching(/^eyJ/), till: expect.stringMatching(/^\d{4}-/) },
        kind: 'Bearer',
      });
      expect((await mock.call('POST /v1/auth/login', { json: { ...login, secret: 'x' } })).status).toBe(401);
      const old = { email: login.login, password: login.secret };
      expect((await mock.call('POST /v1/auth/login', { json: old })).status).toBe(400);
      const refreshToken = (await mock.sso()).body as { refresh_token: string };
      const json = { grant_type: 'refresh_token', token: refreshToken.refresh_token };
      expect((await mock.call('POST /v1/auth/refresh', { json })).body).toEqual({
        accessToken: expect.stringMatching(/^eyJ/),
        user: expect.objectContaining({ id: 'usr_ada' }),
      });
      const token = await mock.token();
      const made = await mock.call('POST /v1/api-tokens', { token, json: { label: 'x' } });
      expect(made.body).toEqual({ data: { plain: expect.stringMatching(/^pat_\w+\./), expires_at: null, used: null } });
      expect((await mock.call('POST /v1/api-tokens', { token, json: { name: 'x' } })).status).toBe(400);
      expect((await mock.call('GET /v1/api-tokens/scopes', { token })).body).toEqual({
        data: [{ key: 'read' }, { key: 'admin:all' }],
        meta: { admin: true },
      });
      expect((await mock.call('GET /v1/api-tokens/scopes', { token: await mock.token('usr_charles') })).body).toEqual({
        data: [{ key: 'read' }],
        meta: { admin: false },
      });
    }));
});

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
  const { type, required, properties, items, $ref } = schema as Record<string, Json>;
  const inside = Object.entries((properties ?? {}) as Record<string, Json>).map(([name, one]) => [
    name,
    structure(one),
  ]);
  return JSON.parse(
    JSON.stringify({
      type,
      $ref,
      required: (required as string[] | undefined)?.length === 0 ? undefined : required,
      properties: Object.fromEntries(inside),
      items: items && structure(items),
    }),
  ) as Record<string, Json>;
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

test('every shape holds only placeholders that its gap has', () => {
  const shaped = gapLedger().gaps.filter(({ placeholders }) => placeholders);
  expect(shaped).toHaveLength(8);
  for (const { id, examples = [], shapes = {} } of shaped)
    for (const answer of [...examples, ...Object.values(shapes)])
      expect(() => answersFrom({ answers: { [id]: answer } })).not.toThrow();
});

test('records have the further members that the profile names, by the types of their values', () => {
  const extra = {
    TokenGrant: { scope: 'string' },
    Recording: { at: 'date-time', n: 'number', folder: 'null', tags: ['boolean'] },
  };
  return withAnswers({ 'extra-fields': extra, 'timestamp-form': { digits: 0, offset: '-03:30' } }, async (mock) => {
    expect((await mock.sso()).body).toMatchObject({ scope: 'text' });
    const { body } = await mock.update({ title: 'x' });
    expect(body).toMatchObject({ n: 0, folder: null, tags: [false] });
    const { at, updated_at } = body as { at: string; updated_at: string };
    expect(at).toBe(updated_at);
    expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-03:30$/);
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);
  });
});
