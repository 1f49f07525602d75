import { describe, expect, test } from 'vitest';
import { profileText } from '../commands/learned-profile.ts';
import { compareReports } from '../compare/compare.ts';
import { loadGaps } from '../spec-data.ts';
import { HOSTILE, hostileReport } from '../testing/report.ts';
import { renderAnnotations } from './github.ts';
import { renderTerminal } from './terminal.ts';
import { jsonText, printable } from './text.ts';

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
  const report = hostileReport();
  const plain = hostileReport('plain');

  test('in the terminal, whose colours are ours alone', () => {
    const colours = /\p{Cc}\[\d+m/gu;
    const text = renderTerminal(report);
    expect(text.replaceAll(colours, '')).not.toMatch(COMMANDS);
    expect(text.match(colours)).toEqual(renderTerminal(plain).match(colours));
  });
  test('in a comparison', () => expect(compareReports(plain, report).text).not.toMatch(COMMANDS));
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
      leftovers: [],
    };
    expect(profileText(learned)).not.toMatch(COMMANDS);
  });
});
