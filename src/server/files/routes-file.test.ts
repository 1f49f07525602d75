import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder } from '../../../contract-tests/testing/folder.ts';
import { Answers } from '../../core/profiles/answers.ts';
import { newAjv } from '../../core/validation/compile.ts';
import { TestMock } from '../../testing/client.ts';
import { fileWith, reasonsOf } from '../../testing/refused.ts';
import { packageFile } from './package-root.ts';
import { loadRoutes } from './routes-file.ts';
import { readYamlFile } from './yaml-file.ts';

/** Why a file is refused, with FILE as its path. */
function reasonsFor(text: string, extension = 'yaml') {
  const file = fileWith(text, `routes.${extension}`);
  return reasonsOf(() => loadRoutes([file], Answers.of(), () => {}), file);
}

/** A file with one route of the path /v1/x. */
const route = (rest: string): string => `routes:\n  - path: /v1/x\n${rest}`;
const openapi = (rest: string): string => `openapi: 3.1.0\n${rest}`;

test.each([
  [route('    staus: 200\n'), /^FILE:3:5: staus is unknown; allowed: method, path, .*; did you mean status\?$/],
  [route('    method: FETCH\n'), /^FILE:3:5: method .*allowed: GET, POST, PUT, PATCH, DELETE$/],
  ['routes:\n  - status: 200\n', /^FILE:2:5: path is missing$/],
  [route('    body:\n      a: "{{ foo }}"\n'), /^FILE:4:7: foo is unknown in a template; allowed: /],
  [route('    answers:\n      - {}\n      - stats: 1\n'), /^FILE:5:9: answers\.1\.stats is unknown; .*mean status/],
  ['route: []\n', /^FILE:1:1: route is unknown; allowed: routes, tables; did you mean routes\?$/],
  ['routes: 7\n', /^FILE:1:1: expected routes: a list of routes, or an OpenAPI document$/],
  ['', /^FILE:1:1: expected routes: a list/],
  ['[]\n', /^FILE:1:1: expected routes: a list/],
  ['routes: []\n', /^FILE:1:1: expected routes: a list/],
  [route('    headers:\n      X-A: "a\\r\\nSet-Cookie: b"\n'), /^FILE:4:7: headers\.X-A .*no line break/],
  [
    route('    answers:\n      - headers:\n          X-A: "a\\n"\n'),
    /^FILE:5:11: answers\.0\.headers\.X-A .*no line break/,
  ],
  ['routes: [\n', /^FILE:\d: not YAML: /],
  ['routes: []\ntables:\n  a:\n    - { name: x }\n', /^FILE:4:7: a\.0 needs an id, a text$/],
  ['routes: []\ntables:\n  a:\n    - { id: x }\n    - { id: x }\n', /^FILE:5:9: the id x is used twice in a$/],
  [route('  - path: /v1/x\n'), /^FILE:3: GET \/v1\/x never answers: FILE:2 does, always; give .*this one override/],
  ['- path: /v1/api-tokens/scopes\n', /^FILE:1: GET \/v1\/api-tokens\/scopes is documented \(listTokenScopes\)/],
  [openapi('info: {}\n'), /^FILE:1:1: paths is missing/],
  ['swagger: "2.0"\npaths: {}\n', /^FILE:1:1: OpenAPI 2.0 is not supported; allowed: 3.0, 3.1$/],
  [openapi('paths:\n  /a:\n    get:\n      summary: x\n'), /^FILE:\d:\d: responses is missing$/],
  [openapi('paths:\n  /a:\n    $ref: other.yaml\n'), /^FILE:4:5: other.yaml is in another file, which is not read/],
  [openapi('paths: { /a: { get: { responses: { 200: { $ref: "#/components/responses/X" } } } } }'), /leads nowhere$/],
  [openapi('paths: {}\ncomponents: { schemas: { A: { $ref: "#/components/schemas/A" } } }'), /A leads back to itself/],
])('%j is refused', async (text, reason) => {
  expect(await reasonsFor(text)).toEqual([expect.stringMatching(reason)]);
});

