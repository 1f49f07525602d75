import { expect, test } from 'vitest';
import { median, percentile, ratios, short, spreadOf, table } from './statistics.ts';

test('the median does not depend on the order', () => {
  expect([[3, 1, 2], [4, 1, 3, 2], [7], []].map(median)).toEqual([2, 2.5, 7, Number.NaN]);
});

test('a percentile is a value that was measured', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect([0.5, 0.99].map((share) => percentile(hundred, share))).toEqual([50, 99]);
  expect([percentile([5], 0.99), percentile([], 0.5)]).toEqual([5, Number.NaN]);
});

test('ratios are quotients of consecutive samples', () => {
  expect(ratios([6, 1], [2, 4])).toEqual([3, 0.25]);
  expect(ratios([6, 1], [2])).toEqual([3]);
});

test('a spread leaves out one of five at each end, and 5 % of many', () => {
  expect(spreadOf([3, 10, 2, 1])).toEqual([1, 10]);
  expect(spreadOf([3, 10, 2, 1, 5])).toEqual([2, 5]);
  expect(spreadOf(Array.from({ length: 60 }, (_, at) => at))).toEqual([3, 56]);
  expect(spreadOf([])).toEqual([Number.NaN, Number.NaN]);
});

test('a table is aligned, and its numbers are short', () => {
  const rows = [
    { '': 'a', n: 12.34 },
    { '': 'bcd', n: Number.NaN },
  ];
  expect(table(rows)).toBe(['        n', '---  ----', 'a    12.3', 'bcd     -'].join('\n'));
  expect([0.123, 1234.5].map(short)).toEqual(['0.12', '1,235']);
});
