// The compiled validators and express-openapi-validator agree on 8,000 requests under the shipped profiles, and every door gives
// the same answer.
import fc from 'fast-check';
import { getResponse } from 'msw';
import { createServer } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { apiFor, type OperationPlan } from '../core/api.ts';
import { queryOf } from '../core/message.ts';
import { answersFrom, shippedProfiles } from '../core/profiles/load.ts';
import { type ApiDocument, isObject, type JsonObject, operationsOf } from '../core/spec/document.ts';
import { dereferenced } from '../core/spec/json.ts';
import { createMswMock } from '../doors/msw.ts';
import { createPortableMock } from '../doors/portable.ts';
import { platformMock } from '../doors/vite.ts';
import { type MockFetch, startMock } from '../index.ts';
import { callerOf, field } from '../testing/client.ts';
import { judge } from './judge.ts';

const totalRequests = 8_000;
const seed = 20_261_121;

interface Sent {
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
}

function isValidByCompiled({ validators }: OperationPlan, { url, params, body }: Sent): boolean {
  const { parameters, body: bodyValidator } = validators;
  return (
    parameters({ query: queryOf(url), params }) && (body === undefined || !bodyValidator || bodyValidator({ body }))
  );
}

const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string(), { maxLength: 2 }),
  fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
);

function valueFor(schema: JsonObject, document: ApiDocument): fc.Arbitrary<unknown> {
  const { type, enum: values, items, properties, allOf } = dereferenced(schema, document);
  const [first] = (Array.isArray(allOf) ? allOf : []) as JsonObject[];
  if (first) return valueFor(first, document);
  const good = Array.isArray(values)
    ? fc.constantFrom(...values)
    : isObject(properties)
      ? objectFor(properties, document)
      : [type].flat().includes('array')
        ? fc.array(valueFor(isObject(items) ? items : {}, document), { maxLength: 3 })
        : [type].flat().includes('object')
          ? fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 })
          : fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant(''));
  return fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: anything });
}

/** Objects with these members, some of them omitted, sometimes with an additional one. */
function objectFor(properties: JsonObject, document: ApiDocument): fc.Arbitrary<unknown> {
  const members = Object.entries(properties).map(([name, schema]) => [name, valueFor(schema as JsonObject, document)]);
  const known = fc.record(Object.fromEntries(members), { requiredKeys: [] });
  const more = fc.tuple(fc.constantFrom('status', 'extra', '__proto', 'oid'), anything);
  return fc
    .tuple(known, fc.option(more, { freq: 4 }))
    .map(([object, one]) => (one ? { ...object, [one[0]]: one[1] } : object));
}

function sentFor(document: ApiDocument, plan: OperationPlan): fc.Arbitrary<Sent> {
  const found = operationsOf(document).find(({ operation }) => operation.operationId === plan.id);
  const schema = found?.operation.requestBody?.content['application/json']?.schema;
  const words = fc.constantFrom(...'openai active  5 -1 x a+b ü 1e3 true a,b [] {"a":1}'.split(' '));
  const names = fc.constantFrom(...plan.queryNames, 'limit', 'page', 'provider[a]', 'provider[]', 'status', 'x y');
  const query = fc.array(fc.tuple(names, fc.oneof(words, fc.string())), { maxLength: 2 });
  const body = schema
    ? fc.oneof({ weight: 9, arbitrary: valueFor(schema, document) }, anything)
    : fc.constant(undefined);
  return fc
    .record({ query, body, id: fc.webSegment().filter((id) => id !== '' && !/^\.+$/.test(id)) })
    .map(({ query: pairs, body: value, id }) => {
      const path = plan.path.replaceAll(/\{[^}]+\}/g, encodeURIComponent(id));
      const [, name = 'id'] = /\{([^}]+)\}/.exec(plan.path) ?? [];
      const search = new URLSearchParams(pairs).toString();
      return { url: search === '' ? path : `${path}?${search}`, params: { [name]: id }, body: value };
    });
}

const profiles = shippedProfiles();

test.each(profiles)('%s', async (profile) => {
  const { document, plans } = await apiFor(answersFrom(profile));
  const perOperation = Math.ceil(totalRequests / profiles.length / plans.length);
  const decided = { valid: 0, invalid: 0 };
  for (const plan of plans)
    await fc.assert(
      fc.asyncProperty(sentFor(document, plan), async (sent) => {
        const received = { method: plan.method, url: sent.url, headers: {} };
        const isValid = isValidByCompiled(plan, sent);
        decided[isValid ? 'valid' : 'invalid'] += 1;
        expect([isValid, sent]).toEqual([await judge(document, { received, body: sent.body }), sent]);
      }),
      { numRuns: perOperation, seed },
    );
  // Without both valid and invalid requests the comparison proves nothing.
  expect(Math.min(decided.valid, decided.invalid)).toBeGreaterThan(perOperation);
});

