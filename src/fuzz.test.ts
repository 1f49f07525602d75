// Unexpected input: never a 5xx, nothing beyond the mock's own document, and what is refused changes nothing.
import fc from 'fast-check';
import { afterAll, afterEach, expect, test } from 'vitest';
import { ODD_NAMES, ODD_OBJECT } from '../contract-tests/testing/odd-json.ts';
import { type Call, TestMock } from './testing/client.ts';

const seed = 20_261_121;
const numRuns = 300;

const mock = await TestMock.start();
const token = await mock.token();
afterEach(async () => {
  for (const shown of ['journal', 'journal/har', 'profile'])
    expect((await mock.call(`GET /_mock/${shown}`)).status, shown).toBe(200);
});
afterAll(() => mock[Symbol.asyncDispose]());

async function holds(line: string, call: Call = {}): Promise<void> {
  const before = JSON.stringify(mock.world);
  const { status, basis } = await mock.call(line, call);
  expect(status).toBeLessThan(500);
  expect(basis).toMatch(/^(documented|assumed; gaps=[a-z,-]+)$/);
  if (status >= 400) expect(JSON.stringify(mock.world)).toBe(before);
  expect(mock.world.ownViolations).toBe(0);
  mock.world.reset();
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
  const property = fc.asyncProperty(line, json, (at, value) => holds(at, { token, json: value }));
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
    await holds(`${name} ${at.replaceAll(' ', '%20')}`, { token, ...(name === 'PATCH' && { json: {} }) });
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
    await holds(at, { token, json: {}, headers });
  });
  await fc.assert(property, { seed, numRuns });
});
