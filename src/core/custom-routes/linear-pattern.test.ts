import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { linearPattern, PatternError } from './linear-pattern.ts';

const pieces = ['a', 'b', '.', '[ab]', '[^a]', '\\W', '\\d', '^', '$', '\\b', '\\B', '\\p{Lu}', '\\u{61}', 'ü', '|'];
const signs = ['(', '(?:', ')', ')', '*', '+', '?', '*?', '{2}', '{0,2}', '{1,}', '{0}'];
const textOf = (parts: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...parts), { maxLength }).map((chosen) => chosen.join(''));

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'u') !== undefined;
  } catch {
    return false;
  }
}

test('finds what the regular expression finds', () => {
  const pattern = textOf([...pieces, ...signs], 9).filter(isPattern);
  const text = textOf(['a', 'b', 'A', '1', ' ', '.', '\n', 'ü'], 8);
  const agree = fc.property(pattern, text, (source, sent) => {
    expect(linearPattern(source)(sent)).toBe(new RegExp(source, 'u').test(sent));
  });
  fc.assert(agree, { numRuns: 10_000 });
});

test.each([
  ['^[\\w.]+@(?<host>[\\w-]+\\.)+\\w{2,7}$', 'ada@analytical.example', true],
  ['\\x41\\cJ\\ud83d\\ude00[\\]-]\\/', 'xA\n😀]/', true],
  ['^.😀[^😁]$', 'x😀😀', true],
  ['^\\d{4}-(?:0\\d|1[0-2])$', '2026-13', false],
])('%s in %j: %s', (source, sent, isFound) => {
  expect(new RegExp(source, 'u').test(sent)).toBe(isFound);
  expect(linearPattern(source)(sent)).toBe(isFound);
});

test.each(['(a+)+$', '(a|aa)+$', '(.*a){20}b', 'a*a*a*b', '(?:a?){200}b'])('%s takes linear time', (source) => {
  const asked = vi.spyOn(RegExp.prototype, 'test');
  const isIn = linearPattern(source);
  expect(isIn(`${'a'.repeat(1999)}!`)).toBe(false);
  expect(asked.mock.calls.length).toBeLessThan(2000 * 400);
  asked.mockRestore();
});

test.each([
  ['(?=a)a', 'has (?, and lookaround'],
  ['(?<!a)b', 'has (?, and lookaround'],
  ['(a)\\1', 'has \\1'],
  ['(?<x>a)\\k<x>', 'has \\k'],
  ['((a{100}){100}){100}', 'has more than 1000 parts'],
  ['(((?:){999}){999}){999}', 'has more than 1000 parts'],
  ['(?:){999999999}', 'has more than 1000 parts'],
])('refuses %s', (source, reason) => {
  expect(() => linearPattern(source)).toThrow(PatternError);
  expect(() => linearPattern(source)).toThrow(reason);
});
