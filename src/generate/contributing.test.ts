// CONTRIBUTING.md stays true: its diffs apply, and what is made by its steps, in a copy of the tree, works and touches as few files as it says.

import { execFile } from 'node:child_process';
import { cpSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { packageFile } from '../server/files/package-root.ts';

const root = packageFile();
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
const run = promisify(execFile);

function patchIn(title: string): string {
  const section = contributing.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
  const diffs = [...section.matchAll(/^( *)```diff\n([\s\S]*?)^ *```$/gm)];
  expect(diffs).not.toEqual([]);
  return diffs.map(([, indent = '', diff = '']) => diff.replaceAll(new RegExp(`^${indent}`, 'gm'), '')).join('');
}

let copy = '';

beforeAll(async () => {
  copy = realpathSync(testFolder());
  const left = ['node_modules', '.git', '.cache', 'coverage', 'platform-mock-report'];
  cpSync(root, copy, { recursive: true, filter: (path) => !left.includes(basename(path)) });
  symlinkSync(realpathSync(join(root, 'node_modules')), join(copy, 'node_modules'));
  await git('init', '--quiet');
  await git('add', '--all');
  await git('-c', 'user.name=test', '-c', 'user.email=test@example.test', 'commit', '--quiet', '--message=base');
});

const git = async (...args: string[]): Promise<string> =>
  (await run('git', args, { cwd: copy, env: { ...process.env, GIT_DIR: join(copy, '.git') } })).stdout;

async function apply(patch: string, ...options: string[]): Promise<void> {
  const file = join(copy, '.git', 'walk.diff');
  writeFileSync(file, patch);
  // Lines that are two away from a change may differ.
  await git('apply', '-C1', ...options, file);
}

/** Runs a program of a package in the copy. */
async function node(program: string, ...args: string[]): Promise<void> {
  const env = { ...process.env, VITEST: undefined, VITEST_WORKER_ID: undefined, VITEST_POOL_ID: undefined };
  const file = join(copy, 'node_modules', program);
  await run(process.execPath, [file, ...args], { cwd: copy, env }).catch((error) => {
    throw new Error(stripVTControlCharacters(`${error.stdout}\n${error.stderr}`));
  });
}

/** Runs tests in the copy; the names of those that passed. */
async function passing(...args: string[]): Promise<string[]> {
  const report = join(copy, '.git', 'tests.json');
  await node('vitest/vitest.mjs', 'run', ...args, '--reporter=default', '--reporter=json', `--outputFile=${report}`);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: { fullName: string; status: string }[] }[];
  };
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName.replaceAll("'", '')),
  );
}

/** The files that differ from the tree as it is. What the build writes is not committed. */
async function touched(): Promise<string[]> {
  const status = await git('status', '--porcelain', '--untracked-files=all');
  return status.split('\n').flatMap((line) => (line === '' ? [] : [line.slice(3)]));
}

test.each(['Add a gap', 'Add what is asked', 'Add a rule', 'Add a fault', 'Add a documented operation'])(
  'the diffs of "%s" apply',
  (title) => apply(patchIn(title), '--check'),
);

