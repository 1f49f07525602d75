import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { Report } from '../model.ts';
import { check, report } from '../testing/report.ts';
import { renderMarkdown } from './markdown.ts';
import { renderTerminal } from './terminal.ts';

// Where CI is set, it is coloured.
const plainly = (judged: Report): string => stripVTControlCharacters(renderTerminal(judged));

test('what a pass does not show is said', () => {
  const remarked = report([check({ message: 'Every other tenant was refused.' })]);
  expect(plainly(remarked)).toContain('remark KEY-02: Every other tenant was refused.');
  expect(renderMarkdown(remarked)).toMatch(
    /Passed, with a remark: 1 check<\/summary>\s+- Every other tenant was refused/,
  );
});
