// Profiles at the command line.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openapiOverlay } from 'openapi-format';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runHere } from '../testing/command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platform-mock-profiles-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function fileWith(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

test('spec --overlay turns the default document into that of the profile, applied by an independent implementation', async () => {
  const base = await runHere(['spec']);
  const resolved = await runHere(['spec', '--profile', 'rfc9457']);
  const overlay = await runHere(['spec', '--profile', 'rfc9457', '--overlay']);
  const overlaySet = parse(overlay.stdout);
  expect(overlaySet).toMatchObject({ overlay: '1.0.0', info: { 'x-answers': { 'error-body': 'problem' } } });
  const { data } = await openapiOverlay(parse(base.stdout), { overlaySet });
  expect(data).toEqual(parse(resolved.stdout));
});

test('gaps shows the origin of a learned answer, and --questions asks for the others', async () => {
  const file = await fileWith(
    'learned.yaml',
    'name: staging\nlearnedFrom: https://staging.example.test\nlearnedAt: 2026-11-20T10:00:00Z\nanswers:\n  error-body: detail\n',
  );
  const ledger = await runHere(['gaps', '--profile', file]);
  const questions = await runHere(['gaps', '--profile', file, '--questions']);
  expect(ledger.stdout).toMatch(
    /error-body .*\n +detail .*profile staging, learned from https:\/\/staging\.example\.test at 2026-11-20T10:00:00Z\n +or: error-object \| problem/,
  );
  expect(ledger.stdout).toMatch(/\d+ gaps: 1 answered by a profile, \d+ assumed by default\.\n$/);
  expect(questions.stdout).toMatch(/^# Open questions about the Platform API\n/);
  expect(questions.stdout).not.toContain('What shape does an error body have?');
});