test('all mistakes are reported together, and nothing is partly loaded', async () => {
  const good = fileWith('- path: /v1/good\n');
  const bad = fileWith('- path: /v1/x\n  status: 7\n- path: y\n');
  expect(await reasonsOf(() => TestMock.start({ routes: [good, bad] }))).toHaveLength(2);
});

test.each([
  ['export default { routes: [{ path: "/a", answer: 7 }] }', 'ts', 'FILE:1: answer must be a function'],
  ['export default [\n\n{ path: "/b", status: 200, answer() {} }]', 'ts', 'FILE:3: status is not allowed with answer'],
  ['export const wrong = [];', 'mjs', 'wrong is unknown; allowed: routes, tables'],
  ['export default {', 'ts', 'FILE: cannot be loaded: '],
  ['\nthrow new Error("at load");', 'ts', 'FILE: cannot be loaded: at load'],
])('a module: %j is refused', async (text, extension, reason) => {
  expect(await reasonsFor(text, extension)).toEqual([expect.stringContaining(reason)]);
});

test('what is no file, or of no kind that is known', async () => {
  const load = (file: string) => loadRoutes([file], Answers.of(), () => {});
  await expect(load('no-such.yaml')).rejects.toThrow('no-such.yaml: cannot be read (ENOENT)');
  await expect(load('no-such.ts')).rejects.toThrow('no-such.ts: there is no such file');
  await expect(load('routes.toml')).rejects.toThrow('routes.toml: not a file of routes; allowed: .yaml, .yml, .json');
  await expect(TestMock.start({ routes: 'routes.yaml' as never })).rejects.toThrow('routes must be a list');
});

test('a module is loaded afresh, with what it imports; the journal names file and line', async () => {
  const place = testFolder();
  const file = join(place, 'routes.ts');
  const helper = (text: string) => writeFileSync(join(place, 'helper.ts'), `export const text: string = '${text}';\n`);
  helper('old');
  writeFileSync(
    file,
    `import { text } from './helper.ts';\nexport default {\n  routes: [\n    { path: '/v1/text', answer: () => ({ body: text }) },\n    { path: '/v1/boom', answer: (): never => { throw new Error('here'); } },\n  ],\n};\n`,
  );
  await using mock = await TestMock.start({ routes: [file], log: () => {} });
  expect((await mock.call('GET /v1/text')).body).toBe('old');
  helper('new');
  await mock.mock.reload();
  expect((await mock.call('GET /v1/text')).body).toBe('new');
  await mock.call('GET /v1/boom');
  const { data } = await mock.mock.control.GET('/journal');
  const error = { message: expect.stringContaining(`${file}:5:`) };
  expect(data.entries[0]?.trace).toMatchObject({ route: `${file}:5`, error });
  writeFileSync(file, 'export default 7;');
  await expect(mock.mock.reload()).rejects.toThrow('expected routes');
  expect((await mock.call('GET /v1/text')).body).toBe('new');
});

test('reloading keeps what worlds made, and takes new seeds of tables', async () => {
  const file = fileWith('');
  const write = (names: string) =>
    writeFileSync(file, `tables: { a: [${names}] }\nroutes: [{ path: /v1/a, body: "{{ tables.a | map: 'id' }}" }]\n`);
  write('{ id: x }');
  await using mock = await TestMock.start({ routes: [file] });
  const ids = async () => (await mock.call('GET /v1/a')).body;
  expect(await ids()).toEqual(['x']);
  await mock.mock.control.POST('/routes', { body: { path: '/v1/b' } });
  write('{ id: x }, { id: y }');
  await mock.mock.reload();
  expect(await ids()).toEqual(['x', 'y']);
  expect((await mock.call('GET /v1/b')).status).toBe(204);
});

