// `faults ID`, `gaps`, `gaps ID` and `gaps --questions`: texts that people read.
import { describe, expect, test } from 'vitest';
import { Answers } from '../core/profiles/answers.ts';
import { gapLedger } from '../core/spec/gaps.ts';
import { loadProfile } from '../server/files/profile-file.ts';
import { sourceDocument } from '../server/files/sections.ts';
import { runHere } from '../testing/command.ts';
import { fileWith } from '../testing/refused.ts';
import { gapRows, questionsText } from './gap-rows.ts';
import { gapDetail, gapDetailText } from './gap-texts.ts';

test('faults ID: what it does, what it violates, its parameters in words, and how it is armed', async () => {
  const { stdout, code } = await runHere(['faults', 'title-leading-zeros']);
  expect(stdout).toMatch(/^title-leading-zeros {2}\S[\s\S]*\nViolates\n {2}REC-22 \(section 4\.2\) \S/);
  expect(stdout).toContain('\n  platform-mock serve --fault title-leading-zeros\n');
  expect(code).toBe(0);
  const delay = await runHere(['faults', 'delay']);
  expect(delay.stdout).toMatch(/\nViolates\n {2}no requirement\n[\s\S]*\nParameters\n {2}ms: .+/);
  const json = await runHere(['faults', 'title-leading-zeros', '--json']);
  const violates = [{ id: 'REC-22', section: '4.2', statement: expect.any(String) }];
  expect(JSON.parse(json.stdout)).toMatchObject({ id: 'title-leading-zeros', kind: 'fault', violates });
});

const learned = fileWith(`name: staging
learnedFrom: https://staging.example.test
learnedAt: 2026-11-20T10:00:00Z
answers:

  # Which status does an invalid body or query get?
  #   PATCH /v1/echo/recordings/‹id› {"title":7} was answered 422
  validation-status: 422

  # What shape does an error body have?
  error-body: detail # told by their tech lead
  unknown-field: refuse
`);

describe('gaps ID', () => {
  test('prints that gap in full, and only that; or as JSON', async () => {
    const { code, stdout, stderr } = await runHere(['gaps', 'error-body']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^error-body {2}section 7: .+\nWhat shape does an error body have\?\n/);
    expect(stdout).toContain('> error-object: { error: { code, message, details } }  in force, assumed by default\n');
    expect(stdout).toMatch(/\n {4}problem: RFC 9457 problem details/);
    expect(stdout).toMatch(/\nEvidence\n {2}none: the answer is assumed; `platform-mock learn` observes it/);
    expect(stdout).toMatch(/section 7 leaves open: .*error body/);
    expect(stdout).toContain('answers: { error-body: "problem" }');
    expect(stdout).not.toContain('error-codes');
    const json = await runHere(['gaps', 'refresh-path', '--json', '--profile', 'rfc9457']);
    const given = { answer: '/v1/auth/token', from: { profile: 'rfc9457' } };
    const documented = { id: 'refresh-path', section: '5', requirements: [{ id: 'SSO-18' }] };
    expect(JSON.parse(json.stdout)).toMatchObject({ ...documented, ...given });
  });

  test.each([
    ['above the answer', 'validation-status', /learned from https:[\s\S]*\nEvidence\n {2}PATCH .* was answered 422\n/],
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
      expect(gapDetailText(detail)).toContain(question);
    }
  });
});

test('gaps shows where answers come from', async () => {
  const { stdout } = await runHere(['gaps', '--profile', learned]);
  expect(stdout).toMatch(
    /error-body .*\n +detail .*profile staging, learned from https:\/\/staging\.example\.test at 2026-11-20T10:00:00Z\n +or: error-object \| problem/,
  );
  expect(stdout).toMatch(/\d+ gaps: 3 answered by a profile, \d+ assumed by default\.\n$/);
});

describe('gaps --questions', () => {
  const questionsFor = (answers: Answers) => questionsText(gapRows(answers), sourceDocument());
  const all = gapLedger().gaps;

  test('without a profile every gap is a question, numbered, below its section: the assumption first, and an alternative', () => {
    const text = questionsFor(Answers.of());
    const numbered = text.match(/^\d+\. .+/gm) ?? [];
    expect(numbered.map((line) => Number.parseInt(line, 10))).toEqual(all.map((_, at) => at + 1));
    for (const { question } of all) expect(numbered.filter((line) => line.endsWith(question))).toHaveLength(1);
    const headings = [...text.matchAll(/^## Section (\S+): (.+)$/gm)];
    expect(headings.map(([, number]) => number)).toEqual([...new Set(all.map(({ section }) => section))].sort());
    expect(headings.map(([, , title]) => title)).toContain('SSO login');
    for (const block of text.split(/^\d+\. /m).slice(1)) expect(block).toMatch(/ - a\) .+\n +- b\) .+/);
    expect(text).toMatch(/^\d+\. Which status do missing credentials get\?\n +- a\) 401\n +- b\) 403\n/m);
    expect(text).toContain('   - a) UTC with Z and milliseconds\n   - b) UTC with +00:00 and microseconds\n');
    expect(text).toMatch(/- a\) upload, microphone, meeting\n +- b\) something else: what\?\n/);
  });

  test.each(['default', 'rfc9457'])('the example of a short answer is valid: %s', (name) => {
    const text = questionsFor(loadProfile(name));
    const number = /are enough \("(\d+)b"\)/.exec(text)?.[1];
    expect(text).toMatch(new RegExp(`^${number}\\. .+\\n +- a\\) .+\\n +- b\\) (?!something else)`, 'm'));
  });

  test('gaps that the profile answers are not asked, even if the answer is the assumption', async () => {
    const { stdout } = await runHere(['gaps', '--profile', learned, '--questions']);
    expect(stdout).toMatch(/^# Open questions about the Platform API\n/);
    expect(stdout).toContain(`We know 3 of the answers and ask for the other ${all.length - 3}.`);
    expect(stdout).not.toContain('What shape does an error body have?');
    expect(questionsFor(Answers.of({ 'wrong-type': 'refuse' }, 'staging'))).not.toContain('a number sent as title');
    expect(questionsFor(Answers.of(Answers.of().all, 'complete'))).toBe(
      '# Open questions about the Platform API\n\nNone: the profile answers all gaps.\n',
    );
  });
});
