import { expect, test } from 'vitest';
import { Answers } from '../core/profiles/answers.ts';
import { gapLedger } from '../core/spec/gaps.ts';
import { loadProfile } from '../server/files/profile-file.ts';
import { sourceDocument } from '../server/files/sections.ts';
import { questionsText } from './gap-questions.ts';
import { gapRows } from './gap-rows.ts';

const questionsFor = (answers: Answers) => questionsText(gapRows(answers), sourceDocument());
const all = gapLedger().gaps;

test('without a profile every gap is a question, numbered consecutively, below its section', () => {
  const text = questionsFor(Answers.of());
  const numbered = text.match(/^\d+\. .+/gm) ?? [];
  expect(numbered.map((line) => Number.parseInt(line, 10))).toEqual(all.map((_, at) => at + 1));
  for (const { question } of all) expect(numbered.filter((line) => line.endsWith(question))).toHaveLength(1);
  const headings = [...text.matchAll(/^## Section (\S+): (.+)$/gm)];
  expect(headings.map(([, number]) => number)).toEqual([...new Set(all.map(({ section }) => section))].sort());
  expect(headings.map(([, , title]) => title)).toContain('SSO login');
});

test('each question has the assumption first, and at least one alternative', () => {
  const text = questionsFor(Answers.of());
  for (const block of text.split(/^\d+\. /m).slice(1)) expect(block).toMatch(/ - a\) .+\n +- b\) .+/);
  expect(text).toContain(`46. Which status do missing credentials get?\n    - a) 401\n    - b) 403\n`);
  expect(text).toContain('   - a) UTC with Z and milliseconds\n   - b) UTC with +00:00 and microseconds\n');
  expect(text).toMatch(/- a\) upload, microphone, meeting\n +- b\) something else: what\?\n/);
});

test.each(['default', 'rfc9457'])('the example of a short answer is valid: %s', (name) => {
  const text = questionsFor(loadProfile(name));
  const number = /are enough \("(\d+)b"\)/.exec(text)?.[1];
  expect(text).toMatch(new RegExp(`^${number}\\. .+\\n +- a\\) .+\\n +- b\\) (?!something else)`, 'm'));
});

test('gaps that the profile answers are not asked, even if the answer is the assumption', () => {
  const answers = Answers.of({ 'error-body': 'detail', 'wrong-type': 'refuse' }, 'staging');
  const text = questionsFor(answers);
  expect(text).toContain(`We know 2 of the answers and ask for the other ${all.length - 2}.`);
  expect(text).not.toContain('What shape does an error body have?');
  expect(text).not.toContain('a number sent as title');
});

test('a profile that answers all gaps leaves no questions', () => {
  expect(questionsFor(Answers.of(Answers.of().all, 'complete'))).toBe(
    '# Open questions about the Platform API\n\nNone: the profile answers all gaps.\n',
  );
});

test('alternatives are the other answers with their meanings', () => {
  const row = gapRows(Answers.of({ 'unknown-tenant': 'empty' }, 'mine')).find(({ id }) => id === 'unknown-tenant');
  expect(row).toMatchObject({ answer: 'empty', meaning: 'an empty list', closed: true });
  expect(row?.alternatives).toEqual([
    { answer: 'not-found', meaning: '404' },
    { answer: 'forbidden', meaning: 'refused as not permitted' },
  ]);
});
