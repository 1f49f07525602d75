// The published document is valid, its examples hold, and every assumption is marked.
import { createMock } from 'platform-mock';
import { describe, expect, test } from 'vitest';
import { createPortableMock } from '../../doors/portable.ts';
import { field, TestMock } from '../../testing/client.ts';
import { assertValidDocument } from '../../testing/valid-document.ts';
import { handle } from '../handle.ts';
import { answersFrom, shippedProfiles } from '../profiles/load.ts';
import type { ApiDocument, JsonObject } from '../spec/document.ts';
import { answersToTry, defaultAnswers, gapLedger } from '../spec/gaps.ts';
import { objectsIn } from '../spec/json.ts';
import { resolve } from '../spec/resolve.ts';
import { newAjv } from '../validation/compile.ts';
import { documentedOnly } from './documented.ts';
import { publish, publishedFor } from './publish.ts';

/** A document as published, with examples at its media types and parameters. */
type Published = ApiDocument & { readonly servers: readonly { readonly url: string }[] };
type Examples = Readonly<Record<string, { readonly value: unknown }>>;

const visit = (node: unknown, see: (element: JsonObject, path: string) => void): void => {
  for (const { object, path } of objectsIn(node)) if (!path.includes('examples')) see(object, path.join('/'));
};

const published = async (profile: string): Promise<Published> => {
  const mock = await createMock({ profile });
  const response = await mock.fetch(`${mock.baseUrl}/_mock/spec.json`);
  expect(response.status).toBe(200);
  return (await response.json()) as Published;
};

describe.each(['default', ...shippedProfiles()])('under %s', async (profile) => {
  const document = await published(profile);

  test('every operation, parameter, body and answer has examples, each valid by its schema', () => {
    const ajv = newAjv();
    ajv.addSchema({ $id: 'api', components: document.components } as object);
    const problems: string[] = [];
    const check = (element: JsonObject, path: string): void => {
      const examples = Object.entries((element.examples ?? {}) as Examples);
      if (examples.length === 0) problems.push(`${path} has no example`);
      const schema = JSON.parse(JSON.stringify(element.schema).replaceAll('"#/', '"api#/')) as object;
      for (const [name, { value }] of examples)
        if (!ajv.validate(schema, value)) problems.push(`${path} ${name}: ${ajv.errorsText()}`);
    };
    visit(document.paths, (element, path) => {
      const isParameter = typeof element.in === 'string';
      if (isParameter || /\/content\/[^/]+\/[^/]+$/.test(path)) check(element, path);
    });
    expect(problems).toEqual([]);
  });

  test('no type is a list of one, and no object of the client is closed by its type', () => {
    visit(document, (element, path) => {
      if (Array.isArray(element.type)) expect(element.type.length, path).toBeGreaterThan(1);
    });
    const { properties } = document.components.schemas.RecordingUpdate as { properties: Record<string, JsonObject> };
    expect(properties.analysis?.additionalProperties ?? true).toBe(
      answersFrom(profile).get('analysis-structure') === 'any-object',
    );
  });

  test('limit and offset are there where the list has pages', () => {
    const names = (document.paths['/v1/admin/tenants/{id}/api-keys']?.get?.parameters ?? []).map(({ name }) => name);
    const isPaged = answersFrom(profile).get('pagination') === 'limit-offset';
    expect(names).toEqual(['provider', 'status', ...(isPaged ? ['limit', 'offset'] : [])]);
  });
});

const everyAnswer = gapLedger().gaps.flatMap((gap) => answersToTry(gap).map((answer) => ({ id: gap.id, answer })));

test.each(everyAnswer)('$id: $answer is marked as assumed, and its words stay open', ({ id, answer }) => {
  visit(publish(resolve({ ...defaultAnswers(), [id]: answer })), (element, path) => {
    if (element['x-gap'] === undefined) return;
    const gaps = [element['x-gap']].flat().join(', ');
    const told = `Assumed${element['x-source'] === undefined ? '' : ' in part'} (gap ${gaps}).`;
    expect(element.description, path).toContain(told);
    expect([element.enum, element.pattern, element.const], path).toEqual([undefined, undefined, undefined]);
  });
});

