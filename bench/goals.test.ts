import { expect, test } from 'vitest';
import { type Goal, goalsTable, isMet, missedLine } from './goals.ts';
import { settle } from './rounds.ts';

const goal: Goal = { name: 'speed', samples: [2.8, 2.9, 5], unit: 'x', atLeast: 3 };

test('the median is judged; what was not measured is missed', () => {
  expect(isMet(goal)).toBe(false);
  expect(isMet({ ...goal, samples: [2, 3, 4] })).toBe(true);
  expect(isMet({ ...goal, samples: [Number.NaN] })).toBe(false);
  expect(isMet({ ...goal, samples: [] })).toBe(false);
  expect(isMet({ name: 'start', samples: [251], unit: 'ms', atMost: 250 })).toBe(false);
});

test('the table shows median, spread and rounds', () => {
  const lines = goalsTable([
    { item: goal, rounds: 3 },
    { item: { ...goal, name: 'list', samples: [4] }, rounds: 2 },
  ]).split('\n');
  expect(lines[2]).toBe('speed  2.90 x  2.80–5.00  >= 3 x  MISSED in 3 rounds');
  expect(lines[3]).toBe('list   4.00 x             >= 3 x        met, round 2');
});

test('the line that a failed run ends with names what was missed', () => {
  expect(missedLine([{ item: { ...goal, samples: [3] }, rounds: 1 }])).toBeUndefined();
  expect(missedLine([{ item: goal, rounds: 3 }])).toBe('FAILED: 1 of 1 goals missed in 3 rounds: speed (2.90 x)');
});

interface Item {
  readonly name: string;
  readonly isGood: boolean;
}

/** Parts whose items hold from a round on; `Infinity`: never. */
async function rounds(parts: Readonly<Record<string, Readonly<Record<string, number>>>>) {
  const measured: string[] = [];
  const settled = await settle<string, Item>(
    Object.keys(parts),
    async (part, round) => {
      measured.push(`${part} ${round}`);
      return Object.entries(parts[part] ?? {}).map(([name, from]) => ({ name, isGood: round >= from }));
    },
    ({ isGood }) => isGood,
  );
  return { measured, outcome: settled.map(({ item, rounds: made }) => `${item.name} ${item.isGood} ${made}`) };
}

test('what holds at once is measured once', async () => {
  expect(await rounds({ start: { a: 1, b: 1 } })).toEqual({ measured: ['start 1'], outcome: ['a true 1', 'b true 1'] });
});

test('only parts with a missed item are measured again, and what held before is not judged again', async () => {
  const { measured, outcome } = await rounds({ start: { a: 1 }, load: { b: 1, c: 2 } });
  expect(measured).toEqual(['start 1', 'load 1', 'load 2']);
  expect(outcome).toEqual(['a true 1', 'b true 1', 'c true 2']);
});

test('what is missed in three rounds is missed', async () => {
  const { measured, outcome } = await rounds({ load: { a: Number.POSITIVE_INFINITY, b: 3 } });
  expect(measured).toEqual(['load 1', 'load 2', 'load 3']);
  expect(outcome).toEqual(['a false 3', 'b true 3']);
});

test('an item that held once stays settled, whatever a later round finds', async () => {
  let made = 0;
  const settled = await settle(
    ['load'],
    async () => {
      made += 1;
      return [
        { name: 'once', isGood: made === 1 },
        { name: 'never', isGood: false },
      ];
    },
    ({ isGood }) => isGood,
  );
  expect(settled.map(({ item }) => item)).toEqual([
    { name: 'once', isGood: true },
    { name: 'never', isGood: false },
  ]);
});
