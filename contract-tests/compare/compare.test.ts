import { describe, expect, test } from 'vitest';
import { startSecondImplementation } from '../../fixtures/servers/second/server.ts';
import { startMock } from '../../src/index.ts';
import { verify } from '../commands/verify.ts';
import type { Report } from '../model.ts';
import { reportText } from '../report/report-file.ts';
import { withFiles } from '../testing/fixtures.ts';
import { verifyAt } from '../testing/judge.ts';
import { causesOf } from './causes.ts';
import { compareReports } from './compare.ts';
import { otherSide } from './load.ts';
import { exitCodeOf, renderComparison } from './render.ts';
import { shapeDifferences, shapeOf } from './shape.ts';

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
    const texts = differences.map(({ text }) => text);
    expect(texts).toContain('gap missing-credentials-status: 401 at A, 403 at B');
    expect(texts).toContain('gap error-body: "error-object" at A, "detail" at B');
    expect(texts).toContain(
      'GET /v1/admin/tenants/{id}/api-keys without credentials: answered 401 application/json at A, 403 application/json at B',
    );
    expect(texts).toContain(
      'GET /v1/admin/tenants/{id}/api-keys: in 200 application/json, [].last_used_at (string) is at B only',
    );
    expect(new Set(texts).size).toBe(texts.length);
    const causes = causesOf(differences);
    expect(causes.flatMap((cause) => cause.differences)).toHaveLength(differences.length);
    const missing = causes.find(({ text }) => text.startsWith('gap missing-credentials-status'));
    expect(missing?.differences.length).toBeGreaterThan(1);
    expect(
      missing?.differences
        .filter(({ kind }) => kind === 'exchange')
        .every(({ id }) => id.endsWith('without credentials')),
    ).toBe(true);
    // Each gap that differs is one cause, and nothing is left that none of them explains.
    expect(causes.map(({ text }) => text.split(':')[0])).toEqual(
      ['gap missing-credentials-status', 'gap error-body', 'gap extra-fields'].toSorted(
        (a, b) => texts.findIndex((text) => text.startsWith(a)) - texts.findIndex((text) => text.startsWith(b)),
      ),
    );
    expect(renderComparison(left, right, differences)).toMatch(/^- gap error-body: .*\n {4}\S/m);
    expect(exitCodeOf(left, right, differences)).toBe(1);
    expect(renderComparison(left, right, differences)).toContain(`${differences.length} differences in `);
  });

  test('a request to only one of them is not a difference', async () => {
    const left = await reportOf();
    const right = await reportOf({ 'unknown-field': 'refuse' });
    const texts = compareReports(left, right).map(({ text }) => text);
    expect(texts).toContain('gap unknown-field: "ignore" at A, "refuse" at B');
    // At A the title was written and put back with good credentials; at B the refusal left nothing to put back.
    expect(texts.filter((text) => text.includes('{title: string}'))).toEqual([]);
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

describe('shapes', () => {
  const shape = (value: unknown) => shapeOf(JSON.stringify(value)) ?? new Map();
  test.each([
    ['the same fields with other values', { id: 'a', list: [{ x: 1 }] }, { list: [{ x: 2 }], id: 'b' }, []],
    ['an empty list', { list: [] }, { list: [{ x: 1 }] }, []],
    ['null', { a: null }, { a: 'x' }, []],
    ['another type', { a: 1 }, { a: 'x' }, ['a is number at A, string at B']],
    ['one field more', { a: { b: 1 } }, { a: { b: 1, c: true } }, ['a.c (boolean) is at B only']],
  ])('%s', (_name, left, right, expected) => {
    expect(shapeDifferences(shape(left), shape(right))).toEqual(expected);
  });
});

test('the other side is a URL, a report or a target file', async () => {
  const report = await reportOf();
  const files = { 'report.json': reportText(report), 'target.yaml': 'baseUrl: http://127.0.0.1:1' };
  await withFiles(files, async (file) => {
    expect(otherSide('http://127.0.0.1:1')).toEqual({ baseUrl: 'http://127.0.0.1:1' });
    expect(otherSide(file('target.yaml'))).toEqual({ targetFile: file('target.yaml') });
    expect(files['report.json'].length).toBeLessThan(0.9 * JSON.stringify(report, null, 2).length);
    expect(otherSide(file('report.json'))).toEqual({ report: JSON.parse(JSON.stringify(report)) });
  });
});
