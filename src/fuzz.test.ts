// Unexpected input, and answers to different gaps in any mix: never a 5xx, nothing beyond the mock's own document, and what is refused changes
// nothing.
import { en, Faker } from '@faker-js/faker';
import fc from 'fast-check';
import { afterAll, afterEach, expect, test } from 'vitest';
import { ODD_NAMES, ODD_OBJECT } from '../contract-tests/testing/odd-json.ts';
import { answersToTry, type GapAnswers, gapLedger } from './core/spec/gaps.ts';
import { type Call, TestMock } from './testing/client.ts';

const seed = 20_261_121;
const numRuns = 300;

const mock = await TestMock.start();
const token = await mock.token();
afterEach(async () => {
  for (const shown of ['journal', 'journal/har', 'gaps'])
    expect((await mock.call(`GET /_mock/${shown}`)).status, shown).toBe(200);
});
afterAll(() => mock[Symbol.asyncDispose]());

/** @returns the status */
async function holds(at: TestMock, line: string, call: Call = {}): Promise<number> {
  const before = JSON.stringify(at.world);
  const { status, basis } = await at.call(line, call);
  expect(status).toBeLessThan(500);
  expect(basis).toMatch(/^(documented|assumed; gaps=[a-z,-]+)$/);
  if (status >= 400) expect(JSON.stringify(at.world)).toBe(before);
  expect(at.world.ownViolations).toBe(0);
  at.world.reset();
  return status;
}

const names = 'title summary analysis kb_folder_id status oid tid upn email password name scopes refresh_token';
const fieldName = fc.oneof(fc.constantFrom(...names.split(' ')), fc.constantFrom(...ODD_NAMES), fc.string());
const odd = fc.dictionary(fieldName, fc.oneof(fc.constant(ODD_OBJECT), fc.jsonValue()), { maxKeys: 6 });
const json = fc.oneof(odd, fc.record({ analysis: odd }), fc.jsonValue());
const update = 'PATCH /v1/echo/recordings/rec_kickoff';
const line = fc.constantFrom(
  update,
  ...['auth/sso', 'auth/login', 'auth/refresh', 'api-tokens'].map((path) => `POST /v1/${path}`),
);

test('any JSON at any operation', async () => {
  const property = fc.asyncProperty(
    line,
    json,
    async (at, value) => void (await holds(mock, at, { token, json: value })),
  );
  await fc.assert(property, { seed, numRuns });
});

test('any path, escaped or not', async () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }).map(encodeURIComponent),
    fc.stringMatching(/^[A-Za-z0-9%~._:;,=&?[\]*()$@!+'-]{0,20}$/),
  );
  const path = fc.oneof(
    fc
      .constantFrom(...ODD_NAMES)
      .map((name) => `/v1/admin/tenants/ten_analytical/api-keys?${name}=1&${name}[${name}]=1`),
    part.map((id) => `/v1/echo/recordings/${id}`),
    part.map((id) => `/v1/admin/tenants/${id}/api-keys`),
    part.map((text) => `/v1/admin/tenants/ten_analytical/api-keys?${text}`),
    fc.constantFrom(...ODD_NAMES).map((name) => `/v1/echo/recordings/${name}`),
    part.map((text) => `/${text}`),
    part.map((text) => `/~x${text}/v1/nothing`),
  );
  const method = fc.constantFrom('GET', 'PATCH', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS');
  const property = fc.asyncProperty(method, path, async (name, at) => {
    // fetch resolves these away before they are sent.
    fc.pre(!/\/\.{0,2}(\/|$|\?)|%2e/i.test(at));
    await holds(mock, `${name} ${at.replaceAll(' ', '%20')}`, { token, ...(name === 'PATCH' && { json: {} }) });
  });
  await fc.assert(property, { seed, numRuns });
});

test('any header values', async () => {
  const text = fc.stringMatching(/^[\x21-\x7e]([\x20-\x7e]{0,60}[\x21-\x7e])?$/);
  const odds = fc.constantFrom(
    ...ODD_NAMES.flatMap((name) => [name, `code=${name}`, `x=1;${name}=1`, `${name}:${name}.a=1`]),
  );
  const value = fc.oneof(text, odds);
  const headerNames = 'authorization content-type prefer x-mock-fault accept content-encoding origin accept-charset';
  const given = fc.dictionary(fc.constantFrom(...headerNames.split(' ')), value);
  const property = fc.asyncProperty(line, given, async (at, headers) => {
    await holds(mock, at, { token, json: {}, headers });
  });
  await fc.assert(property, { seed, numRuns });
});

const faker = new Faker({ locale: en, seed });
const draw = (): Partial<GapAnswers> =>
  Object.fromEntries(
    gapLedger()
      .gaps.filter(({ id }) => id !== 'body-size-limit')
      .map((gap) => [gap.id, faker.helpers.arrayElement(answersToTry(gap))]),
  );
const mixes = Array.from({ length: 15 }, (_, at) => ({ at, answers: draw() }));

test.each(mixes)('the mix of answers $at', async ({ answers }) => {
  await using mixed = await TestMock.withoutPort({ profile: { answers } });
  const calls: [string, Call?][] = [];
  for (const user of ['usr_ada', 'usr_charles', 'usr_grace', 'usr_mary']) {
    const { access_token: own } = (await mixed.sso(user)).body as { access_token?: string };
    const bodies = [{ title: 'x' }, {}, { title: 7 }, { summary: null }, { analysis: { a: 1 } }, { colour: 1 }, []];
    for (const body of bodies) calls.push([update, { token: own, json: body }]);
    for (const tenant of ['ten_analytical', 'ten_flowmatic', 'none'])
      for (const query of ['', '?provider=x', '?limit=1&offset=1', '?limit=x', '?colour=1'])
        calls.push([`GET /v1/admin/tenants/${tenant}/api-keys${query}`, { token: own }]);
    calls.push([`GET ${mixed.world.answers.get('scopes-path')}`, { token: own }]);
  }
  calls.push(['POST /v1/auth/sso', { json: { oid: 'o', tid: 't', upn: 'x@y.example' } }]);
  for (const body of [{ email: 'ada@analytical.example', username: 'ada', password: 'ada-password' }, {}, 1])
    calls.push(['POST /v1/auth/login', { json: body }]);
  const admin = await mixed.token();
  for (const body of [{ name: 'x', scopes: ['a'] }, {}, undefined])
    calls.push(['POST /v1/api-tokens', { token: admin, json: body }]);
  calls.push(['GET /v1/nothing'], ['PUT /v1/auth/sso', { raw: '{' }]);
  const { refresh_token: refresh } = (await mixed.sso()).body as { refresh_token: string };
  const refreshing = { token: refresh, json: { refresh_token: refresh, refreshToken: refresh } };
  // The first one: a reset forgets its token.
  calls.unshift([`POST ${mixed.world.answers.get('refresh-path')}`, refreshing]);

  const statuses: number[] = [];
  for (const call of calls) statuses.push(await holds(mixed, ...call));
  expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(8);
});
