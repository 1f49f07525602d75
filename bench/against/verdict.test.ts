import { expect, test } from 'vitest';
import { type Pair, pairsTable, verdictOf } from './verdict.ts';

const before = [100, 102, 98, 101, 99];
const speed = (factor: number): Pair => ({
  name: 'update',
  unit: 'requests/s',
  better: 'more',
  before,
  now: before.map((value) => value * factor),
});

test('more is a gain of speed and a loss of time', () => {
  expect(verdictOf(speed(1.2))).toMatchObject({ isOutside: true, result: 'gain' });
  expect(verdictOf({ ...speed(1.2), better: 'less' })).toMatchObject({ isOutside: true, result: 'LOSS' });
  expect(verdictOf(speed(0.8)).result).toBe('LOSS');
});

test('up to 5 % do not count, even beyond the spread', () => {
  expect(verdictOf(speed(0.96))).toMatchObject({ isOutside: true, result: 'same' });
});

test('a loss within the spread does not count', () => {
  const noisy: Pair = { ...speed(1), now: [80, 110, 85, 115, 80] };
  expect(verdictOf(noisy).ratio).toBeLessThan(0.95);
  expect(verdictOf(noisy)).toMatchObject({ isOutside: false, result: 'same' });
});

test('one stray sample of five neither hides a loss nor makes one', () => {
  expect(verdictOf({ ...speed(1), now: [80, 81, 79, 150, 80] }).result).toBe('LOSS');
  expect(verdictOf({ ...speed(1), now: [100, 30, 98, 101, 99] }).result).toBe('same');
});

test('one or two samples prove nothing', () => {
  expect(verdictOf({ ...speed(0.5), before: [100, 100], now: [50, 50] })).toMatchObject({ ratio: 0.5, result: 'same' });
});

test('both builds met the same disturbance: only their ratio counts', () => {
  const halved: Pair = { ...speed(1), before: [100, 50, 100, 50, 100], now: [80, 40, 80, 40, 80] };
  expect(verdictOf(halved)).toMatchObject({ result: 'LOSS', spread: [0.8, 0.8] });
});

test('the table says what a reader has to know', () => {
  expect(pairsTable('abc1234', [{ item: speed(0.8), rounds: 3 }]).split('\n')[2]).toBe(
    'update (requests/s)      100  80.0  0.800x  0.800–0.800  outside  LOSS in 3 rounds',
  );
});