describe('an OpenAPI document', async () => {
  const file = fileWith(`openapi: 3.0.3
info: { title: Pets, version: "1" }
paths:
  /pets/{petId}:
    parameters: [{ name: petId, in: path, required: true, schema: { type: integer } }]
    get:
      parameters: [{ name: verbose, in: query, schema: { type: boolean } }]
      responses: { "200": { description: A pet., content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } } }
    delete: { x-mock-auth: required, responses: { "204": { description: Gone. } } }
  /pets:
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
      responses: { "201": { description: Made., content: { application/json: { example: { id: 1, name: Rex } } } } }
  /impossible:
    get:
      responses: { "200": { description: x, content: { application/json: { schema: { type: string, not: {} } } } } }
components:
  schemas:
    Animal: { type: object, required: [id], properties: { id: { type: integer, minimum: 1, exclusiveMinimum: true, maximum: 9 } } }
    Pet:
      allOf:
        - { $ref: "#/components/schemas/Animal" }
        - type: object
          required: [name]
          properties:
            name: { type: string, pattern: "^[A-Z][a-z]{2,8}$" }
            born: { type: string, format: date }
            secret: { type: string, writeOnly: true }
            owner: { nullable: true, oneOf: [{ type: string, format: email }, { type: string, format: uuid }] }
            young: { type: array, maxItems: 2, items: { $ref: "#/components/schemas/Pet" } }
`);
  const mock = await TestMock.start({ routes: [file], log: () => {} });

  test('invents what its schema allows: the same for the same resource and seed', async () => {
    const pets = await Promise.all(Array.from({ length: 20 }, (_, at) => mock.call(`GET /pets/${at}`)));
    for (const { status, basis, body } of pets) {
      expect([status, basis]).toEqual([200, 'yours']);
      expect(body).toMatchObject({ id: expect.any(Number), name: expect.stringMatching(/^[A-Z][a-z]{2,8}$/) });
      expect(body).not.toHaveProperty('secret');
    }
    expect(new Set(pets.map(({ body }) => JSON.stringify(body))).size).toBeGreaterThan(15);
    expect((await mock.call('GET /pets/3')).body).toEqual(pets[3]?.body);
  });

  test('answers with its examples, and refuses requests that it does not allow', async () => {
    const body = { id: 1, name: 'Rex' };
    expect(await mock.call('POST /pets', { json: { ...body, id: 2 } })).toMatchObject({ status: 201, body });
    const refused = await mock.call('POST /pets', { json: { id: 1 } });
    expect([refused.status, refused.basis]).toEqual([400, 'yours']);
    expect(JSON.stringify(refused.body)).toContain('id, name');
    expect((await mock.call('POST /pets')).status).toBe(400);
    expect(JSON.stringify((await mock.call('GET /pets/x?verbose=3')).body)).toContain('verbose');
    expect((await mock.call('DELETE /pets/1')).status).toBe(401);
    expect((await mock.call('DELETE /pets/1', { token: await mock.token() })).status).toBe(204);
  });

  test('never answers with what its schema refuses', async () => {
    expect((await mock.call('GET /impossible')).status).toBe(500);
    const { data } = await mock.mock.control.GET('/journal');
    expect(data.entries[0]?.trace.error?.message).toContain('no value that fits its schema could be made');
  });

  test('an example that its schema refuses is reported at startup', async () => {
    const told: string[] = [];
    const content = '{ application/json: { schema: { type: string }, example: 7 } }';
    const text = openapi(`paths:\n  /a:\n    get: { responses: { "200": { content: ${content} } } }\n`);
    await loadRoutes([fileWith(text)], Answers.of(), (_level, message) => void told.push(message));
    const misfit = /:4:5: the example of its answer does not fit its schema: body must be string$/;
    expect(told).toEqual([expect.stringMatching(misfit)]);
  });
});

test('the schema for editors accepts the example, and knows its members', () => {
  const { value: schema } = readYamlFile(packageFile('spec', 'schemas', 'routes.schema.json'));
  const validate = newAjv().compile(schema as object);
  expect(validate(readYamlFile(packageFile('src', 'examples', 'whole-app', 'routes.yaml')).value)).toBe(true);
  expect(validate({ routes: [{ path: '/a', staus: 1 }] })).toBe(false);
});
