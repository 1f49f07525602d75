// Tools as they are shipped, with the document that a running sandbox serves and a token of that sandbox: each runs what it
// imported, and gets the answers that the document promises.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { connectMock, startMock } from 'platform-mock';
import { afterAll, expect, test, vi } from 'vitest';
import { testFolder } from '../../contract-tests/testing/folder.ts';

const packages = join(import.meta.dirname, 'clients', 'node_modules');
const own = join(import.meta.dirname, '..', '..', 'node_modules');
const run = promisify(execFile);

/** In CI everything has to be there. */
const isThere = (file: string): boolean => Boolean(process.env.CI) || existsSync(file);
const hasJava = Boolean(process.env.CI) || spawnSync('java', ['-version']).status === 0;
const notInstalled = 'it is not installed; npm run clients:install installs it';

const mock = await startMock();
const folder = testFolder();
afterAll(() => mock.close());

/** A sandbox with its document in a file, and a token of its administrator. */
async function world(name: string) {
  const baseUrl = `${mock.baseUrl}/~${name}`;
  const { control } = connectMock(baseUrl);
  const { data: document } = await control.GET('/spec.json');
  const { data } = await control.POST('/tokens', { body: { user: 'usr_ada', kind: 'access' } });
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(document));
  return { baseUrl, file, token: data.token };
}

/** Runs a program; what it printed, also where it failed. */
async function output(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, NODE_OPTIONS: '', ...env }, maxBuffer: 64 * 1024 * 1024 };
  const { stdout, stderr } = await run(program, args, options).catch(
    (failed) => failed as { stdout: string; stderr: string },
  );
  return stripVTControlCharacters(`${stdout}\n${stderr}`);
}

const node = (script: string, ...args: string[]) => output(process.execPath, [script, ...args]);

// Far more than it takes: processes that start on a busy machine are slow.
vi.setConfig({ testTimeout: 900_000 });

const successes = ['200', '200', '200', '200', '200', '200', '201'];

test('Postman: its collection, with parameters from the examples, gets seven of seven', async ({ skip }) => {
  const newman = join(packages, 'newman', 'bin', 'newman.js');
  if (!isThere(newman)) skip(notInstalled);
  const { file, token } = await world('postman');
  const collection = join(folder, 'collection.json');
  const convert = join(packages, 'openapi-to-postmanv2', 'bin', 'openapi2postmanv2.js');
  await node(convert, '-s', file, '-o', collection, '-O', 'parametersResolution=Example');
  const seen = await node(newman, 'run', collection, '--env-var', `bearerToken=${token}`);
  expect([...seen.matchAll(/\[(\d{3}) [^\]]*\]/g)].map(([, status]) => status).sort(), seen).toEqual(successes);
});

test('Bruno: its import gets seven of seven', async ({ skip }) => {
  const bruno = join(packages, '@usebruno', 'cli', 'bin', 'bru.js');
  if (!isThere(bruno)) skip(notInstalled);
  const { file, token } = await world('bruno');
  await node(bruno, 'import', 'openapi', '--source', file, '--output', join(folder, 'bruno'));
  const options = { cwd: join(folder, 'bruno'), env: { ...process.env, NODE_OPTIONS: '' } };
  const args = [bruno, 'run', '--env', 'Environment 1', '--env-var', `token=${token}`, '-r'];
  const { stdout } = await run(process.execPath, args, options);
  const statuses = [...stripVTControlCharacters(stdout).matchAll(/\((\d{3}) /g)].map(([, status]) => status);
  expect(statuses.sort(), stdout).toEqual(successes);
});

test('Redocly respect: the workflows that it generates get seven of seven', async ({ skip }) => {
  // It takes as long as all of them together.
  if (!isThere(packages)) skip('it runs with the others: npm run test:clients');
  const { file, token } = await world('redocly');
  const redocly = join(own, '@redocly', 'cli', 'bin', 'cli.js');
  const flows = join(folder, 'flows.arazzo.yaml');
  await node(redocly, 'generate-arazzo', file, '--output-file', flows);
  const seen = await node(redocly, 'respect', flows, '--input', `bearer=${token}`);
  expect(seen).toContain('Workflows: 7 passed, 7 total');
  expect(seen).toMatch(/Checks: (\d+) passed, \1 total/);
});

test('Specmatic: its contract tests all pass, those of refusals too', async ({ skip }) => {
  const jar = join(packages, 'specmatic', 'specmatic.jar');
  if (!isThere(jar)) skip(notInstalled);
  if (!hasJava) skip('it needs Java');
  // Not by its own name: specmatic.json would be its configuration.
  const { file, token, baseUrl } = await world('contract');
  const seen = await output('java', ['-jar', jar, 'test', file, `--testBaseURL=${baseUrl}`], { bearer: token });
  const [, tests, passed] = /Tests run: (\d+), Successes: (\d+), Failures: 0/.exec(seen) ?? [];
  expect(passed, seen).toBe(tests);
  expect(Number(tests), seen).toBeGreaterThanOrEqual(20);
});
