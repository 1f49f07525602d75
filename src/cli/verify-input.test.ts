import { describe, expect, test } from 'vitest';
import { allRules } from '../../contract-tests/rules/rules.ts';
import { startMock } from '../index.ts';
import { runHere } from '../testing/command.ts';

test('verify --plan --json prints the plan as JSON on stdout and as text on stderr, without secrets', async () => {
  const { code, stdout, stderr } = await runHere(['verify', '--plan', '--json', '--profile', 'rfc9457']);
  expect(code).toBe(0);
  const plan = JSON.parse(stdout) as Record<'checks' | 'probes' | 'writes', { id?: string }[]>;
  expect(plan).toMatchObject({ schemaVersion: 1, allowWrites: true, target: { baseUrl: expect.any(String) } });
  expect(plan.checks).toEqual(
    allRules.map(({ id, requirements, title }) => expect.objectContaining({ id, requirements, title })),
  );
  expect(plan.probes).toContainEqual(expect.objectContaining({ gap: 'error-body', writes: false }));
  expect(plan.writes).toContainEqual(expect.stringMatching(/^POST \/v1\/api-tokens, twice for admin/));
  expect(stderr).toContain('Every request that would write:');
  expect(stdout).not.toContain('ada-password');
});

test('a single check is singular', async () => {
  const { stdout } = await runHere(['verify', '--only', 'SSO-01']);
  expect(stdout).toMatch(/^1 check at its own mock/);
});

describe('the password in a base URL', () => {
  test.each([[['--plan']], [['--plan', '--json']], [[]], [['--compare', 'http://127.0.0.1:2']]])(
    'is not printed by verify %j',
    async (args) => {
      const { code, stdout, stderr } = await runHere([
        'verify',
        '--base-url',
        'http://eve:hunter2@127.0.0.1:1',
        ...args,
      ]);
      expect(stdout + stderr).toContain('127.0.0.1:1');
      expect(stdout + stderr).not.toMatch(/hunter2|is a bug/);
      expect(code).toBe(3);
    },
  );

  test('is not in a successful plan either', async () => {
    await using mock = await startMock();
    const url = mock.baseUrl.replace('http://', 'http://eve:hunter2@');
    const { code, stdout, stderr } = await runHere(['verify', '--plan', '--json', '--base-url', url]);
    expect(stdout + stderr).not.toMatch(/hunter2/);
    expect({ code, baseUrl: JSON.parse(stdout).target.baseUrl }).toEqual({ code: 0, baseUrl: `${mock.baseUrl}/` });
  });
});
