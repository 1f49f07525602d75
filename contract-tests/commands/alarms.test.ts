import { expect, test } from 'vitest';
import type { CheckResult } from '../model.ts';
import { allRules, needsOf } from '../rules/rules.ts';
import { check } from '../testing/report.ts';
import { alarmsOf, contradictionsIn, coverageChanges } from './alarms.ts';

const result = (id: string, outcome: CheckResult['outcome'], message = ''): CheckResult =>
  check({ id, outcome, message });

test('violations, errors and contradictions are alarms; what is untested or blocked by a failure is none', () => {
  const checks = [
    result('a', 'violation', 'wrong'),
    result('b', 'error', 'no answer'),
    result('c', 'pass'),
    result('d', 'blocked', 'no token (see c)'),
    result('e', 'blocked', 'no token (see a)'),
    result('f', 'untested', 'not there'),
  ];
  expect(alarmsOf(checks)).toEqual(['a: violation: wrong', 'b: error: no answer', 'd: blocked: no token (see c)']);
  expect(contradictionsIn(checks)).toEqual(['d: blocked: no token (see c)']);
});

test('a suite that answers untested everywhere raises no alarm, and has lost its coverage', () => {
  const checks = allRules.map(({ id }) => result(id, 'untested', 'whatever'));
  expect(alarmsOf(checks)).toEqual([]);
  const [line, ...lost] = coverageChanges(checks, 2);
  expect(line).toMatch(/^coverage lost: \d+ fewer than the \d+ checks that are pinned to pass; these do not:$/);
  expect(lost).toHaveLength(allRules.length);
  expect(lost).toContain('sso-token-type: untested: whatever');
});

test('what a target file gives no means to test is no lost coverage; what is untested for another reason is', () => {
  const [rule] = allRules.filter((rule) => needsOf(rule).includes('actors.admin.sso'));
  const untested = (message: string) => [result(rule?.id ?? '', 'untested', message)];
  expect(coverageChanges(untested('the target file has no actors.admin.sso'), 0)).toEqual([]);
  expect(coverageChanges(untested('the target file has no actors.member'), 0)[0]).toMatch(/^coverage lost: 1 fewer/);
});

test('coverage that is pinned by ids is lost where another check does not pass, however many do', () => {
  const checks = [result('a-1', 'pass'), result('a-2', 'untested', 'not there')];
  expect(coverageChanges(checks, /-2$/)).toEqual([]);
  expect(coverageChanges(checks, /-1$/)[0]).toMatch(/^coverage lost: 0 fewer than the 1 checks/);
  expect(coverageChanges(checks, /^b/)[0]).toMatch(/^coverage lost: 1 fewer/);
  expect(coverageChanges(checks, /^a/)[0]).toMatch(/^coverage gained: 1 more/);
});

test('coverage as pinned is no change, and more than pinned is one', () => {
  const checks = [result('a', 'pass'), result('b', 'untested', 'not there')];
  expect(coverageChanges(checks, 1)).toEqual([]);
  expect(coverageChanges(checks, 2)[0]).toMatch(/^coverage gained: 1 more than the 0 checks/);
});
