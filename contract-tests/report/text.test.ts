import { expect, test } from 'vitest';
import type { SuiteScore } from '../model.ts';
import { loadScore } from '../spec-data.ts';
import { check, report } from '../testing/report.ts';
import { renderHtml } from './html.ts';
import { renderMarkdown } from './markdown.ts';
import { scoreText } from './text.ts';

const score: SuiteScore = {
  faults: 200,
  killed: 199,
  killRate: 0.995,
  variants: 40,
  falseAlarms: 1,
  metaFaults: 20,
  metaFaultsConforming: 0,
};
const sentence =
  'The suite itself is measured: it catches 199 of 200 deliberate faults (99.5 %), raises 1 false alarm at 40 conforming variants, and finds 0 of 20 servers that do not implement the API to conform.';

test('the score is one sentence, and never rounded up', () => {
  expect(scoreText(score)).toBe(sentence);
  expect(scoreText({ ...score, killRate: 0.9999 })).toContain('(99.9 %)');
  expect(scoreText({ ...score, killRate: 1 })).toContain('(100 %)');
});

test('HTML and Markdown print the score where there is one', () => {
  const measured = report([check()], { score });
  expect(renderHtml(measured)).toContain(sentence);
  expect(renderMarkdown(measured).replaceAll('\\', '')).toContain(sentence);
  expect(renderHtml(report([check()]))).not.toContain('The suite itself is measured');
});

test('this version ships its score', () => {
  const shipped = loadScore();
  expect(shipped?.killed).toBe(shipped?.faults);
  expect(shipped).toMatchObject({ falseAlarms: 0, metaFaultsConforming: 0 });
});
