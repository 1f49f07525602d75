import { expect, test } from 'vitest';
import { check, report } from '../testing/report.ts';
import { renderAnnotations } from './github.ts';

const finding = (id: string, message: string, known?: string) =>
  check({ id, requirements: ['SSO-06'], outcome: 'violation', message, exchanges: [], ...(known && { known }) });

test('each finding is an annotation, escaped; a known one is a warning', () => {
  const text = renderAnnotations(
    report([finding('sso-token-type', '100 %\n::error::x'), finding('other', 'Known (why). m', 'why')]),
  );
  expect(text).toBe(
    '::error title=violates::One sentence about the run.\n::error title=sso-token-type (SSO-06)::100 %25%0A::error::x\n::warning title=other (SSO-06)::Known (why). m\n',
  );
});

test('more findings than GitHub shows are counted in the last annotation', () => {
  const lines = renderAnnotations(report(Array.from({ length: 30 }, (_, index) => finding(`check-${index}`, 'm'))))
    .trim()
    .split('\n');
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toContain('22 more');
});
