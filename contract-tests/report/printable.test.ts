import { describe, expect, test } from 'vitest';
import { renderComparison } from '../compare/render.ts';
import { profileText } from '../learned-profile.ts';
import type { Report } from '../model.ts';
import { loadGaps } from '../spec-data.ts';
import { renderAnnotations } from './github.ts';
import { jsonText, printable } from './printable.ts';
import { renderTerminal } from './terminal.ts';
import { mixedReport } from './testing-report.ts';

const HOSTILE = '\u001b[2J\u009b31m\u0007\r\n::error::owned\n  ::add-mask::x\n##[error]owned\u2028\u202e';
// Our own colours are off where no terminal is.
const COMMANDS = /(?![\n\t])[\p{Cc}\u2028\u202e]|^\s*::|##\[/mu;

test.each([
  ['a control character', 'a\u001b[31mb', 'a\\u{1b}[31mb'],
  ['a command at the start', '::error::x', '\\u{3a}:error::x'],
  ['one in a later line', 'a\n \t::error::x', 'a\n \t\\u{3a}:error::x'],
  ['one of the older kind, anywhere', 'a ##[error]x', 'a ##\\u{5b}error]x'],
  ['what is none', 'a::b and gap error-body: "x"', 'a::b and gap error-body: "x"'],
])('%s', (_name, text, expected) => expect(printable(text)).toBe(expected));

test('JSON is printed so that it commands nothing, and read as it was', () => {
  const value = { [HOSTILE]: [HOSTILE] };
  expect(jsonText(value)).not.toMatch(COMMANDS);
  expect(JSON.parse(jsonText(value))).toEqual(value);
});

describe('nothing that a target answers commands a terminal or CI', () => {
  const hostile = (value: unknown): unknown => {
    if (typeof value === 'string') return value + HOSTILE;
    if (Array.isArray(value)) return value.map(hostile);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hostile(item)]));
  };
  const { checks, gaps, leftovers, summary, ...rest } = mixedReport();
  const report: Report = {
    ...rest,
    target: { baseUrl: `http://x/${HOSTILE}` },
    leftovers: [...leftovers, HOSTILE],
    summary: { ...summary, text: summary.text + HOSTILE },
    gaps: gaps.map((gap) => ({ ...gap, observed: hostile(gap.observed), reason: HOSTILE, evidence: [HOSTILE] })),
    checks: checks.map((check) => ({
      ...check,
      message: check.message + HOSTILE,
      expected: hostile(check.expected),
      actual: hostile(check.actual),
      exchanges: hostile(check.exchanges) as typeof check.exchanges,
    })),
  };

  test('in the terminal', () => expect(renderTerminal(report)).not.toMatch(COMMANDS));
  test('in a comparison', () => expect(renderComparison(report, report, [])).not.toMatch(COMMANDS));
  test('as annotations but those that are ours', () => {
    const lines = renderAnnotations(report).trimEnd().split('\n');
    expect(lines.filter((line) => !/^::(error|warning) title=/.test(line))).toEqual([]);
    expect(lines.join(' ').replaceAll('::', '')).not.toMatch(COMMANDS);
  });
  test('in a learned profile', () => {
    const learned = {
      baseUrl: `http://x/${HOSTILE}`,
      learnedAt: HOSTILE,
      answers: { 'error-body': { template: { error: HOSTILE } } },
      gaps: loadGaps().map(({ id, section, question }) => ({
        ...{ id, section, question, assumed: HOSTILE, reason: HOSTILE, evidence: [HOSTILE] },
        outcome: 'undetermined' as const,
      })),
      conflicts: [{ gap: 'error-body', reason: HOSTILE }],
      leftovers: [],
    };
    expect(profileText(learned)).not.toMatch(COMMANDS);
  });
});
