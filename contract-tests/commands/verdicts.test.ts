/** One verdict in all outputs: what readers of JUnit, SARIF and annotations, which know no exit code, take for red or green. */
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { DefectId } from '../../fixtures/servers/second/server.ts';
import type { Gate } from '../model.ts';
import { renderTerminal } from '../report/terminal.ts';
import type { Target } from '../session/target-file.ts';
import { withFiles } from '../testing/fixtures.ts';
import { type VerifyOptions, verifySecond } from '../testing/judge.ts';
import { expectInAll } from '../testing/outputs.ts';

const NO_MEMBER = ({ actors, ...target }: Target): Target => ({ ...target, actors: { admin: actors?.admin } });
const REFUSED = ({ actors, ...target }: Target): Target => {
  const login = { username: 'nobody', password: 'wrong' };
  const others = [{ role: 'admin' as const, tenantId: 'another', login }];
  return { ...target, actors: { ...actors, admin: { ...actors?.admin, login }, others } };
};
const ONLY = ['SSO-06', 'SCO-04'];
const STRICT: VerifyOptions = { strict: true, probe: true };
const KNOWN = { findings: [{ check: 'sso-token-type', reason: 'TICKET-1' }] };
const CAPITALISED: DefectId[] = ['sso-token-type-capitalised'];

interface Row {
  what: string;
  exitCode: number;
  cause?: Gate['cause'];
  baseline?: object;
  /** Of the profile. */
  answers?: object;
  defects?: DefectId[];
  change?: (target: Target) => Target;
  options?: VerifyOptions;
  /** Part of the sentence about the run. */
  said?: RegExp;
}

const ROWS: Row[] = [
  { what: 'conforms', exitCode: 0 },
  { what: 'a violation', exitCode: 1, cause: 'violation', defects: CAPITALISED },
  { what: 'a known violation', exitCode: 0, baseline: KNOWN, defects: CAPITALISED },
  { what: 'a known violation that is none', exitCode: 1, cause: 'stale-baseline', baseline: KNOWN },
  {
    what: '--strict, and another answer',
    exitCode: 1,
    cause: 'strict-differs',
    answers: { 'error-body': 'problem' },
    options: STRICT,
    said: /1 answer other than those of the profile, which --strict does not allow: error-body\./,
  },
  { what: 'another answer', exitCode: 0, answers: { 'error-body': 'problem' }, options: { probe: true } },
  {
    what: '--strict, and gaps newer than the profile',
    exitCode: 0,
    answers: { 'error-body': 'detail' },
    options: STRICT,
  },
  {
    what: '--strict, and an answer that nothing shows',
    exitCode: 4,
    cause: 'strict-unobserved',
    answers: { 'forbidden-status': 403 },
    change: NO_MEMBER,
    options: { ...STRICT, only: ['SSO-06'] },
  },
  {
    what: 'refused credentials of the target file',
    exitCode: 4,
    cause: 'credentials',
    change: REFUSED,
    options: { only: ['AUT-01', 'SCO-04', 'KEY-17'] },
    said: /actors\.admin\.login was refused: POST \S+ was answered 401\. actors\.others\.0\.login was/,
  },
  { what: 'untested', exitCode: 4, cause: 'untested', change: NO_MEMBER },
  { what: 'a small budget', exitCode: 4, cause: 'untested', options: { only: ['REC-22', 'SCO-04'], requests: 10 } },
  {
    what: 'skipped',
    exitCode: 0,
    change: NO_MEMBER,
    options: { skip: ['SCO-04'] },
    said: /which --skip waives: SCO-04\. --skip left out \d checks?: /,
  },
  { what: 'untested and waived', exitCode: 0, change: NO_MEMBER, options: { allowUntested: ['all'] } },
  {
    what: 'a known violation, and untested',
    exitCode: 4,
    cause: 'untested',
    baseline: KNOWN,
    defects: CAPITALISED,
    change: NO_MEMBER,
  },
  {
    what: 'nothing answers',
    exitCode: 3,
    cause: 'unreachable',
    change: (target) => ({ ...target, baseUrl: 'http://127.0.0.1:1' }),
  },
];

test.each(ROWS)('$what: $exitCode in all outputs', async ({ exitCode, cause, change, options = {}, ...row }) => {
  const { baseline = { findings: [] }, answers, defects = [] } = row;
  const report = await withFiles({ 'baseline.yaml': baseline, 'profile.yaml': { answers } }, (path) =>
    verifySecond({ defects }, change, {
      ...{ only: ONLY, baseline: path('baseline.yaml'), ...options },
      ...(answers && { profile: path('profile.yaml') }),
    }),
  );
  expect(report.gates[0]?.cause).toBe(cause);
  expectInAll(report, exitCode);
  const { skip = [], allowUntested = [] } = options;
  const isWaived = skip.length + allowUntested.length > 0;
  expect(stripVTControlCharacters(renderTerminal(report)).includes('conforms in 1 of 2 requirements')).toBe(isWaived);
  expect(report.summary.text).toMatch(row.said ?? /./);
});
