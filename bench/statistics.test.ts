import { expect, test } from 'vitest';
import { median, percentile, range, ratio, ratios } from './statistics.ts';
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

test('ratios are quotients of what was measured one after the other', () => {
  expect(ratio(6, 2)).toBe(3);
  expect(ratios([6, 1], [2, 4])).toEqual([3, 0.25]);
  expect(ratios([6, 1], [2])).toEqual([3]);
});

test('a range leaves out as many at each end as it is told', () => {
  expect(range([3, 10, 2, 1])).toEqual([1, 10]);
  expect(range([3, 10, 2, 1], 1)).toEqual([2, 3]);
  expect(range([])).toEqual([Number.NaN, Number.NaN]);
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
