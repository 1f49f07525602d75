import { expect, test } from 'vitest';
import type { DefectId } from '../../fixtures/servers/second/server.ts';
import { startMock } from '../../src/index.ts';
import { targetAt } from '../../src/score/run.ts';
import { renderSarif } from '../report/sarif.ts';
import type { Target } from '../session/target-file.ts';
import { withFiles } from '../testing/fixtures.ts';
import { verify, verifyAt, verifySecond } from '../testing/judge.ts';
import { withoutWaiting } from '../wire/time.ts';

const DEFECTS: DefectId[] = ['sso-token-type-capitalised'];

/** Judges a second implementation with a baseline. */
const judge = (baseline: object, defects: DefectId[], change?: (target: Target) => Target) =>
  withFiles({ 'baseline.yaml': baseline }, (path) =>
    verifySecond({ defects }, change, { only: ['SSO-06', 'SCO-04'], baseline: path('baseline.yaml') }),
  );

const knownUntil = (until?: string) => ({ findings: [{ check: 'sso-token-type', reason: 'TICKET-1', until }] });
const KNOWN = knownUntil();
const ENDED = knownUntil('2020-01-31');
const FINDING = 'sso-token-type/sso/2xx/none';
const only = (...findings: string[]) => ({ findings: findings.map((finding) => ({ finding, reason: 'TICKET-1' })) });
const UNTIL = 'sso-token-type was accepted until 2020-01-31 (TICKET-1).';

type Row = [what: string, baseline: object, defects: DefectId[], exitCode: number, said: string, known?: string];

test.each<Row>([
  ['a violation that it does not know gates', { findings: [] }, DEFECTS, 1, ''],
  ['a known one does not', only(FINDING), DEFECTS, 0, '1 known violation of the baseline does not count', 'TICKET-1'],
  [
    'so does an entry whose finding is none',
    only(FINDING, 'sso-token-type/sso/4xx/none'),
    DEFECTS,
    1,
    '/sso/4xx/none is violated, and it passes',
    'TICKET-1',
  ],
  [
    'an entry for a whole check waives all, and the report says what to write',
    KNOWN,
    DEFECTS,
    0,
    `write { finding: ${FINDING} }, each with a reason`,
    'TICKET-1',
  ],
  ['nor does it before the end of its entry', knownUntil('2999-12-31'), DEFECTS, 0, '', 'TICKET-1'],
  ['it gates afterwards, and the report says so', ENDED, DEFECTS, 1, UNTIL],
  ['an entry that passes again fails the run', KNOWN, [], 1, 'sso-token-type is violated, and it passes. Remove it'],
  ['one that has ended does not, even where its check passes', ENDED, [], 0, UNTIL],
])('%s', async (_what, baseline, defects, exitCode, said, known) => {
  const { checks, summary, staleBaseline, ...report } = await judge(baseline, defects);
  expect(report).toMatchObject({ verdict: exitCode === 0 ? 'conforms' : 'violates', exitCode });
  expect(summary.text).toContain(said);
  const check = checks.find(({ id }) => id === 'sso-token-type');
  expect([check?.outcome, check?.known]).toEqual([defects.length > 0 ? 'violation' : 'pass', known]);
  expect(staleBaseline !== undefined).toBe(said.includes('and it passes'));
});

test.each([
  ['admin', 1],
  ['admin', 'member', 0],
])('an entry waives one finding, and another one of the same check gates and comes first: %j', async (...row) => {
  const exitCode = row.at(-1);
  const callers = row.slice(0, -1);
  await using mock = await startMock({ log: () => {}, faults: ['recording-updated-for-people'] });
  const baseline = only(...callers.map((caller) => `recording-updated-at/recording/2xx/${caller}`));
  const report = await withFiles({ 'baseline.yaml': baseline }, (path) =>
    verifyAt(targetAt(mock), { only: ['recording-updated-at', 'SSO-06'], baseline: path('baseline.yaml') }),
  );
  const check = report.checks.find(({ id }) => id === 'recording-updated-at');
  expect([report.exitCode, report.staleBaseline]).toEqual([exitCode, undefined]);
  expect(check?.fingerprint).toMatch(exitCode === 1 ? /member$/ : /admin$/);
  expect([check?.known, check?.also?.[0]?.known]).toEqual([exitCode === 1 ? undefined : 'TICKET-1', 'TICKET-1']);
});

const FAULTS = ['sso-token-type-capital', 'title-without-bom', 'pat-any-secret', 'list-with-unfindable'];
test.each(FAULTS)('a finding has the same name at two seeds, without ids, times and texts: %s', async (fault) => {
  const named = await Promise.all([1, 2].map((seed) => findingsOf(fault, seed)));
  const [first = [], second = []] = named.map((names) => names.toSorted());
  expect(first).toEqual(second);
  expect(first.length).toBeGreaterThan(0);
  for (const name of first)
    expect(name).toMatch(/^[a-z-]+\/[a-z-]+\/([245]xx|[a-z_]+)\/(none|admin|member|others|[a-z-]+)$/);
});

async function findingsOf(fault: string, seed: number): Promise<string[]> {
  await using mock = await startMock({ log: () => {}, faults: [fault] });
  const pass = (ms: number): unknown => mock.world.clock.advance(ms);
  const report = await withoutWaiting(pass, () => verifyAt(targetAt(mock), { seed, probe: false }));
  const [{ results }]: [{ results: SarifResult[] }] = JSON.parse(renderSarif(report)).runs;
  const failed = results.filter(({ ruleId, level }) => level === 'error' && ruleId !== 'verdict');
  return failed.flatMap(({ partialFingerprints }) => Object.values(partialFingerprints));
}

interface SarifResult {
  ruleId: string;
  level: string;
  partialFingerprints: Record<string, string>;
}

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

test.each([
  ['findings:\n  - { check: sso-token-type }\n', /baseline\.yaml:2: findings\.0 must have required property 'reason'/],
  ['findings:\n  - { check: no-such-check, reason: x }\n', /baseline\.yaml:2: unknown check no-such-check/],
  ['findings:\n  - { finding: no-such/sso/2xx/none, reason: x }\n', /baseline\.yaml:2: unknown check no-such/],
  ['waivers:\n  - { requirement: X-1, reason: x }\n', /baseline\.yaml:2: unknown requirement X-1/],
])('a baseline that cannot be used is a usage error with file and line: %j', async (text, message) => {
  const run = withFiles({ 'baseline.yaml': text }, (path) =>
    verify({ baseUrl: 'http://127.0.0.1:1', baseline: path('baseline.yaml') }),
  );
  await expect(run).rejects.toThrow(message);
});
