import { expect, test } from 'vitest';
import type { Report } from '../model.ts';
import { renderAnnotations } from './github.ts';

const check = (id: string, message: string, known?: string): Report['checks'][number] => ({
  id,
  requirements: ['SSO-06'],
  title: 'a title',
  outcome: 'violation',
  message,
  exchanges: [],
  ...(known === undefined ? {} : { known }),
});

const report = (checks: Report['checks'], verdict: Report['verdict'] = 'violates'): Report =>
  ({ checks, verdict, summary: { text: 'It is so.' } }) as unknown as Report;

test('each finding is an annotation, escaped; a known one is a warning', () => {
  const text = renderAnnotations(
    report([check('sso-token-type', '100 %\n::error::x'), check('other', 'Known (why). m', 'why')]),
  );
  expect(text).toBe(
    '::error title=sso-token-type (SSO-06)::100 %25%0A::error::x\n::warning title=other (SSO-06)::Known (why). m\n',
  );
});

test('more findings than GitHub shows are counted in the last annotation', () => {
  const lines = renderAnnotations(report(Array.from({ length: 30 }, (_, index) => check(`check-${index}`, 'm'))))
    .trim()
    .split('\n');
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toContain('21 more');
});

test('what could not be judged fails the step, so it is an error', () => {
  expect(renderAnnotations(report([], 'inconclusive'))).toBe('::error title=inconclusive::It is so.\n');
  expect(renderAnnotations(report([], 'unreachable'))).toBe('::error title=unreachable::It is so.\n');
  expect(renderAnnotations(report([], 'conforms'))).toBe('');
});
