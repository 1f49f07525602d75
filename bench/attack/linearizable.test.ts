import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contradictions, type Operation } from './linearizable.ts';
import { type RemadeHistory, remadeProblems, unwritten } from './world-clients.ts';

const write = (value: string, from: number, to: number): Operation => ({ kind: 'write', value, from, to });
const read = (value: string, from: number, to: number): Operation => ({ kind: 'read', value, from, to });
const unknown = Number.POSITIVE_INFINITY;

test.each<[string, RemadeHistory, string[]]>([
  [
    'what was deleted is read again',
    [write('a', 0, 1), { kind: 'delete', value: '', from: 2, to: 3 }, read('a', 4, 5)],
    ['read a [4.0, 5.0]: it was deleted'],
  ],
  ['a lost write', [write('a', 0, 1), read(unwritten, 2, 3)], [`read ${unwritten} [2.0, 3.0]: a is lost`]],
  ['a value of another world', [read('b', 0, 1)], ['read b [0.0, 1.0]: no client wrote that']],
  [
    'nothing, where a deletion and the others overlap',
    [write('a', 0, 9), { kind: 'delete', value: '', from: 2, to: 8 }, read('a', 3, 9), read(unwritten, 3, 9)],
    [],
  ],
])('of a sandbox that is deleted and made again it says: %s', (_case, history, problems) => {
  expect(remadeProblems(history)).toEqual(problems);
});

test('values that are written twice are refused', () => {
  expect(() => contradictions([write('a', 0, 1), write('a', 2, 3)], '0')).toThrow('written twice');
});

/** By trying all orders (Wing and Gong): what may come next begins before any of the others is over. */
function hasOrder(left: readonly Operation[], value: string): boolean {
  if (left.every(({ to }) => to === unknown)) return true;
  return left.some(({ kind, value: given, from }, at) => {
    const rest = left.filter((_each, index) => index !== at);
    const mayBeNext = rest.every(({ to }) => to >= from) && (kind === 'write' || given === value);
    return mayBeNext && hasOrder(rest, given);
  });
}

test('finds what a search through all orders finds', () => {
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
