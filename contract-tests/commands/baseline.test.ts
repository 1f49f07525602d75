import { describe, expect, test } from 'vitest';
import type { DefectId } from '../../fixtures/servers/second/server.ts';
import type { Target } from '../session/target-file.ts';
import { withFiles } from '../testing/fixtures.ts';
import { verify, verifySecond } from '../testing/judge.ts';

const DEFECTS: DefectId[] = ['sso-token-type-capitalised'];

/** Judges a second implementation with a baseline. */
const judge = (baseline: object, defects: DefectId[], change?: (target: Target) => Target) =>
  withFiles({ 'baseline.yaml': baseline }, (path) =>
    verifySecond({ defects }, change, { baseline: path('baseline.yaml') }),
  );

const knownUntil = (until?: string) => ({ findings: [{ check: 'sso-token-type', reason: 'TICKET-1', until }] });
const KNOWN = knownUntil();
const ENDED = knownUntil('2020-01-31');
const UNTIL = 'sso-token-type was accepted until 2020-01-31 (TICKET-1).';

type Row = [what: string, baseline: object, defects: DefectId[], exitCode: number, said: string, known?: string];

test.each<Row>([
  ['a violation that it does not know gates', { findings: [] }, DEFECTS, 1, ''],
  ['a known one does not', KNOWN, DEFECTS, 0, '1 known violation of the baseline does not count', 'TICKET-1'],
  ['nor does it before the end of its entry', knownUntil('2999-12-31'), DEFECTS, 0, '', 'TICKET-1'],
  ['it gates afterwards, and the report says so', ENDED, DEFECTS, 1, UNTIL],
  [
    'an entry that passes again fails the run, naming it',
    KNOWN,
    [],
    1,
    'sso-token-type is violated, and it passes. Remove it from the baseline.',
  ],
  ['one that has ended does not, even where its check passes', ENDED, [], 0, UNTIL],
])('%s', async (_what, baseline, defects, exitCode, said, known) => {
  const { checks, summary, staleBaseline, ...report } = await judge(baseline, defects);
  expect(report).toMatchObject({ verdict: exitCode === 0 ? 'conforms' : 'violates', exitCode });
  expect(summary.text).toContain(said);
  const check = checks.find(({ id }) => id === 'sso-token-type');
  expect([check?.outcome, check?.known]).toEqual([defects.length > 0 ? 'violation' : 'pass', known]);
  expect(staleBaseline).toEqual(baseline === KNOWN && defects.length === 0 ? ['sso-token-type'] : undefined);
});

test.each([
  ['2999-12-31', 0],
  ['2020-01-31', 4],
])('a waiver until %s', async (until, exitCode) => {
  const waivers = [{ requirement: 'SCO-04', reason: 'no member yet', until }];
  const report = await judge({ waivers }, [], ({ actors, ...target }) => {
    const { member: _, ...others } = actors ?? {};
    return { ...target, actors: others };
  });
  expect(report.exitCode).toBe(exitCode);
  if (exitCode === 4) expect(report.summary.text).toContain('SCO-04 was accepted until 2020-01-31 (no member yet).');
});

describe('a baseline that cannot be used is a usage error with file and line', () => {
  test.each([
    [
      'findings:\n  - { check: sso-token-type }\n',
      /baseline\.yaml:2: findings\.0 must have required property 'reason'/,
    ],
    ['findings:\n  - { check: no-such-check, reason: x }\n', /baseline\.yaml:2: unknown check no-such-check/],
    ['waivers:\n  - { requirement: X-1, reason: x }\n', /baseline\.yaml:2: unknown requirement X-1/],
  ])('%j', async (text, message) => {
    const run = withFiles({ 'baseline.yaml': text }, (path) =>
      verify({ baseUrl: 'http://127.0.0.1:1', baseline: path('baseline.yaml') }),
    );
    await expect(run).rejects.toThrow(message);
  });
});