test('is made once for the same answers and records, whichever world asks and how many at once', async () => {
  const { worlds } = await createPortableMock({ seed: 4 });
  let handled = 0;
  const counting: typeof handle = (...given) => {
    handled += 1;
    return handle(...given);
  };
  const [first, second] = [worlds.sandbox('first'), worlds.sandbox('second')];
  await Promise.all([first, second, worlds.main].map((world) => publishedFor(world, counting)));
  const once = handled;
  expect(once).toBeGreaterThan(10);
  await publishedFor(first, counting, 'http://elsewhere');
  expect(handled).toBe(once);
  first.store.recordings.delete('rec_kickoff');
  expect(JSON.stringify(await publishedFor(first, counting))).not.toContain('rec_kickoff');
  expect(handled).toBeGreaterThan(once);
});

test('what is below an assumption says so too', () => {
  const { components } = publish(resolve(defaultAnswers())) as unknown as ApiDocument;
  const token = field(components.schemas.TokenPair, 'properties', 'access_token');
  expect(token).toHaveProperty('description', 'Assumed (gap refresh-response).');
  const granted = field(components.schemas.TokenGrant, 'properties', 'access_token');
  expect(granted).toBeDefined();
  expect(JSON.stringify(granted)).not.toContain('Assumed');
});

describe('the document without assumptions', () => {
  const document = documentedOnly();

  test('is valid, and names no gap', async () => {
    await expect(assertValidDocument(document as never)).resolves.toBeUndefined();
    expect(JSON.stringify(document)).not.toMatch(/x-gap|x-cases|Assumed|"examples"/);
  });

  test('has what the source document states', () => {
    const { paths, components } = document as unknown as ApiDocument;
    const [recording, keys] = ['/v1/echo/recordings/{recordingId}', '/v1/admin/tenants/{id}/api-keys'];
    expect(Object.keys(paths)).toEqual(['/v1/auth/sso', '/v1/auth/login', '/v1/api-tokens', recording, keys]);
    expect(Object.keys(paths['/v1/auth/sso']?.post?.responses ?? {})).toEqual(['2XX']);
    expect(paths['/v1/auth/login']?.post).not.toHaveProperty('requestBody');
    expect(components.schemas).not.toHaveProperty('Error');
    expect(components.schemas.Provider).not.toHaveProperty('enum');
    expect(components.schemas.SsoClaims).not.toHaveProperty('required');
    expect(components.schemas.Recording).toHaveProperty('properties.status.enum');
    expect(components.schemas.RecordingUpdate).toHaveProperty('properties.analysis.additionalProperties', true);
  });
});

const mock = await TestMock.withoutPort();

// That all its examples are answered: src/core/prefer.test.ts, src/dashboard/docs.test.ts.
test.each(['', '/~one', '/%7Etwo'])('%s: it has its own server', async (prefix) => {
  const { body } = await mock.call(`GET ${prefix}/_mock/spec.json`);
  expect((body as Published).servers).toEqual([{ url: mock.mock.baseUrl + prefix.replace('%7E', '~') }]);
});

const exampleOfUpdate = (document: unknown, status: number, name: string): unknown => {
  const { responses } = (document as Published).paths['/v1/echo/recordings/{recordingId}']?.patch ?? {};
  return field(responses, status, 'content', 'application/json', 'examples', name, 'value');
};

test('its examples are of its records and what the mock says; making them changes nothing', async () => {
  await mock.update({ title: 'Changed in this world' });
  const token = await mock.token();
  const before = JSON.stringify(mock.world);
  const { body } = await mock.call('GET /_mock/spec.json');
  expect(JSON.stringify(mock.world)).toBe(before);
  const example = (status: number, name: string) => exampleOfUpdate(body, status, name);
  expect(example(200, 'analysis')).toMatchObject({ title: 'Changed in this world' });
  const line = 'PATCH /v1/echo/recordings';
  expect((await mock.call(`${line}/rec_unknown`, { token, json: {} })).body).toEqual(example(404, 'unknown-recording'));
  expect((await mock.call(`${line}/rec_noise`, { token, json: {} })).body).toEqual(example(403, 'foreign-recording'));
  expect((await mock.call(`${line}/rec_kickoff`, { json: {} })).body).toEqual(example(401, 'missing-credentials'));
  expect(mock.world.ownViolations).toBe(0);
});
