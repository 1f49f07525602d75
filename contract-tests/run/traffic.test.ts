import { expect, test } from 'vitest';
import { allRules } from '../rules/rules.ts';
import { smallLog } from '../testing/small-log.ts';
import { TrafficJudge } from './traffic.ts';

const options = { scopesPaths: ['/v1/scopes'], baseUrl: 'https://host.test' };

test('what an early window showed is kept, and a finding is reported once', () => {
  const wrong =
    'admin keys ?provider=openai -> [{id: k3, provider: azure, name: Key k3, status: active, created_at: x}]';
  const log = smallLog(
    `recorded: admin sso; admin keys; ${wrong}; admin patch {title: A}${'; admin keys; admin scopes'.repeat(30)}`,
  );
  const judge = new TrafficJudge(options, allRules, 12);
  const told = log.entries.flatMap((entry) => {
    judge.add(entry);
    return judge.news().map(({ id }) => id);
  });
  expect(told).toContain('keys-filter-provider-only');
  expect(new Set(told).size).toBe(told.length);
  const outcomes = new Map(judge.results().map(({ id, outcome }) => [id, outcome]));
  expect(outcomes.get('keys-filter-provider-only')).toBe('violation');
  expect(outcomes.get('sso-access-token')).toBe('pass');
  expect(judge.builder.count).toBe(log.entries.length);
});
