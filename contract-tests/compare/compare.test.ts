import { describe, expect, test } from 'vitest';
import { startMock } from '../../src/index.ts';
import type { Report } from '../model.ts';
import { reportText } from '../report/report-file.ts';
import { withFiles } from '../testing/fixtures.ts';
import { verify } from '../testing/judge.ts';
import { compareReports, otherSide } from './compare.ts';

async function reportOf(options = {}): Promise<Report> {
  await using mock = await startMock({ port: 0, ...options });
  return await verify({ baseUrl: mock.baseUrl });
}

/** Of the mock as it is; its options are the default ones. */
const ordinary = reportOf();

describe('two targets that behave alike show no difference', () => {
  test('the mock with itself, with other ids and data', async () => {
    const [left, right] = [await ordinary, await reportOf({ seed: 99, latency: 2 })];
    expect(compareReports(left, right)).toMatchObject({ differences: [], exitCode: 0 });
  });

  test('… unless nothing was judged at one of them, which is never green', async () => {
    const left = await ordinary;
    const right = { ...left, checks: left.checks.map((check) => ({ ...check, outcome: 'untested' as const })) };
    const { exitCode, text } = compareReports(left, right);
    expect(exitCode).toBe(4);
    expect(text).toContain('0 differences in 0 checks and ');
  });

  test('a quick run, in what it judged', async () => {
    await using mock = await startMock({ port: 0 });
    const quick = await verify({ baseUrl: mock.baseUrl, quick: true });
    expect(compareReports(await ordinary, quick)).toMatchObject({ differences: [], exitCode: 0 });
  });
});

describe('each difference is reported once, in one line', () => {
  test('a check that passes at one target only, and another answer to a gap', async () => {
    const left = await ordinary;
    const right: Report = structuredClone(left);
    Object.assign(right.checks[0] ?? {}, { outcome: 'violation', message: 'It is not so.' });
    Object.assign(right.gaps.find(({ id }) => id === 'error-body') ?? {}, { observed: 'detail' });
    const { differences, exitCode, text } = compareReports(left, right);
    expect(differences.map((each) => each.text)).toEqual([
      `check ${left.checks[0]?.id}: pass at A, violation at B (at B: It is not so.)`,
      'gap error-body: "error-object" at A, "detail" at B',
    ]);
    expect(exitCode).toBe(1);
    expect(text).toMatch(/^- check .*\n- gap .*\n\n2 differences in \d+ checks and \d+ gaps that both showed\.$/m);
  });

  test('what each run left at its target is said; one that does not answer ends in exit 3', async () => {
    const left = await ordinary;
    const { text, exitCode } = compareReports(left, { ...left, leftovers: ['a PAT'], verdict: 'unreachable' });
    expect(text).toContain('\nLeft at B: a PAT\n');
    expect(exitCode).toBe(3);
  });
});

const longBodies = (text: string) =>
  [...text.matchAll(/"body": "((?:[^"\\]|\\.){400,})"/g)].map(([, body]) => JSON.parse(`"${body}"`));

test('the other side is a URL, a report or a target file', async () => {
  const report = await ordinary;
  const text = reportText(report);
  // More values than any answer of a target may have.
  const long = { ...report, checks: report.checks.map((check) => ({ ...check, actual: Array(1_000).fill(1) })) };
  const files = {
    ...{ 'report.json': `\ufeff${text}`, 'long.json': reportText(long), 'cut.json': text.slice(0, -9) },
    'target.yaml': 'baseUrl: http://127.0.0.1:1',
  };
  await withFiles(files, async (file) => {
    expect(otherSide('http://127.0.0.1:1')).toEqual({ baseUrl: 'http://127.0.0.1:1' });
    expect(otherSide(file('target.yaml'))).toEqual({ target: file('target.yaml') });
    // A report repeats the long bodies of checks that passed; its text has each of them once.
    const repeated = longBodies(JSON.stringify(report, null, 2));
    const written = longBodies(text);
    expect(repeated.length).toBeGreaterThan(written.length);
    expect(new Set(written)).toEqual(new Set(repeated));
    expect(new Set(written).size).toBe(written.length);
    expect(otherSide(file('report.json'))).toEqual({ report: JSON.parse(JSON.stringify(report)) });
    expect(otherSide(file('long.json'))).toEqual({ report: JSON.parse(JSON.stringify(long)) });
    expect(() => otherSide(file('cut.json'))).toThrow(/cut\.json: not a complete report of this version/);
  });
});
