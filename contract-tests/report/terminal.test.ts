import { expect, test } from 'vitest';
import { renderMarkdown } from './markdown.ts';
import { renderTerminal } from './terminal.ts';
import { check, report } from './testing-report.ts';

test('numbers and nouns agree', () => {
  expect(renderTerminal(report([check()]))).toMatch(/^1 check: 1 pass in /m);
  expect(renderTerminal(report([check(), check({ id: 'other' })]))).toMatch(/^2 checks: 2 pass in /m);
});

test('what a pass does not show is said', () => {
  const remarked = report([check({ message: 'Every other tenant was refused.' })]);
  expect(renderTerminal(remarked)).toContain('remark KEY-02: Every other tenant was refused.');
  expect(renderMarkdown(remarked)).toMatch(
    /Passed, with a remark: 1 check<\/summary>\s+- Every other tenant was refused/,
  );
});
