import { expect, test } from 'vitest';
import type { CheckResult } from '../model.ts';
import { allRules, needsOf } from '../rules/rules.ts';
import { check } from '../testing/report.ts';
import { alarmsOf, contradictionsIn, coverageChanges } from './alarms.ts';

const result = (id: string, outcome: CheckResult['outcome'], message = '') => check({ id, outcome, message });

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
  const lost = coverageChanges(checks);
  expect(lost).toHaveLength(allRules.length);
  expect(lost).toContain('other coverage than pinned: sso-token-type: untested: whatever');
});

test('what a target file gives no means to test is no lost coverage; what is untested for another reason is', () => {
  const [rule] = allRules.filter((rule) => needsOf(rule).includes('actors.admin.sso'));
  const untested = (message: string) => [result(rule?.id ?? '', 'untested', message)];
  expect(coverageChanges(untested('the target file has no actors.admin.sso'))).toEqual([]);
  expect(coverageChanges(untested('the target file has no actors.member'))).toHaveLength(1);
});

test('coverage is other than pinned where a check does not pass, and where one does that is not expected to', () => {
  const checks = [result('a-1', 'pass'), result('a-2', 'untested', 'not there')];
  const changed = (notPassing?: RegExp) => coverageChanges(checks, notPassing).map((line) => line.split(': ')[1]);
  expect(changed(/-2$/)).toEqual([]);
  expect(changed()).toEqual(['a-2']);
  expect(changed(/^a/)).toEqual(['a-1']);
});
