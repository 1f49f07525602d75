import { describe, expect, test } from 'vitest';
import { startSecondImplementation } from '../../fixtures/servers/second/server.ts';
import type { Report } from '../model.ts';
import type { Target } from '../session/target-file.ts';
import { withFiles } from '../testing/fixtures.ts';
import { verify } from '../testing/judge.ts';

/** Judges a second implementation whose token_type is capitalised, with a baseline. */
async function judge(
  baseline: object,
  defects: 'sso-token-type-capitalised'[] = ['sso-token-type-capitalised'],
  change: (target: Target) => Target = (target) => target,
): Promise<Report> {
  const { target, close } = await startSecondImplementation({ defects });
  return await withFiles({ 'target.yaml': change(target), 'baseline.yaml': baseline }, (path) =>
    verify({ target: path('target.yaml'), baseline: path('baseline.yaml'), probe: false }),
  ).finally(close);
}

const KNOWN = { findings: [{ check: 'sso-token-type', reason: 'TICKET-1: clients compare without case' }] };

test('a known violation does not gate, and stays to be seen', async () => {
  const report = await judge(KNOWN);
  expect(report).toMatchObject({ verdict: 'conforms', exitCode: 0 });
  expect(report.summary.text).toContain('1 known violation of the baseline does not count');
  expect(report.checks.find(({ id }) => id === 'sso-token-type')).toMatchObject({
    outcome: 'violation',
    known: KNOWN.findings[0]?.reason,
  });
});

test('an entry that passes again fails the run, naming it', async () => {
  const report = await judge(KNOWN, []);
  expect(report).toMatchObject({ verdict: 'violates', exitCode: 1, staleBaseline: ['sso-token-type'] });
  expect(report.summary.text).toContain('Remove them from it.');
});

const until = (day: string) => ({ findings: [{ check: 'sso-token-type', reason: 'TICKET-1', until: day }] });

test.each([
  ['a violation that the baseline does not know gates', { findings: [] }, undefined, 'violates', 1],
  ['a known one does not gate before the end of its entry', until('2999-12-31'), undefined, 'conforms', 0],
  ['an entry that has ended does not count, even where its check passes', until('2020-01-31'), [], 'conforms', 0],
])('%s', async (_what, baseline, defects, verdict, exitCode) => {
  expect(await judge(baseline, defects)).toMatchObject({ verdict, exitCode });
});

describe('an entry with an end', () => {
  test('gates afterwards, and says so', async () => {
    const report = await judge(until('2020-01-31'));
    expect(report).toMatchObject({ verdict: 'violates', exitCode: 1 });
    expect(report.summary.text).toContain('sso-token-type was accepted until 2020-01-31 (TICKET-1).');
    expect(report.checks.find(({ id }) => id === 'sso-token-type')?.known).toBeUndefined();
  });

  test.each([
    ['2999-12-31', 0],
    ['2020-01-31', 4],
  ])('of a waiver: %s', async (day, exitCode) => {
    const waivers = [{ requirement: 'SCO-04', reason: 'no member yet', until: day }];
    const report = await judge({ waivers }, [], ({ actors, ...target }) => {
      const { member: _, ...others } = actors ?? {};
      return { ...target, actors: others };
    });
    expect(report.exitCode).toBe(exitCode);
    if (exitCode === 4) expect(report.summary.text).toContain('SCO-04 was accepted until 2020-01-31 (no member yet).');
  });
});

describe('a baseline that cannot be used is a usage error with file and line', () => {
  test.each([
    [
      'findings:\n  - { check: sso-token-type }\n',
      /baseline\.yaml:2: findings\.0 must have required property 'reason'/,
    ],
    ['findings:\n  - { check: no-such-check, reason: x }\n', /baseline\.yaml:2: unknown check no-such-check/],
    ['- nothing\n', /baseline\.yaml:1: the baseline must be object/],
    [
      'findings:\n  - { check: sso-user, reason: x, until: soon }\n',
      /baseline\.yaml:2: findings\.0\.until must match pattern/,
    ],
    ['waivers:\n  - { requirement: X-1, reason: x }\n', /baseline\.yaml:2: unknown requirement X-1/],
    ['findings: [\n', /baseline\.yaml:\d: not YAML: [^:]*\.$/],
  ])('%j', async (text, message) => {
    const run = withFiles({ 'baseline.yaml': text }, (path) =>
      verify({ baseUrl: 'http://127.0.0.1:1', baseline: path('baseline.yaml') }),
    );
    await expect(run).rejects.toThrow(message);
  });
});
