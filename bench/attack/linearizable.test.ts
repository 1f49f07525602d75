import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contradictions, type Operation } from './linearizable.ts';

const write = (value: string, from: number, to: number): Operation => ({ kind: 'write', value, from, to });
const read = (value: string, from: number, to: number): Operation => ({ kind: 'read', value, from, to });
const unknown = Number.POSITIVE_INFINITY;

test.each<[string, Operation[]]>([
  ['nothing', []],
  ['one after the other', [read('0', 0, 1), write('a', 2, 3), read('a', 4, 5), write('b', 6, 7), read('b', 8, 9)]],
  ['a read during a write sees the old value', [write('a', 0, 10), read('0', 1, 2)]],
  ['or the new one', [write('a', 0, 10), read('a', 1, 2)]],
  ['or one after the other', [write('a', 0, 10), read('0', 1, 2), read('a', 3, 4)]],
  ['concurrent writes in either order', [write('a', 0, 5), write('b', 0, 5), read('b', 1, 6), read('a', 7, 8)]],
  [
    'an uncertain write that did not happen',
    [write('a', 0, unknown), read('0', 5, 6), write('b', 7, 8), read('b', 9, 10)],
  ],
  ['an uncertain write that happened', [write('a', 0, unknown), read('a', 5, 6)]],
  [
    'an uncertain write that happened late',
    [write('a', 0, unknown), write('b', 1, 2), read('b', 3, 4), read('a', 5, 6)],
  ],
  ['operations that touch', [write('a', 0, 1), read('0', 1, 2)]],
])('linearizable: %s', (_case, history) => {
  expect(contradictions(history, '0')).toEqual([]);
});

test.each<[string, Operation[], string]>([
  ['a stale read', [write('a', 0, 1), read('0', 2, 3)], 'cannot be in any order'],
  ['a lost write', [write('a', 0, 1), write('b', 2, 3), read('a', 4, 5)], 'cannot be in any order'],
  [
    'a write seen twice',
    [write('a', 0, 1), write('b', 2, 9), read('a', 3, 4), read('b', 5, 6), read('a', 7, 8)],
    'any order',
  ],
  [
    'an uncertain write seen twice',
    [write('a', 0, unknown), read('a', 1, 2), write('b', 3, 4), read('b', 5, 6), read('a', 7, 8)],
    'any order',
  ],
  [
    'readers that saw two writes in two orders',
    [write('a', 0, 20), write('b', 0, 20), read('a', 1, 2), read('b', 3, 4), read('a', 5, 6)],
    'any order',
  ],
  [
    'an acknowledged write lost by a restart',
    [write('a', 0, 1), write('b', 2, 3), read('b', 4, 5), read('0', 6, 7)],
    'any order',
  ],
  ['a value from nowhere', [read('of another world', 0, 1)], 'nobody wrote that'],
  ['a value from the future', [read('a', 0, 1), write('a', 2, 3)], 'before write "a"'],
])('not linearizable: %s', (_case, history, problem) => {
  expect(contradictions(history, '0').join('\n')).toContain(problem);
});

test('values that are written twice are refused', () => {
  expect(() => contradictions([write('a', 0, 1), write('a', 2, 3)], '0')).toThrow('written twice');
});

/** By trying all orders (Wing and Gong): what may come next begins before anything that is left is over. */
function hasOrder(left: readonly Operation[], value: string): boolean {
  const isOver = left.every(({ to }) => to === unknown);
  return (
    isOver ||
    left.some(({ kind, value: given, from }, at) => {
      const rest = left.filter((_each, index) => index !== at);
      const mayBeNext = rest.every(({ to }) => to >= from);
      return mayBeNext && (kind === 'write' || given === value) && hasOrder(rest, given);
    })
  );
}

test('says what a search through all orders says', () => {
  const moments = fc.tuple(fc.nat(11), fc.nat(6));
  const writes = fc.array(fc.tuple(moments, fc.boolean()), { minLength: 1, maxLength: 3 });
  const reads = fc.array(fc.tuple(moments, fc.nat(3)), { maxLength: 4 });
  const verdicts = { true: 0, false: 0 };
  const history = fc
    .tuple(writes, reads)
    .map(([written, readings]) => [
      ...written.map(([[from, takes], isSure], at) => write(String(at + 1), from, isSure ? from + takes : unknown)),
      ...readings.map(([[from, takes], value]) => read(String(Math.min(value, written.length)), from, from + takes)),
    ]);
  fc.assert(
    fc.property(history, (operations) => {
      const expected = hasOrder(operations, '0');
      verdicts[`${expected}`] += 1;
      expect(contradictions(operations, '0').length === 0).toBe(expected);
    }),
    { numRuns: 3000 },
  );
  expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(300);
});
