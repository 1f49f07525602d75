/** What `--only` sends for a rule must show it: a phase or a field that a rule does not name is missing then. */
import { expect, test } from 'vitest';
import { OPERATION_IDS, OPERATIONS } from '../api/operations.ts';
import { isGiven } from '../api/target-fields.ts';
import { allRules } from '../rules/rules.ts';
import { verifySecond } from '../testing/judge.ts';

test.each(allRules)('--only $id shows it', async ({ id, needs }) => {
  let target = {};
  const { checks } = await verifySecond({}, (given) => (target = given), { only: [id] });
  const lacks = needs.find((field) => !isGiven(target, field));
  expect(checks).toMatchObject([
    lacks ? { id, outcome: 'untested', message: `the target file has no ${lacks}` } : { id, outcome: 'pass' },
  ]);
});

test('what reports that an operation never succeeds is a rule', () => {
  const ids = allRules.map(({ id }) => id);
  expect(OPERATION_IDS.filter((id) => !ids.includes(OPERATIONS[id].reportedBy))).toEqual([]);
});
