import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { gapLedger } from '../core/spec/gaps.ts';
import { loadProfile } from '../server/files/profile-file.ts';
import { runHere } from '../testing/command.ts';
import { gapDetail, gapDetailText } from './gap-detail.ts';
import { gapRows } from './gap-rows.ts';

const learned = join(testFolder(), 'learned.yaml');
writeFileSync(
  learned,
  `name: staging
learnedFrom: https://staging.example.test
learnedAt: 2026-11-20T10:00:00Z
answers:

  # Which status does an invalid body or query get?
  #   PATCH /v1/echo/recordings/‹id› {"title":7} was answered 422
  validation-status: 422

  # What shape does an error body have?
  error-body: detail # told by their tech lead
  unknown-field: refuse
`,
);

describe('gaps ID', () => {
  test('prints that gap in full, and only that', async () => {
    const { code, stdout, stderr } = await runHere(['gaps', 'error-body']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^error-body {2}section 7: .+\nWhat shape does an error body have\?\n/);
    expect(stdout).toContain('> error-object: { error: { code, message, details } }  in force, assumed by default\n');
    expect(stdout).toMatch(/\n {4}problem: RFC 9457 problem details/);
    expect(stdout).toMatch(/\nEvidence\n {2}none: the answer is assumed; `platform-mock learn` observes it/);
    expect(stdout).toMatch(/section 7 leaves open: .*error body/);
    expect(stdout).toContain('answers: { error-body: "problem" }');
    expect(stdout).not.toContain('error-codes');
  });

  test('--json prints the same as JSON', async () => {
    const { stdout } = await runHere(['gaps', 'refresh-path', '--json', '--profile', 'rfc9457']);
    expect(JSON.parse(stdout)).toMatchObject({
      id: 'refresh-path',
      section: '5',
      answer: '/v1/auth/token',
      from: { profile: 'rfc9457' },
      requirements: [{ id: 'SSO-18' }],
    });
  });
});

test('gaps shows where answers come from, and --questions asks for the others', async () => {
  const ledger = await runHere(['gaps', '--profile', learned]);
  expect(ledger.stdout).toMatch(
    /error-body .*\n +detail .*profile staging, learned from https:\/\/staging\.example\.test at 2026-11-20T10:00:00Z\n +or: error-object \| problem/,
  );
  expect(ledger.stdout).toMatch(/\d+ gaps: 3 answered by a profile, \d+ assumed by default\.\n$/);
  const questions = await runHere(['gaps', '--profile', learned, '--questions']);
  expect(questions.stdout).toMatch(/^# Open questions about the Platform API\n/);
  expect(questions.stdout).not.toContain('What shape does an error body have?');
});

test.each([
  [
    'above the answer',
    'validation-status',
    /profile staging, learned from https:[\s\S]*\nEvidence\n {2}PATCH .* was answered 422\n/,
  ],
  ['behind it', 'error-body', /\nEvidence\n {2}told by their tech lead\n/],
  ['none: it was added by hand, not learned', 'unknown-field', /in force, profile staging, added by hand/],
  ['none of an assumed answer', 'wrong-type', /\nEvidence\n {2}none: the answer is assumed/],
])('the evidence is the comments of the profile: %s', async (_place, id, text) => {
  const { stdout } = await runHere(['gaps', id, '--profile', learned]);
  expect(stdout).toMatch(text);
  expect(stdout.includes('added by hand')).toBe(id === 'unknown-field');
});

test('every gap has a complete detail', async () => {
  for (const { id, question } of gapLedger().gaps) {
    const detail = gapDetail(gapRows(loadProfile(undefined)), id, undefined);
    expect(detail.sectionTitle, id).not.toBe('');
    expect(detail.openPoints.length, id).toBeGreaterThan(0);
    expect(await gapDetailText(detail)).toContain(question);
  }
});