/** The parts of an answer that a client sees, without the framing of the connection. */
async function seenOf(response: Response) {
  const framing = /^(date|connection|keep-alive|content-length|transfer-encoding|vary|access-control-.*)$/;
  const headers = [...response.headers].filter(([name]) => !framing.test(name)).sort();
  return { status: response.status, headers, body: await response.text() };
}

/** The same mock behind each door with a frozen clock, and how to call it. */
async function openDoors(profile: string) {
  const served = await startMock({ profile });
  const portable = await createPortableMock({ profile });
  const worker = await createMswMock('http://app.test/api', { profile });
  const vite = await createServer({
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    optimizeDeps: { noDiscovery: true },
    server: { port: 0, host: '127.0.0.1', ws: false },
    plugins: [platformMock({ profile, base: '/api' })],
  });
  onTestFinished(async () => void (await Promise.all([served.close(), vite.close()])));
  await vite.listen();
  const atVite = `${vite.resolvedUrls?.local[0]}api`;
  const byWorker = async (url: string, init?: RequestInit) =>
    (await getResponse([...worker.handlers], new Request(url, init))) ?? expect.fail(`no handler for ${url}`);
  const doors = {
    serve: (path: string, init?: RequestInit) => fetch(served.baseUrl + path, init),
    fetch: (path: string, init?: RequestInit) => portable.fetch(portable.baseUrl + path, init),
    msw: (path: string, init?: RequestInit) => byWorker(worker.baseUrl + path, init),
    vite: (path: string, init?: RequestInit) => fetch(atVite + path, init),
  };
  let token = '';
  for (const send of Object.values(doors)) {
    const call = callerOf('', send as MockFetch);
    await call('PATCH /_mock/clock', { json: { frozen: true, at: '2026-11-21T10:00:00Z' } });
    token = String(field((await call('POST /_mock/tokens', { json: { user: 'usr_ada' } })).body, 'token'));
  }
  return { doors: Object.entries(doors), token };
}

test.each(['default', 'strict'])('each door gives the same answer: %s', async (profile) => {
  const { doors, token } = await openDoors(profile);
  const { document, plans } = await apiFor(answersFrom(profile));
  const refused = new Map<number, number>();
  const names = ['title', 'summary', 'analysis', 'oid', 'tid', 'email', 'password', 'name', 'scopes', 'extra'];
  const wrong = fc.dictionary(fc.constantFrom(...names), anything, { minKeys: 2, maxKeys: 5 });
  const types = ['', 'text/plain', 'application/json;charset=utf-8', 'application/json; charset=x'];
  const faults = ['none-such', 'delay;ms=x', 'success-text-plain', 'key-secret-leaked', 'respond;status=302'];
  const values = {
    authorization: fc.constantFrom('', 'Bearer', 'Bearer x.y.z', 'Basic YTpi', `bearer ${token}`),
    'content-type': fc.constantFrom(...types),
    prefer: fc.constantFrom('code=503', 'code=9', 'code=200', 'wait=x'),
    'x-mock-fault': fc.constantFrom(...faults),
  };
  const header = fc.record(values, { requiredKeys: [] });
  for (const plan of plans)
    await fc.assert(
      fc.asyncProperty(sentFor(document, plan), fc.option(wrong), fc.option(header), async (sent, several, more) => {
        const { url } = sent;
        const body = sent.body && (several ?? sent.body);
        const type = body === undefined ? {} : { 'content-type': 'application/json' };
        const headers = { authorization: `Bearer ${token}`, ...type, ...more };
        const init = { method: plan.method, headers, body: JSON.stringify(body) };
        const [first, ...others] = await Promise.all(
          doors.map(async ([door, send]) => ({ door, ...(await seenOf(await send(url, init))) })),
        );
        for (const other of others) expect({ ...other, url, init }).toEqual({ ...first, door: other.door, url, init });
        const findings = first?.status === 400 ? (JSON.parse(first.body).error?.details?.length ?? 0) : 0;
        refused.set(findings, (refused.get(findings) ?? 0) + 1);
      }),
      { numRuns: 40, seed },
    );
  // Without requests that are wrong in one, two and three places the comparison proves little.
  for (const findings of [1, 2, 3]) expect(refused.get(findings), `${findings} findings`).toBeGreaterThan(3);
});
