import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
  return reasonsOf(() => loadRoutes([file], Answers.of()), file);
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
  [route('    answers:\n      - headers:\n          X-A: "a\\n"\n'), /^FILE:5:11: answers\.0\.headers\.X-A .*break/],
  ['routes: [\n', /^FILE:\d: not YAML: /],
  ['routes: []\ntables:\n  a:\n    - { name: x }\n', /^FILE:4:7: a\.0 needs an id, a text$/],
  ['routes: []\ntables:\n  a:\n    - { id: x }\n    - { id: x }\n', /^FILE:5:9: the id x is used twice in a$/],
  [route('  - path: /v1/x\n'), /^FILE:3: GET \/v1\/x never answers: FILE:2 does, always; give .*this one override/],
  ['- path: /v1/api-tokens/scopes\n', /^FILE:1: GET \/v1\/api-tokens\/scopes is documented \(listTokenScopes\)/],
  [openapi('info: {}\n'), /^FILE:1:1: paths is missing/],
  [openapi('paths: { /a: { $ref: other.yaml } }'), /^FILE:2:16: other.yaml is in another file: a path needs /],
  [openapi('paths: { /a: { get: { x-mock-auth: all } } }'), /^FILE:2:23: x-mock-auth must be one of none, required, /],
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
  const load = (file: string) => loadRoutes([file], Answers.of());
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

test('the schema for editors accepts the example, and knows its members', () => {
  const { value: schema } = readYamlFile(packageFile('spec', 'schemas', 'routes.schema.json'));
  const validate = newAjv().compile(schema as object);
  expect(validate(readYamlFile(packageFile('src', 'examples', 'whole-app', 'routes.yaml')).value)).toBe(true);
  expect(validate({ routes: [{ path: '/a', staus: 1 }] })).toBe(false);
});
