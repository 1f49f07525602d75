import { afterAll, expect, test } from 'vitest';
import { type Call, field, keys, patch, scopes, TestMock } from '../testing/client.ts';
import type { RouteDefinition } from './custom-routes/route.ts';
import { type ApiDocument, operationsOf } from './spec/document.ts';

const routes: RouteDefinition[] = [
  { path: '/v1/jobs', auth: 'required', answers: [{ body: 'first' }, { body: 'second' }] },
  { path: '/v1/named', answers: [{ body: { at: 'first' } }, { name: 'full', status: 507, body: '{{ method }}' }] },
  { path: '/v1/open', answers: [{ body: '{{ served }}' }] },
  { path: keys.replace('GET ', ''), override: true, answer: () => undefined },
];
const [jobs, open, named] = ['GET /v1/jobs', 'GET /v1/open', 'GET /v1/named'];
const mock = await TestMock.withoutPort({ routes: [{ routes }] });
const token = await mock.token();
afterAll(() => expect(mock.world.ownViolations).toBe(0));

const preferring = (line: string, prefer: string, call: Call = {}) => mock.call(line, { ...call, headers: { prefer } });

const unavailable = { error: { code: 'service_unavailable' } };
const pat = { name: 'Nightly export', token: expect.stringMatching(/^pat_\w+\.\S+$/) };
test.each([
  [patch, 'code=503', 503, unavailable],
  [patch, 'code=418', 418, {}],
  [patch, 'code=200', 200, { id: 'rec_kickoff', title: 'Kick-off, first part' }],
  ['POST /v1/api-tokens', 'code=201', 201, pat],
  [patch, 'example=analysis', 200, { id: 'rec_kickoff' }],
  [patch, 'example=unknown-recording', 404, { error: { code: 'not_found' } }],
  [patch, 'code=403, example=foreign-recording', 403, {}],
  [jobs, 'code=503', 503, unavailable],
  [open, 'code=503', 503, unavailable],
])('%s with Prefer: %s is answered so, without side effects', async (line, prefer, status, body) => {
  const before = JSON.stringify(mock.world);
  const seen = await preferring(line, prefer);
  const gaps = status < 300 ? 'other-capabilities' : 'other-capabilities,error-body,error-codes';
  expect(seen).toMatchObject({ status, body, basis: `assumed; gaps=${gaps}` });
  expect(seen.headers.get('preference-applied')).toBe(prefer.split(', ').at(-1));
  expect(JSON.stringify(mock.world)).toBe(before);
});

test('each documented error comes with the status and body of its example, and changes nothing', async () => {
  const plain = await TestMock.withoutPort();
  const { body } = await plain.call('GET /_mock/spec.json');
  const before = JSON.stringify(plain.world);
  const errors = operationsOf(body as ApiDocument).flatMap(({ path, method, operation: { responses } }) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.entries((field(Object.values(content)[0], 'examples') ?? {}) as Record<string, { value: unknown }>)
        .filter(() => Number(status) >= 400)
        .map(([name, { value }]) => ({ line: `${method.toUpperCase()} ${path}`, status: Number(status), name, value })),
    ),
  );
  expect(errors.length).toBeGreaterThan(30);
  for (const { line, status, name, value } of errors) {
    const seen = await plain.call(line, { headers: { prefer: `example=${name}` } });
    expect({ line, name, status: seen.status, body: seen.body }).toEqual({ line, name, status, body: value });
  }
  expect(JSON.stringify(plain.world)).toBe(before);
});

test.each([
  ['code=200', 200, { at: 'first' }],
  ['code=507', 507, 'GET'],
  ['example=full', 507, 'GET'],
])('an answer of a custom route with Prefer: %s counts as none', async (prefer, status, body) => {
  const before = JSON.stringify(mock.world);
  expect(await preferring(named, prefer)).toMatchObject({ status, body, basis: 'yours' });
  expect(JSON.stringify(mock.world)).toBe(before);
});

const { users } = mock.worlds.sandbox('empty').store;
for (const { id } of [...users.all()]) users.delete(id);

test.each([
  ...['', '99', '204', '302', '600', '-1', 'x'].map((code) => [patch, `code=${code}`, 'is not']),
  [open, 'code=202', 'code=202 is not supported; allowed: 200, or 400 to 599.'],
  [named, 'example=none', 'names no answer of GET /v1/named (routes[0].routes[1]); there are: full.'],
  [patch, 'example=nothing', 'there are: title, analysis, knowledge-base, malformed-json'],
  [patch, 'code=404, example=title', 'there are: unknown-recording.'],
  [scopes.replace(' ', ' /~empty'), 'code=200', 'this world lacks the records'],
  ...['601', '-1', '1.5', 'soon', '9999999999999999999999'].map((wait) => [
    scopes,
    `wait=${wait}`,
    'is not supported; allowed: whole seconds from 0 to 600.',
  ]),
])('%s with Prefer: %s is refused: %s', async (line = '', prefer = '', message = '') => {
  const seen = await preferring(line, prefer, { token });
  expect(seen).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } });
  expect(seen.text).toContain(message);
});

test.concurrent.each([
  ['wait=1', token, 200, 'wait=1', 'assumed; gaps=other-capabilities'],
  ['respond-async, wait=1, code=503', token, 503, 'wait=1, code=503', 'other-capabilities'],
  // A refusal waits as well.
  ['wait=1', 'wrong', 401, 'wait=1', 'assumed'],
])('%s takes a second, and says so', async (prefer, credentials, status, applied, basis) => {
  const started = performance.now();
  const seen = await preferring(scopes, prefer, { token: credentials });
  // Timers may fire a millisecond early.
  expect(performance.now() - started).toBeGreaterThan(997);
  expect([seen.status, seen.headers.get('preference-applied')]).toEqual([status, applied]);
  expect(seen.basis).toContain(basis);
});

test.each([
  // The first of several is the one that counts.
  [patch, 'wait=0; wait=500', { token, json: { title: 'waited' } }, { status: 200, body: { title: 'waited' } }],
  // Answers forced before did not count.
  [open, 'wait=0', {}, { status: 200, body: 0, basis: 'yours' }],
  // The route passes it on.
  [keys, 'wait=0', {}, { status: 401 }],
])('%s with Prefer: %s has its own effect', async (line, prefer, call, expected) => {
  const seen = await preferring(line, prefer, call);
  expect(seen).toMatchObject(expected);
  expect(seen.headers.get('preference-applied')).toBe('wait=0');
});
