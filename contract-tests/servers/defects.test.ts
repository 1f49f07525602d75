/** Each defect of the second implementation is caught by a check of the requirement that it breaks first of all. */
import { describe, expect, test } from 'vitest';
import { DEFECTS, type DefectId } from '../../fixtures/servers/second/server.ts';
import { contradictionsIn } from '../commands/alarms.ts';
import { judge, violatedIn } from '../testing/judge.ts';

/** Defects that only a run with a budget above the default meets. */
const RARE: readonly DefectId[] = [
  'login-refused-of-member',
  'token-empty-accepted',
  'token-header-unbound',
  'token-of-two-parts',
  'pat-unknown-on-keys',
  'update-fails-summary-with-analysis',
  'update-fails-every-seventh',
  'update-title-truth-value',
  'update-title-no-formula',
  'update-title-named-as-member',
  'overlap-loses-titles',
  'overlap-refuses-lists',
];

test('each defect has an id of its own', () => {
  expect(new Set(DEFECTS.map(({ id }) => id)).size).toBe(DEFECTS.length);
});

describe.concurrent('a defect is caught by a check of the requirement that it breaks', () => {
  test.each(DEFECTS.map(({ id, requirements: [main] }) => ({ id, main })))('$id', async ({ id, main }) => {
    const checks = await judge({ defects: [id], ...(RARE.includes(id) && { requests: 1000 }) });
    expect(violatedIn(checks)).toContain(main);
    expect(contradictionsIn(checks)).toEqual([]);
  });
});
