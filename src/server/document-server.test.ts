// OpenAPI documents of users, which Prism answers behind the mock (document-server.ts).
import { afterAll, describe, expect, test } from 'vitest';
import { createPortableMock } from '../doors/portable.ts';
import { TestMock } from '../testing/client.ts';
import { fileWith, reasonsOf } from '../testing/refused.ts';

describe('an OpenAPI document', async () => {
  const file = fileWith(`openapi: 3.0.3
info: { title: Pets, version: "1" }
paths:
  /pets/{petId}:
    parameters: [{ name: petId, in: path, required: true, schema: { type: integer } }]
    get:
      parameters: [{ name: tags, in: query, style: form, explode: false, schema: { type: array, items: { type: string } } }]
      responses: { "200": { description: A pet., content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } } }
    delete: { x-mock-auth: required, parameters: [{ name: Authorization, in: header, required: true, schema: { pattern: ^Basic } }], responses: { "204": { description: Gone. } } }
  /pets:
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
      responses:
        "201": { description: Made., content: { application/json: { examples: { rex: { value: { id: 1, name: Rex } }, tom: { value: { id: 2, name: Tom } } } } } }
        "409": { description: Taken., content: { application/json: { example: { taken: true } } } }
  /forms:
    post:
      requestBody: { content: { application/x-www-form-urlencoded: { schema: { type: object, required: [a], properties: { a: { type: string } } } } } }
      responses: { "200": { description: Text., content: { text/plain: { example: Thanks } } } }
  /v1/api-tokens/scopes:
    get: { x-mock-override: true, responses: { "200": { description: x, content: { application/json: { example: [] } } } } }
components:
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties:
        id: { type: integer }
        name: { type: string, pattern: "^[A-Z][a-z]{2,8}$" }
        secret: { type: string, writeOnly: true }
`);
  const mock = await TestMock.start({ routes: [file], log: () => {} });
  afterAll(() => mock[Symbol.asyncDispose]());
  const json = { id: 1, name: 'Rex' };

  test.each<[string, Parameters<TestMock['call']>, object]>([
    ['an answer by the schema', ['GET /pets/3?tags=a,b'], { status: 200, basis: 'yours', body: { id: 0 } }],
    ['the same in a sandbox', ['GET /~own/pets/3'], { status: 200, body: { id: 0 } }],
    ['a path that it does not allow', ['GET /pets/x'], { status: 422, basis: 'yours' }],
    ['the first example', ['POST /pets', { json }], { status: 201, body: { name: 'Rex' } }],
    ['an example by name', ['POST /pets', { json, headers: { Prefer: 'example=tom' } }], { body: { name: 'Tom' } }],
    ['a status', ['POST /pets', { json, headers: { Prefer: 'code=409' } }], { status: 409, body: { taken: true } }],
    ['a body that it does not allow', ['POST /pets', { json: { id: 1 } }], { status: 422 }],
    ['no body', ['POST /pets'], { status: 422 }],
    ['x-mock-auth', ['DELETE /pets/1'], { status: 401 }],
    ['x-mock-auth, with a token', ['DELETE /pets/1', { token: await mock.token() }], { status: 204 }],
    ['x-mock-override', ['GET /v1/api-tokens/scopes'], { status: 200, body: [] }],
    [
      'a form, and a text',
      ['POST /forms', { raw: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
      { status: 200, body: 'Thanks' },
    ],
  ])('%s', async (_what, call, expected) => {
    expect(await mock.call(...call)).toMatchObject(expected);
  });

  test('faults and the journal apply to it', async () => {
    await mock.call('PUT /_mock/faults/respond', { json: { request: { path: '/pets/7' }, times: 1 } });
    expect([(await mock.call('GET /pets/7')).status, (await mock.call('GET /pets/7')).status]).toEqual([503, 200]);
    const { data } = await mock.mock.control.GET('/journal');
    expect(data.entries[0]).toMatchObject({ trace: { route: `${file}:6` } });
  });
});

test('a document that Prism cannot load is refused in one line', async () => {
  const file = fileWith('openapi: 3.1.0\npaths: { /a: { get: { responses: { "200": { $ref: "#/nowhere" } } } } }\n');
  expect(await reasonsOf(() => TestMock.start({ routes: [file] }))).toEqual([
    'Prism did not start: at "#/paths/~1a/get/responses/200", token "nowhere" in "#/nowhere" does not exist',
  ]);
});

test('a mock without processes says where such a document can be served', async () => {
  const document = { openapi: '3.1.0', paths: {} } as never;
  await expect(createPortableMock({ routes: [document] })).rejects.toThrow(
    'routes[0]: an OpenAPI document is answered by Prism, a process: `platform-mock serve --routes` starts it',
  );
});
