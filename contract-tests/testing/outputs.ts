/** What readers of a run's outputs, which know no exit code, take for red or green. */
import { XMLParser } from 'fast-xml-parser';
import { expect } from 'vitest';
import type { Report } from '../model.ts';
import { renderAnnotations } from '../report/github.ts';
import { renderHtml } from '../report/html.ts';
import { renderJunit } from '../report/junit.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { renderSarif } from '../report/sarif.ts';
import { renderTerminal } from '../report/terminal.ts';

const list = <T>(given: T | T[] | undefined): T[] =>
  Array.isArray(given) ? given : given === undefined ? [] : [given];

type Numbers = Record<'tests' | 'failures' | 'errors', string>;
type Suite = Numbers & { testcase: TestCase | TestCase[] };
type TestCase = { name: string; failure?: object; error?: object };

/** As Jenkins and GitLab read it, by the cases, and as others do, by the sums of each suite and of all. */
export function isRedJunit(xml: string): boolean {
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', processEntities: false });
  const { testsuites }: { testsuites: Numbers & { testsuite: Suite | Suite[] } } = parser.parse(xml);
  const suites = list(testsuites.testsuite);
  const cases = suites.flatMap(({ testcase }) => list(testcase));
  const bySuites = suites.some(({ failures, errors }) => Number(failures) + Number(errors) > 0);
  const byCases = cases.some((each) => 'failure' in each || 'error' in each);
  expect([bySuites, Number(testsuites.failures) + Number(testsuites.errors) > 0]).toEqual([byCases, byCases]);
  expect(cases.filter(({ name }) => name === 'verdict')).toHaveLength(1);
  return byCases;
}

type Result = { level?: string; kind?: string; suppressions?: object[]; locations?: Located[] };
type Located = { physicalLocation?: { artifactLocation?: { uri?: string } } };

/** As GitHub's code scanning reads it: it refuses a file where one result has no place, and an error fails the check. */
export function isRedSarif(text: string): boolean {
  const results: Result[] = JSON.parse(text).runs.flatMap((run: { results: Result[] }) => run.results);
  for (const { locations } of results) expect(locations?.[0]?.physicalLocation?.artifactLocation?.uri).toMatch(/./);
  return results.some(({ level, kind = 'fail', suppressions = [] }) => {
    return kind === 'fail' && level === 'error' && suppressions.length === 0;
  });
}

/** Fails unless every output says what the exit code says. */
export function expectInAll(report: Report, exitCode: number): void {
  const isRed = exitCode !== 0;
  expect(report.exitCode).toBe(exitCode);
  expect(isRedJunit(renderJunit(report))).toBe(isRed);
  expect(isRedSarif(renderSarif(report))).toBe(isRed);
  expect(renderAnnotations(report).includes('::error ')).toBe(isRed);
  expect(renderHtml(report)).toContain(`class="verdict ${report.verdict}"`);
  for (const render of [renderTerminal, renderMarkdown]) expect(render(report).toLowerCase()).toContain(report.verdict);
}
