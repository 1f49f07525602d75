// The compiled validators and express-openapi-validator agree on 20,000 requests under every shipped profile.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apiFor, type OperationPlan } from '../core/api.ts';
import type { Exchange } from '../core/exchange.ts';
import { queryOf } from '../core/message.ts';
import { answersFrom, shippedProfiles } from '../core/profiles/load.ts';
import { type ApiDocument, isObject, type JsonObject, operationsOf } from '../core/spec/document.ts';
import { dereferenced } from '../core/validation/schemas.ts';
import { judgeOf } from './judge.ts';

const totalRequests = 20_000;

interface Sent {
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The decision of the compiled validators. */
function isValidByCompiled({ validators }: OperationPlan, { url, params, body }: Sent): boolean {
  const { parameters, body: bodyValidator } = validators;
  return (
    parameters({ query: queryOf(url), params }) && (body === undefined || !bodyValidator || bodyValidator({ body }))
  );
}

async function isJudgedValid(document: ApiDocument, { method }: OperationPlan, { url, body }: Sent): Promise<boolean> {
  const request = new IncomingMessage(new Socket());
  const received = { method, url, headers: { 'content-type': 'application/json' } };
  const judge = judgeOf(request, new ServerResponse(request));
  return (await judge(document, { received, body } as Partial<Exchange> as Exchange)).length === 0;
}

const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string(), { maxLength: 2 }),
  fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
);

/** Mostly valid values of a schema. */
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
const objectFor = (properties: JsonObject, document: ApiDocument): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      fc.record(
        Object.fromEntries(
          Object.entries(properties).map(([name, schema]) => [name, valueFor(schema as JsonObject, document)]),
        ),
        { requiredKeys: [] },
      ),
      fc.option(fc.tuple(fc.constantFrom('status', 'extra', '__proto', 'oid'), anything), { freq: 4 }),
    )
    .map(([object, more]) => (more ? { ...object, [more[0]]: more[1] } : object));

function sentFor(document: ApiDocument, plan: OperationPlan): fc.Arbitrary<Sent> {
  const found = operationsOf(document).find(({ operation }) => operation.operationId === plan.id);
  const schema = found?.operation.requestBody?.content['application/json']?.schema;
  const words = fc.constantFrom(
    'openai',
    'active',
    '',
    '5',
    '-1',
    'x',
    'a b',
    'ü',
    '1e3',
    'true',
    'a,b',
    '[]',
    '{"a":1}',
  );
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
  const { document } = await apiFor(answersFrom(profile));
  const { find } = await apiFor(answersFrom(profile));
  const operations = operationsOf(document);
  const perOperation = Math.ceil(totalRequests / profiles.length / operations.length);
  const decided = { valid: 0, invalid: 0 };
  for (const { path, method } of operations) {
    const found = find(method.toUpperCase(), path);
    if (typeof found !== 'object' || !('operation' in found)) throw new Error(`no plan for ${method} ${path}`);
    const plan = found.operation;
    await fc.assert(
      fc.asyncProperty(sentFor(document, plan), async (sent) => {
        const isValid = isValidByCompiled(plan, sent);
        decided[isValid ? 'valid' : 'invalid'] += 1;
        expect([isValid, sent]).toEqual([await isJudgedValid(document, plan, sent), sent]);
      }),
      { numRuns: perOperation },
    );
  }
  // Without both valid and invalid requests the comparison proves nothing.
  expect(Math.min(decided.valid, decided.invalid)).toBeGreaterThan(perOperation);
});

test('all shipped profiles and 20,000 requests are covered', () => {
  expect(profiles).toContain('default');
  expect(Math.ceil(totalRequests / profiles.length / 7) * profiles.length * 7).toBeGreaterThanOrEqual(totalRequests);
});
