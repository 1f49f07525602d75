import { afterAll, expect, test } from 'vitest';
import { type OperationObject, operationsOf } from '../core/spec/document.ts';
import type { Json } from '../core/spec/gaps.ts';
import { TestMock } from '../testing/client.ts';
import { controlDocument, dereferenced } from './document.ts';

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

// Redocly's lint finds those that are not valid.
test('every parameter and every body has an example', () => {
  const parameters = operations.flatMap(({ path, operation }) => parametersOf(path, operation));
  expect(parameters.filter(({ example }) => example === undefined)).toEqual([]);
  const bodies = operations.filter(({ operation }) => operation.requestBody);
  expect(bodies.filter(({ operation }) => exampleOf(operation) === undefined)).toEqual([]);
});

const hostile: readonly unknown[] = [
  null,
  [],
  'text',
  7,
  true,
  { nope: 1 },
  { user: { a: 1 } },
  { at: 7 },
  { seconds: 'x' },
  { seed: -1 },
  { seed: 1.5 },
  { profile: 7 },
  { answers: [] },
  { answers: { __proto__: 1, constructor: 2 } },
  { from: {} },
  { faults: [1] },
  { token: '' },
  { keep: 'clock' },
  { outcome: 'pending' },
  { steps: 0 },
  { recordings: 1e9 },
  { times: -1, probability: 2 },
];

test.each(operations.map((one) => [`${one.method} ${one.path}`, one] as const))(
  '%s responds to its example as documented, refuses what it cannot use with a reason, and never fails itself',
  async (_name, { path, method, operation }) => {
    const example = `${method.toUpperCase()} ${filled(path, operation, `example-${operation.operationId}`)}`;
    const seen = await mock.call(example, { json: exampleOf(operation) });
    // 404: this world lacks what the example names.
    expect([404, Number(Object.keys(operation.responses)[0])]).toContain(seen.status);
    const line = `${method.toUpperCase()} ${filled(path, operation, 'hostile')}`;
    const calls: Parameters<TestMock['call']>[] = [
      ...hostile.map((json): Parameters<TestMock['call']> => [line, method === 'get' ? {} : { json }]),
      [`${line}?nope=1`],
      [`${line}?limit=x&offset=-1&after=-1&status=9&method=x&operation=x`],
      [line.replace(/\/[^/]*$/, '/%00')],
      [line.replace(/\/[^/]*$/, '/%zz')],
      [line.replace(/\/[^/]*$/, `/${'x'.repeat(5000)}`)],
      ...(method === 'get'
        ? []
        : ([
            [line, { raw: '{"a": ' }],
            [line, { raw: new Uint8Array([0xff, 0xfe]) }],
            [line, { raw: '['.repeat(100_000) }],
            [line, { raw: 'a=1', headers: { 'content-type': 'text/plain' } }],
          ] as Parameters<TestMock['call']>[])),
    ];
    for (const [called, extras] of calls) {
      const { status, body } = await mock.call(called, extras);
      expect(status, `${called} ${JSON.stringify(extras)?.slice(0, 100)}`).toBeLessThan(500);
      if (status >= 400) expect((body as { error: { message: string } }).error.message).toMatch(/\S/);
    }
  },
);

test('a refusal names the field, the allowed values and an example', async () => {
  const seen = await mock.call('PUT /_mock/faults/title-truncated', { json: { times: 0 } });
  expect(seen).toMatchObject({
    status: 400,
    body: {
      error: {
        code: 'invalid',
        details: [
          {
            field: 'times',
            allowed: 'integer from 1 to 1000000 (Number of requests to hit; after them it is disarmed.)',
            example: 3,
          },
        ],
      },
    },
  });
  const missing = await mock.call('POST /_mock/tokens');
  expect(missing.body).toMatchObject({ error: { details: [{ message: 'is missing', example: { user: 'usr_ada' } }] } });
});
