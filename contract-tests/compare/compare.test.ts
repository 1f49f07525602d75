import { describe, expect, test } from 'vitest';
import { startSecondImplementation } from '../../fixtures/servers/second/server.ts';
import { startMock } from '../../src/index.ts';
import { verify } from '../commands/verify.ts';
import type { Report } from '../model.ts';
import { reportText } from '../report/report-file.ts';
import { withFiles } from '../testing/fixtures.ts';
import { verifyAt } from '../testing/judge.ts';
import { compareReports, exitCodeOf, otherSide, renderComparison } from './compare.ts';

async function reportOf(profile: Record<string, unknown> = {}, options = {}): Promise<Report> {
  await using mock = await startMock({ port: 0, profile: { answers: profile }, ...options });
  return await verify({ baseUrl: mock.baseUrl });
}

describe('two targets that behave alike show no difference', () => {
  test('the mock with itself, with other ids and data', async () => {
    const [left, right] = [await reportOf(), await reportOf({}, { seed: 99, latencyMs: 2 })];
    expect(compareReports(left, right).map(({ text }) => text)).toEqual([]);
    expect(exitCodeOf(left, right, [])).toBe(0);
  });

  test('… unless nothing was judged at one of them, which is never green', async () => {
    const left = await reportOf();
    const right = { ...left, checks: left.checks.map((check) => ({ ...check, outcome: 'untested' as const })) };
    expect(exitCodeOf(left, right, [])).toBe(4);
    expect(renderComparison(left, right, [])).toContain('0 differences in 0 checks and ');
  });

  test('the second implementation with itself, whose lists come in another order each time', async () => {
    const reports: Report[] = [];
    for (let run = 0; run < 2; run += 1) {
      const { target, close } = await startSecondImplementation({ style: 'problem-details' });
      reports.push(await verifyAt(target).finally(close));
    }
    const [left, right] = reports as [Report, Report];
    expect(compareReports(left, right).map(({ text }) => text)).toEqual([]);
  });
});

describe('each difference is reported once, in one line', () => {
  test('another status, another body, more fields', async () => {
    const left = await reportOf();
    const right = await reportOf({ 'missing-credentials-status': 403, 'error-body': 'detail', 'extra-fields': 'some' });
    const differences = compareReports(left, right);
    expect(differences.map(({ text }) => text)).toEqual([
      'gap error-body: "error-object" at A, "detail" at B',
      'gap missing-credentials-status: 401 at A, 403 at B',
      'gap extra-fields: "none" at A, "some" at B',
    ]);
    expect(renderComparison(left, right, differences)).toMatch(
      /^- gap error-body: .*\n- gap .*\n- gap .*\n\n3 differences in \d+ checks and \d+ gaps that both showed\.$/m,
    );
    expect(exitCodeOf(left, right, differences)).toBe(1);
  });

  test('a quick run is compared in what it judged, too', async () => {
    await using mock = await startMock({ port: 0 });
    const [left, right] = [
      await verify({ baseUrl: mock.baseUrl }),
      await verify({ baseUrl: mock.baseUrl, quick: true }),
    ];
    expect(compareReports(left, right).map(({ text }) => text)).toEqual([]);
    expect(exitCodeOf(left, right, [])).toBe(0);
  });

  test('a check that passes at one target only', async () => {
    const left = await reportOf();
    const right: Report = structuredClone(left);
    Object.assign(right.checks[0] ?? {}, { outcome: 'violation', message: 'It is not so.' });
    const [difference, ...others] = compareReports(left, right);
    expect(others).toEqual([]);
    expect(difference).toMatchObject({
      kind: 'check',
      text: `check ${left.checks[0]?.id}: pass at A, violation at B (at B: It is not so.)`,
    });
  });

  test('says what each run left at its target', async () => {
    const left = await reportOf();
    const right: Report = { ...left, leftovers: ['a PAT'] };
    expect(renderComparison(left, right, [])).toContain('\nLeft at B: a PAT\n');
  });

  test('a target that does not answer', async () => {
    const left = await reportOf();
    expect(exitCodeOf(left, { ...left, verdict: 'unreachable' }, [])).toBe(3);
  });
});

test('the other side is a URL, a report or a target file', async () => {
  const report = await reportOf();
  const files = { 'report.json': reportText(report), 'target.yaml': 'baseUrl: http://127.0.0.1:1' };
  await withFiles(files, async (file) => {
    expect(otherSide('http://127.0.0.1:1')).toEqual({ baseUrl: 'http://127.0.0.1:1' });
    expect(otherSide(file('target.yaml'))).toEqual({ target: file('target.yaml') });
    expect(files['report.json'].length).toBeLessThan(0.9 * JSON.stringify(report, null, 2).length);
    expect(otherSide(file('report.json'))).toEqual({ report: JSON.parse(JSON.stringify(report)) });
  });
});
