import { expect, test } from 'vitest';
import { allChecks } from './catalogue.ts';

test('no two checks share an id', () => {
  expect(new Set(allChecks.map(({ id }) => id)).size).toBe(allChecks.length);
});
