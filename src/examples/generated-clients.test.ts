// What generators make of the document that a running sandbox serves: it compiles strictly, and makes the seven calls.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startMock } from 'platform-mock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiDocument, type JsonObject, operationsOf } from '../core/spec/document.ts';
import type { Json } from '../core/spec/gaps.ts';
import { parametersIn } from '../core/validation/schemas.ts';
import { usesOf } from '../testing/every-field.ts';
import { generators } from './generators.ts';

const folder = join(import.meta.dirname, 'clients');
const packages = join(folder, 'node_modules');
const profiles = ['default', 'rfc9457', 'nest'];
const run = promisify(execFile);
const env = { ...process.env, NODE_OPTIONS: '', DO_NOT_TRACK: '1', CI: '1' };

/** In CI they have to be. */
const isInstalled = Boolean(process.env.CI) || existsSync(packages);
const cases = profiles.flatMap((profile) => Object.keys(generators).map((generator) => ({ profile, generator })));

type Document = ApiDocument & { readonly servers: readonly [{ readonly url: string }] };

/** The value of the first example of a parameter or of a body. */
const firstOf = (element: { readonly examples?: Json; readonly schema?: Json } = {}): unknown =>
  Object.values((element.examples ?? {}) as JsonObject).map((example) => (example as JsonObject).value)[0];

/** The module with what the calls send: the first example of everything. */
function worldModule(document: Document): string {
  const operations = operationsOf(document);
  const pathOf = (id: string) => operations.find(({ operation }) => operation.operationId === id)?.path;
  const bodies = operations.flatMap(({ operation: { operationId, requestBody } }) =>
    requestBody ? [[operationId, firstOf(requestBody.content['application/json'])]] : [],
  );
  const parameters = operations.flatMap(({ path, operation }) => parametersIn(document, path, operation.parameters));
  const ids = parameters.flatMap((one) => (one.in === 'path' ? [[one.name, firstOf(one)]] : []));
  const provider = parameters.find(({ name }) => name === 'provider') ?? {};
  return `
    export const baseUrl = ${JSON.stringify(document.servers[0].url)};
    export const refreshPath = ${JSON.stringify(pathOf('refreshAccessToken'))};
    export const scopesPath = ${JSON.stringify(pathOf('listTokenScopes'))};
    export const bodies = ${JSON.stringify(Object.fromEntries(bodies))};
    export const ids = ${JSON.stringify(Object.fromEntries(ids))};
    // As an app has them: any object, and a word of which the compiler does not know that it is one of the seven.
    const analysis: Record<string, unknown> = { key_topics: ['scope'] };
    const provider: string = ${JSON.stringify(firstOf(provider))};
    export const words = { analysis, provider };
  `;
}

/** Generates the client of one world next to its calls; the statuses that the document promises. */
async function generate(profile: string, generator: string, baseUrl: string): Promise<number[]> {
  const target = join(folder, 'generated', profile, generator);
  await mkdir(target, { recursive: true });
  const document = (await (await fetch(`${baseUrl}/~${generator}/_mock/spec.json`)).json()) as Document;
  const { bin, args, files = {}, calls = generator, bodyType } = generators[generator] ?? { bin: '', args: [] };
  const answers = "import type { answers } from './calls.ts';\ntype Answers = Awaited<ReturnType<typeof answers>>;\n";
  if (bodyType) await writeFile(join(target, 'uses.ts'), answers + usesOf(document, bodyType));
  const written = { ...files, 'api.json': JSON.stringify(document), 'world.ts': worldModule(document) };
  for (const [name, text] of Object.entries(written)) await writeFile(join(target, name), text);
  await copyFile(join(folder, 'calls', `${calls}.ts`), join(target, 'calls.ts'));
  await run(process.execPath, [join(packages, bin), ...args], { cwd: target, env });
  return operationsOf(document).map(({ operation }) =>
    Number(Object.keys(operation.responses).find((status) => status.startsWith('2'))),
  );
}

if (!isInstalled)
  test('generated clients', ({ skip }) =>
    skip('their generators are not installed; npm run clients:install installs them'));

describe.runIf(isInstalled)('generated clients', () => {
  const mocks = new Map<string, Awaited<ReturnType<typeof startMock>>>();
  const promised = new Map<string, number[]>();
  let compiled = '';

  beforeAll(async () => {
    await rm(join(folder, 'generated'), { recursive: true, force: true });
    for (const profile of profiles) mocks.set(profile, await startMock({ profile }));
    await Promise.all(
      profiles.map(async (profile) => {
        const { baseUrl } = mocks.get(profile) ?? { baseUrl: '' };
        for (const generator of Object.keys(generators))
          promised.set(`${profile} ${generator}`, await generate(profile, generator, baseUrl));
      }),
    );
    const tsc = join(packages, 'typescript', 'lib', 'tsc.js');
    compiled = await run(process.execPath, [tsc, '--project', folder], { env }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
    // Far more than it takes: processes that start on a busy machine are slow.
  }, 900_000);
  afterAll(async () => {
    for (const mock of mocks.values()) await mock.close();
  });

  test.each(cases)('$generator under $profile compiles, and makes the seven calls', async ({ profile, generator }) => {
    const own = compiled.split('\n').filter((line) => line.includes(`generated/${profile}/${generator}/`));
    expect(own).toEqual([]);
    const module = join(folder, 'generated', profile, generator, 'calls.ts');
    const { calls } = (await import(/* @vite-ignore */ module)) as { calls(): Promise<number[]> };
    const statuses = await calls();
    expect(statuses).toHaveLength(7);
    expect(statuses).toEqual(promised.get(`${profile} ${generator}`));
    expect(mocks.get(profile)?.worlds.find(generator)?.ownViolations).toBe(0);
  });
});
