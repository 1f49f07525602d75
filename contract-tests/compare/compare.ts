import { readFileSync } from 'node:fs';
import { UsageError } from '../errors.ts';
import type { Report } from '../model.ts';
import { printable } from '../report/printable.ts';
import { reportIn } from '../report/report-file.ts';
import { count, visible } from '../report/text.ts';
import { EXIT_CODES } from '../report/verdict.ts';
import { sameAnswer } from '../session/gap-answers.ts';
import { loadGaps } from '../spec-data.ts';
import { isObject, parseJson } from '../values/json.ts';

export interface Difference {
  kind: 'check' | 'gap';
  id: string;
  what: string;
  /** One statement that says it all. */
  text: string;
}

/** What rules and readers say differently of two targets; what only one of the reports judged or observed does not count. */
export function compareReports(left: Report, right: Report): Difference[] {
  const checks = judgedByBoth(left, right).flatMap(([a, b]): Difference[] => {
    if (a.outcome === b.outcome) return [];
    const because = a.outcome === 'pass' ? `at B: ${b.message}` : `at A: ${a.message}`;
    const what = `${a.outcome} at A, ${b.outcome} at B`;
    return [{ kind: 'check', id: a.id, what, text: `check ${a.id}: ${what} (${because})` }];
  });
  const gaps = observedByBoth(left, right).flatMap(({ gap, a, b }): Difference[] => {
    if (sameAnswer(gap, a, b)) return [];
    const what = `${JSON.stringify(a)} at A, ${JSON.stringify(b)} at B`;
    return [{ kind: 'gap', id: gap.id, what, text: `gap ${gap.id}: ${what}` }];
  });
  return [...checks, ...gaps];
}

const judgedByBoth = (left: Report, right: Report) =>
  left.checks.flatMap((a) => {
    const b = right.checks.find(({ id }) => id === a.id);
    return b && [a, b].every(({ outcome }) => outcome !== 'untested') ? [[a, b] as const] : [];
  });

const observedByBoth = (left: Report, right: Report) =>
  loadGaps().flatMap((gap) => {
    const [a, b] = [left, right].map(({ gaps }) => gaps.find(({ id }) => id === gap.id)?.observed);
    return a === undefined || b === undefined ? [] : [{ gap, a, b }];
  });

const isVerdict = ({ outcome }: { outcome: string }): boolean => outcome === 'pass' || outcome === 'violation';
const verdictsOfBoth = (left: Report, right: Report): number =>
  judgedByBoth(left, right).filter((both) => both.every(isVerdict)).length;

/** 0: they behave alike; 1: they differ, or one violates the document; 3: one could not be reached; 4: nothing was judged at both. */
export function exitCodeOf(left: Report, right: Report, differences: readonly Difference[]): number {
  const verdicts = [left.verdict, right.verdict];
  if (verdicts.includes('unreachable')) return EXIT_CODES.unreachable;
  if (differences.length > 0 || verdicts.includes('violates')) return EXIT_CODES.violates;
  return verdictsOfBoth(left, right) > 0 ? EXIT_CODES.conforms : EXIT_CODES.inconclusive;
}

/** The comparison as text: who was compared, a line for each difference, and what that comes to. */
export function renderComparison(left: Report, right: Report, differences: readonly Difference[]): string {
  const side = (name: string, report: Report): string =>
    `${name}: ${report.target.baseUrl}, ${report.startedAt}: ${report.verdict} (${report.summary.text})`;
  const lines = [
    side('A', left),
    side('B', right),
    ...[left, right].flatMap(({ leftovers }, at) => leftovers.map((line) => `Left at ${'AB'[at]}: ${line}`)),
    '',
    ...differences.map(({ text }) => `- ${visible(text)}`),
    ...(differences.length > 0 ? [''] : []),
    `${count(differences.length, 'difference')} in ${count(verdictsOfBoth(left, right), 'check')} and ${count(observedByBoth(left, right).length, 'gap')} that both showed.`,
  ];
  return printable(`${lines.join('\n')}\n`);
}

/** The other side of a comparison: an earlier run's report, or a target to run at now. */
export type OtherSide = { report: Report } | { baseUrl: string } | { target: string };

/** What `--compare` names: a base URL, a report.json, or else a target file. Throws UsageError when it cannot be read. */
export function otherSide(named: string): OtherSide {
  if (/^https?:\/\//.test(named)) return { baseUrl: named };
  let text: string;
  try {
    text = readFileSync(named, 'utf8');
  } catch {
    const known = 'neither a base URL, nor a file that can be read (a target file, or a report.json)';
    throw new UsageError(`${named}: ${known}.`);
  }
  const json = parseJson(text);
  if (!isObject(json) || !('schemaVersion' in json)) return { target: named };
  if (json.schemaVersion !== 1) throw new UsageError(`${named}: not a report of this version of platform-mock.`);
  try {
    const report = reportIn(json as unknown as Report);
    // What is complete can be compared with itself.
    renderComparison(report, report, compareReports(report, report));
    return { report };
  } catch (error) {
    throw new UsageError(
      `${named}: not a complete report of this version of platform-mock (${(error as Error).message}); write one with verify --report-dir.`,
    );
  }
}
