import { expect, test } from 'vitest';
import { type Goal, goalsTable, isMet } from './goals.ts';
import { median, percentile, ratio } from './statistics.ts';
import { short, table } from './table.ts';

test('the median does not depend on the order', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([7])).toBe(7);
  expect(median([])).toBeNaN();
});

test('a percentile is a value that was measured', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect(percentile(hundred, 0.5)).toBe(50);
  expect(percentile(hundred, 0.99)).toBe(99);
  expect(percentile([5], 0.99)).toBe(5);
  expect(percentile([], 0.5)).toBeNaN();
});

test('a ratio is a quotient', () => {
  expect(ratio(6, 2)).toBe(3);
  expect(ratio(1, 4)).toBe(0.25);
});

test('missed and unmeasured goals are marked as missed', () => {
  const goal: Goal = { name: 'speed', measured: 2.9, unit: 'x', atLeast: 3 };
  expect(isMet(goal)).toBe(false);
  expect(isMet({ ...goal, measured: 3 })).toBe(true);
  expect(isMet({ ...goal, measured: Number.NaN })).toBe(false);
  expect(goalsTable([goal])).toContain('speed    2.90 x  >= 3 x  MISSED');
});

test('a table is aligned', () => {
  expect(
    table([
      ['', 'n'],
      ['a', '10'],
      ['bcd', '1'],
    ]),
  ).toBe(['      n', '---  --', 'a    10', 'bcd   1'].join('\n'));
  expect([0.123, 12.34, 1234.5, Number.NaN].map(short)).toEqual(['0.12', '12.3', '1,235', '-']);
});
