// Unexpected input: generated requests never get a 5xx, and refused ones change nothing.
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { type Call, TestMock } from './testing/client.ts';

const mock = await TestMock.start();
const token = await mock.token();
afterAll(() => mock[Symbol.asyncDispose]());

async function holds(line: string, call: Call): Promise<void> {
  const before = JSON.stringify(mock.world);
  const { status, basis } = await mock.call(line, call);
  expect(status).toBeLessThan(500);
  expect(basis).toMatch(/^(documented|assumed; gaps=[a-z,-]+)$/);
  if (status >= 400) expect(JSON.stringify(mock.world)).toBe(before);
  expect(mock.world.ownViolations).toBe(0);
  mock.world.reset();
}

const seed = 20_261_121;
const numRuns = 300;

const fieldName = fc.oneof(
  fc.constantFrom(
    'title',
    'summary',
    'analysis',
    'kb_folder_id',
    'status',
    'oid',
    'tid',
    'upn',
    'email',
    'password',
    'name',
    'scopes',
    'refresh_token',
    '__proto__',
    'constructor',
    'toString',
  ),
  fc.string(),
);
const json = fc.oneof(fc.dictionary(fieldName, fc.jsonValue(), { maxKeys: 6 }), fc.jsonValue());
const line = fc.constantFrom(
  'PATCH /v1/echo/recordings/rec_kickoff',
  'POST /v1/auth/sso',
  'POST /v1/auth/login',
  'POST /v1/auth/refresh',
  'POST /v1/api-tokens',
);

test('any JSON at any operation', async () => {
  await fc.assert(
    fc.asyncProperty(line, json, (at, value) => holds(at, { token, json: value })),
    { seed, numRuns },
  );
});

test('any path, escaped or not', async () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }).map(encodeURIComponent),
    fc.stringMatching(/^[A-Za-z0-9%~._:;,=&?[\]*()$@!+'-]{0,20}$/),
  );
  const path = fc.oneof(
    part.map((id) => `/v1/echo/recordings/${id}`),
    part.map((id) => `/v1/admin/tenants/${id}/api-keys`),
    part.map((text) => `/v1/admin/tenants/ten_analytical/api-keys?${text}`),
    part.map((text) => `/${text}`),
    part.map((text) => `/~x${text}/v1/nothing`),
  );
  const method = fc.constantFrom('GET', 'PATCH', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS');
  await fc.assert(
    fc.asyncProperty(method, path, async (name, at) => {
      // fetch resolves these away before they are sent.
      fc.pre(!/\/\.{0,2}(\/|$|\?)|%2e/i.test(at));
      await holds(`${name} ${at.replaceAll(' ', '%20')}`, { token, ...(name === 'PATCH' && { json: {} }) });
    }),
    { seed, numRuns },
  );
});

test('any header values', async () => {
  const value = fc.stringMatching(/^[\x21-\x7e]([\x20-\x7e]{0,60}[\x21-\x7e])?$/);
  const name = fc.constantFrom(
    'authorization',
    'content-type',
    'prefer',
    'accept',
    'content-encoding',
    'origin',
    'accept-charset',
  );
  await fc.assert(
    fc.asyncProperty(line, fc.dictionary(name, value), (at, headers) => holds(at, { token, json: {}, headers })),
    { seed, numRuns },
  );
});
