import { expect, test } from 'vitest';
import type { Session } from '../session/session.ts';
import { pairsOf, queriesOf, valuesOf } from './key-queries.ts';

const session = { isQuick: false } as Session;

test('pairs that some key has, and that none has, all but the first with the status first', () => {
  const keys = [
    { provider: 'a', status: 'x' },
    { provider: 'a', status: 'y' },
    { provider: 'b', status: 'x' },
  ];
  expect(pairsOf(session, keys)).toEqual([
    { provider: 'a', status: 'x' },
    { status: 'y', provider: 'a' },
    { status: 'y', provider: 'b' },
  ]);
  // The first in both orders, where it is the only one.
  const [lone] = keys;
  expect(pairsOf(session, lone ? [lone] : [])).toEqual([lone, { status: 'x', provider: 'a' }]);
  expect(valuesOf(session, keys, 'provider')).toEqual(['b', 'a']);
});

test('a hundred thousand values cost neither a request each nor the time of all their pairs', () => {
  // Their pairs would be 10,000 million.
  const each = Array.from({ length: 100_000 }, (_, at) => ({ provider: `p${at}`, status: `s${at}` }));
  const apart = each.flatMap(({ provider, status }) => [{ provider }, { status }]);
  for (const keys of [each, apart]) expect(queriesOf(session, keys).length).toBeLessThan(100);
});
