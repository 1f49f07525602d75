/** What `--only` sends for a rule must show it: a phase or a field that a rule does not name is missing then. */
import { expect, test, vi } from 'vitest';
import { OPERATION_IDS, OPERATIONS } from '../api/operations.ts';
import { isGiven } from '../api/target-fields.ts';
import { allRules, tiesOf } from '../rules/rules.ts';
import { PHASES } from '../run/phases.ts';
import { Session } from '../session/session.ts';
import { verifySecond } from '../testing/judge.ts';

const sending = vi.spyOn(Session.prototype, 'sendAsIs');

test.each(allRules)('--only $id shows it', async (rule) => {
  const { id, needs } = rule;
  const begun: { name: string; sent: number }[] = [];
  const onBegin = (name: string): void => void begun.push({ name, sent: sending.mock.calls.length });
  let target = {};
  const { checks } = await verifySecond({}, (given) => (target = given), { only: [id], onBegin });
  const lacks = needs.find((field) => !isGiven(target, field));
  expect(checks).toMatchObject([
    lacks ? { id, outcome: 'untested', message: `the target file has no ${lacks}` } : { id, outcome: 'pass' },
  ]);
  const silent = tiesOf(rule)?.phases.filter((phase) => {
    if (PHASES[phase].isRest) return false;
    const at = begun.findIndex(({ name }) => name === phase);
    return at === -1 || begun[at]?.sent === begun[at + 1]?.sent;
  });
  expect(lacks ? [] : silent).toEqual([]);
});

test('what reports that an operation never succeeds is a rule', () => {
  const ids = allRules.map(({ id }) => id);
  expect(OPERATION_IDS.filter((id) => !ids.includes(OPERATIONS[id].reportedBy))).toEqual([]);
});
