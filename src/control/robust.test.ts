import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { ODD_NAMES, ODD_OBJECT } from '../../contract-tests/testing/odd-json.ts';
import { type OperationObject, operationsOf } from '../core/spec/document.ts';
import type { Json } from '../core/spec/gaps.ts';
import { type Call, field, TestMock } from '../testing/client.ts';
import { assertValidDocument } from '../testing/valid-document.ts';
import { controlDocument, dereferenced, servedDocument } from './document.ts';

const mock = await TestMock.start();
afterAll(() => mock[Symbol.asyncDispose]());

const document = controlDocument();
const operations = operationsOf(document).filter(({ operation }) => String(operation.operationId) !== 'watchJournal');

interface Parameter {
  readonly name: string;
  readonly example?: Json;
}

const parametersOf = (path: string, operation: OperationObject): Parameter[] =>
  [...(operation.parameters ?? []), ...(document.paths[path]?.parameters ?? [])].map(
    (one) => dereferenced(one) as unknown as Parameter,
  );
const exampleOf = (operation: OperationObject): Json | undefined =>
  (operation.requestBody?.content['application/json'] as { example?: Json } | undefined)?.example;

/** The path with the examples of its parameters, in a sandbox. */
const filled = (path: string, operation: OperationObject, box: string): string =>
  `/~${box}/_mock${path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parametersOf(path, operation).find((one) => one.name === name)?.example)),
  )}`;

test('a sandbox serves the document of its control plane', async () => {
  for (const prefix of ['', '/~one']) {
    const { body } = await mock.call(`GET ${prefix}/_mock/openapi.json`);
    expect(body).toMatchObject({ servers: [{ url: `${mock.mock.baseUrl}${prefix}/_mock` }] });
  }
});

test('each status of a refusal is spelled out', async () => {
  const served = servedDocument('http://mock.test/_mock') as never;
  await expect(assertValidDocument(served)).resolves.toBeUndefined();
  for (const { operation } of operationsOf(served)) {
    const refused = Object.keys(operation.responses).filter((status) => status.startsWith('4'));
    expect(refused, operation.operationId).toEqual(['400', '403', '404', '409', '415']);
  }
});

// Redocly's lint finds those that are not valid.
test('every parameter and every body has an example', () => {
  const parameters = operations.flatMap(({ path, operation }) => parametersOf(path, operation));
  expect(parameters.filter(({ example }) => example === undefined)).toEqual([]);
  const bodies = operations.filter(({ operation }) => operation.requestBody);
  expect(bodies.filter(({ operation }) => exampleOf(operation) === undefined)).toEqual([]);
});

const names = 'user at seconds seed profile answers from faults token keep outcome steps recordings times probability';
const odd = fc.oneof(
  fc.constantFrom('', [], {}, -1, 1.5, 1e9, null, ODD_OBJECT, [ODD_OBJECT, ODD_OBJECT]),
  fc.jsonValue(),
);
const member = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names.split(' '), ...ODD_NAMES) }, fc.string());
/** Members that operations know, with values that they do not take, and bodies that are no objects. */
const hostile = fc.sample(fc.oneof({ weight: 4, arbitrary: fc.dictionary(member, odd) }, odd), {
  numRuns: 40,
  seed: 21,
});

test.each(operations)('$method $path is as documented, and never fails itself', async ({ path, method, operation }) => {
  const example = `${method.toUpperCase()} ${filled(path, operation, `example-${operation.operationId}`)}`;
  const seen = await mock.call(example, { json: exampleOf(operation) });
  // 404: this world lacks what the example names.
  expect([404, Number(Object.keys(operation.responses)[0])]).toContain(seen.status);
  const line = `${method.toUpperCase()} ${filled(path, operation, 'hostile')}`;
  const bodies: Call[] = [
    ...hostile.map((json) => ({ json })),
    ...ODD_NAMES.map((name): Call => ({ raw: `{"${name}":1}` })),
    { raw: '{"a": ' },
    { raw: new Uint8Array([0xff, 0xfe]) },
    { raw: '['.repeat(100_000) },
    { raw: 'a=1', headers: { 'content-type': 'text/plain' } },
  ];
  const calls: [string, Call?][] = [
    [`${line}?nope=1`],
    [`${line}?limit=x&offset=-1&after=-1&status=9&method=x&operation=x`],
    ...['%00', '%zz', 'x'.repeat(5000)].map((last): [string] => [line.replace(/\/[^/]*$/, `/${last}`)]),
    ...(method === 'get' ? [] : bodies).map((call): [string, Call] => [line, call]),
  ];
  for (const [called, extras] of calls) {
    const { status, body } = await mock.call(called, extras);
    expect(status, `${called} ${JSON.stringify(extras)?.slice(0, 100)}`).toBeLessThan(500);
    if (status >= 400) expect(field(body, 'error', 'message')).toMatch(/\S/);
  }
});

test('a refusal names the field, the allowed values and an example', async () => {
  const seen = await mock.call('PUT /_mock/faults/title-truncated', { json: { times: 0 } });
  const allowed = 'integer from 1 to 1000000 (Number of requests to hit; after them it is disarmed.)';
  const error = { code: 'invalid', details: [{ field: 'times', allowed, example: 3 }] };
  expect(seen).toMatchObject({ status: 400, body: { error } });
  const missing = await mock.call('POST /_mock/tokens');
  expect(missing.body).toMatchObject({ error: { details: [{ message: 'is missing', example: { user: 'usr_ada' } }] } });
});

test('an operation without a body refuses one, but for an empty object', async () => {
  const message = 'The request is not valid. body: is not used by this operation: leave it out.';
  for (const line of ['DELETE /_mock/journal', 'PUT /_mock/snapshots/one'])
    for (const [json, status] of [
      [{ operation: 'ssoLogin' }, 400],
      [{}, expect.any(Number)],
    ] as const) {
      const seen = await mock.call(line, { json });
      expect(seen.status).toEqual(status);
      if (seen.status >= 400) expect(seen.body).toMatchObject({ error: { message } });
    }
});
