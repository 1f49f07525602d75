// `verify --rules --model`: the example of docs/rules.md in every report, further rules and models, and mistakes in them.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '../../contract-tests/model.ts';
import { startMock } from '../index.ts';
import { packageFile } from '../server/files/package-root.ts';
import { runHere } from '../testing/command.ts';
import { blocksOf } from '../testing/paper.ts';

const block = (name: string): string => blocksOf(page).find(({ file }) => file === name)?.text ?? '';
const page = readFileSync(packageFile('docs', 'rules.md'), 'utf8');

// Within this package, whose types the module imports by its name.
mkdirSync(packageFile('.cache'), { recursive: true });
const folder = mkdtempSync(packageFile('.cache', 'rules-page-'));
afterAll(() => rmSync(folder, { recursive: true }));
function file(name: string, text = block(name)): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}
const routes = file('folders.yaml');
const own = ['--rules', file('our-rules.ts'), '--model', file('our-model.yaml')];

const ruleOf = (id: string, requirement: string, judge: string): string =>
  `export default { id: '${id}', requirements: ['${requirement}'], title: 't', *judge({ entries }) { ${judge} } };`;
const RENAMING = `for (const entry of entries) if (entry.path === '/v1/folders/fld%20calls' && entry.answer.response.body === 'fld calls') yield { state: 'shown', by: [entry] };`;

async function verify(given: string, ...args: string[]) {
  await using mock = await startMock({ routes: [given] });
  const reports = join(folder, 'reports');
  const ended = await runHere(['verify', '--base-url', mock.baseUrl, '--report-dir', reports, ...args]);
  const read = (name: string): string => readFileSync(join(reports, name), 'utf8');
  return { ...ended, read, report: JSON.parse(read('report.json')) as Report };
}

test('every report has the rule under its own requirement', async () => {
  const { code, report, read } = await verify(routes, ...own, '--only', 'OUR-01');
  expect([code, report.verdict]).toEqual([1, 'violates']);
  const section = 'our-rules.ts';
  expect(report.requirements).toEqual([expect.objectContaining({ id: 'OUR-01', section, outcome: 'violation' })]);
  for (const name of ['report.html', 'report.md', 'junit.xml'])
    expect(read(name)).toMatch(/OUR-01[\s\S]*our-rules\.ts|our-rules\.ts[\s\S]*OUR-01/);
});

test('a service that follows the rule conforms, and gets the values and requests of the model', async () => {
  const good = file('good.yaml', block('folders.yaml').replace('{ path', '{ auth: required, path'));
  const { stdout, report } = await verify(good, ...own);
  expect(stdout).toContain('conforms (exit 0)');
  expect(report.checks.filter(({ outcome }) => outcome === 'pass').length).toBeGreaterThan(100);
  expect(report.leftovers.join()).not.toContain('put back');
  const skipped = await verify(good, ...own, '--only', 'OUR-01', 'SSO-06', '--skip', 'OUR-01');
  expect(skipped.report.checks.map(({ id }) => id)).toEqual(['sso-token-type']);
});

test.each(['POST', 'PUT', 'DELETE'])(
  'a %s by the operation of an OpenAPI document writes: the plan lists it, and the report says that nothing undoes it',
  async (method) => {
    const paths = { '/v1/folders/{folderId}': { [method.toLowerCase()]: { operationId: 'renameFolder' } } };
    file('openapi.json', JSON.stringify({ openapi: '3.1.0', paths }));
    const params = { folderId: 'fld calls' };
    const requests = [{ id: 'rename', why: 'ours', operation: 'renameFolder', params, json: { name: 'x' } }];
    const model = file('writing.yaml', JSON.stringify({ openapi: 'openapi.json', requests }));
    const renamed = `${method} /v1/folders/{folderId} (request rename of --model)`;
    const kept = file(
      'kept.yaml',
      `{ routes: [{ method: ${method}, path: "/v1/folders/{id}", body: "{{ params.id }}" }] }`,
    );
    const rules = file('renaming.mjs', ruleOf('our-rename', 'OUR-02', RENAMING));
    const { report } = await verify(kept, '--model', model, '--rules', rules, '--only', 'OUR-02', '--requests', '30');
    expect(report.checks).toEqual([expect.objectContaining({ id: 'our-rename', outcome: 'pass' })]);
    expect(report.leftovers).toContain(`what ${renamed} changed`);
    expect(report.requests?.total).toBeLessThanOrEqual(30);
    await using mock = await startMock();
    const { stdout } = await runHere(['verify', '--base-url', mock.baseUrl, '--model', model, '--plan']);
    expect(stdout).toContain(`  - ${renamed}\n`);
  },
);

test('a rule that fails is an error, never a pass', async () => {
  const rules = file('failing.mjs', ruleOf('our-own', 'OUR-03', 'throw new Error("what is this");'));
  const { code, report } = await verify(routes, '--rules', rules, '--only', 'our-own');
  const message = 'the rule itself failed: what is this';
  expect([code, report.checks[0]]).toMatchObject([3, { outcome: 'error', message }]);
});

test.each([
  ['none.ts', undefined, 'none.ts: there is no such file.'],
  ['', undefined, ': this is no file.'],
  ['syntax.ts', 'export default [\n  .', 'syntax.ts: cannot be loaded: Unexpected token (line 2).'],
  ['empty.mjs', 'export default [];', 'there is no rule in it: a rule is { id, requirements, title, judge(log) }'],
  ['id.mjs', 'export default [{}];', 'rule 1: a rule is { id, requirements, title, judge(log) } with ids'],
  ['ours.mjs', ruleOf('our-own', 'REC-01', ''), 'REC-01 is the id of a rule'],
  ['list.yaml', '[]', 'list.yaml: a model is a map with recording, api-keys, openapi and requests.'],
  ['name.yaml', 'request: []', 'name.yaml:1: request is not known; known are: recording, api-keys,'],
  ['why.yaml', 'requests:\n- { id: a, path: /v1/a }', "why.yaml:2: requests.0 must have required property 'why'."],
  ['both.yaml', 'requests: [{ id: a, why: b }]', 'both.yaml:1: a request has path, or operation, which'],
  ['api.yaml', 'requests: [{ id: a, why: b, operation: c }]', 'a request has path, or operation, which openapi'],
  ['twice.yaml', 'recording: { dimensions: { title: [{ id: plain, value: x, why: y }] } }', 'is plain already.'],
])('%s cannot be used: exit 2 with one clear line', async (name, text, told) => {
  const path = text === undefined ? join(folder, name) : file(name, text);
  const { code, stderr } = await runHere(['verify', name.endsWith('.yaml') ? '--model' : '--rules', path]);
  expect([code, stderr.trimEnd().split('\n')]).toEqual([2, [expect.stringContaining(told)]]);
});