// Far more than it takes: processes that start on a busy machine are slow.
describe('in a copy of the tree', { timeout: 600_000 }, () => {
  afterEach(async () => {
    await git('reset', '--hard', '--quiet');
    await git('clean', '--force', '--quiet', 'src', 'contract-tests');
  });

  test('the gap: each of its answers comes back, and seven files differ', async () => {
    await apply(patchIn('Add a gap'));
    await passing('src/generate/generated.test.ts', '--update');
    const files = ['contract-tests/readers/round-trip.test.ts', 'src/core/spec', 'src/generate/api-page.test.ts'];
    const passed = await passing(...files, '-t', 'blank-title|^every |^the gaps of |^default.yaml ');
    expect(passed.filter((name) => name.startsWith('the probe'))).toEqual([
      expect.stringMatching(/blank-title accept$/),
      expect.stringMatching(/blank-title refuse$/),
    ]);
    expect(passed).toContain('the document with blank-title: accept is valid OpenAPI 3.1');
    expect(await touched()).toEqual([
      'contract-tests/plan/gaps.ts',
      'contract-tests/plan/questions.ts',
      'docs/api.md',
      'spec/gaps.yaml',
      'spec/openapi.yaml',
      'src/core/spec/api-types.ts',
      'src/core/spec/shared-types.ts',
    ]);
  });

  test('the rule: what --only sends shows it, and it catches its fault', async () => {
    await apply(patchIn('Add a rule'));
    writeFileSync(
      join(copy, 'src', 'score', 'measured.test.ts'),
      measured('updated-at-back', 'REC-20', 'recording-updated-later'),
    );
    expect(
      await passing(
        'contract-tests/commands/only.test.ts',
        'src/score/measured.test.ts',
        '-t',
        'recording-updated-later|its fault',
      ),
    ).toEqual(expect.arrayContaining(['--only recording-updated-later shows it', 'measured: its fault']));
  });

  test('the operation: 24 of its 25 checks came by themselves, --only shows each, and a spoiled answer is found', async () => {
    await apply(patchIn('Add a documented operation'));
    await passing('src/generate/generated.test.ts', '--update');
    expect(await touched()).toHaveLength(15);
    await node('typescript/bin/tsc', '--noEmit', '--incremental', 'false');
    writeFileSync(join(copy, 'contract-tests', 'spoiled.test.ts'), spoiled);
    const shown = await passing(
      'contract-tests/commands/only.test.ts',
      'contract-tests/spoiled.test.ts',
      '-t',
      'read|spoiled',
    );
    expect(shown.filter((name) => /^--only (read-.*|.*-read) shows it$/.test(name))).toHaveLength(25);
    expect(shown).toContain('a spoiled answer is found');
  });

  test('the value: nothing else catches its fault, and three files differ', async () => {
    await apply(patchIn('Add what is asked'));
    // As `npm run score -- --update` does, which measures everything and takes minutes.
    const file = join(copy, 'spec', 'score.json');
    const score = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
    for (const name of ['faults', 'killed']) score[name] = Number(score[name]) + 1;
    writeFileSync(file, `${JSON.stringify(score, null, 2)}\n`);
    expect(await touched()).toEqual(['spec/coverage.yaml', 'spec/score.json', 'src/core/faults/titles.ts']);
    writeFileSync(
      join(copy, 'src', 'score', 'measured.test.ts'),
      measured('title-without-reply', 'REC-22', 'recording-title-exact'),
    );
    expect(await passing('src/score', 'src/core/faults/faults.test.ts')).toEqual(
      expect.arrayContaining(['measured: its fault', 'measured: the mock conforms']),
    );
  });
});

const measured = (fault: string, requirement: string, check: string): string => `
import { expect, test } from 'vitest';
import { run } from './run.ts';

test('measured: its fault', async () => {
  const seen = await run({ kind: 'fault', id: '${fault}' });
  expect(seen).toMatchObject({ ownViolations: 0, violated: ['${requirement}'], checks: ['${check}'] });
});

test('measured: the mock conforms', async () => {
  expect(await run({ kind: 'variant', id: 'profile default' })).toMatchObject({ alarms: [], coverage: [] });
});
`;

/** A proxy before the second implementation takes a field from recordings that are read, and breaks an enum and a date. */
const spoiled = `
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { startSecondImplementation } from '../fixtures/servers/second/server.ts';
import { verifyAt } from './testing/judge.ts';

test('a spoiled answer is found', async () => {
  await using server = await startSecondImplementation({});
  const proxy = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const { authorization = '', 'content-type': type = '' } = request.headers;
    const headers = { ...(authorization && { authorization }), ...(type && { 'content-type': type }) };
    const sent = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
    const answer = await fetch(server.target.baseUrl + request.url, { method: request.method, headers, ...sent });
    const text = await answer.text();
    const isRead = answer.ok && request.method === 'GET' && request.url?.includes('/recordings/');
    const { quality, ...record } = isRead ? JSON.parse(text) : {};
    const body = isRead ? JSON.stringify({ ...record, status: 'done', created_at: 'yesterday' }) : text;
    response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' }).end(body);
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  const { port } = proxy.address() as { port: number };
  const report = await verifyAt({ ...server.target, baseUrl: \`http://127.0.0.1:\${port}\` }, { probe: false, only: ['read-quality', 'read-status', 'read-created-at'] });
  proxy.closeAllConnections();
  proxy.close();
  const found = report.checks.filter(({ outcome }) => outcome === 'violation').map(({ id }) => id);
  expect(found).toEqual(expect.arrayContaining(['read-quality', 'read-status', 'read-created-at']));
});
`;
