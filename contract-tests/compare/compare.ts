import { readFileSync } from 'node:fs';
import { UsageError } from '../errors.ts';
import type { Report } from '../model.ts';
import { reportIn } from '../report/report-file.ts';
import { count, printable, visible } from '../report/text.ts';
import { EXIT_CODES } from '../report/verdict.ts';
import { sameAnswer } from '../session/gap-answers.ts';
import { loadGaps } from '../spec-data.ts';
import { withoutByteOrderMark } from '../values/json.ts';

/** What rules and readers say differently of two targets; what only one report shows does not count. Exit code 4: both show nothing. */
export function compareReports(left: Report, right: Report) {
  const differences: Record<'kind' | 'id' | 'what' | 'text', string>[] = [];
  const note = (kind: 'check' | 'gap', id: string, what: string, because = ''): void => {
    differences.push({ kind, id, what, text: `${kind} ${id}: ${what}${because}` });
  };
  let [checks, gaps] = [0, 0];
  for (const a of left.checks) {
    const b = right.checks.find(({ id }) => id === a.id);
    if (!b || [a, b].some(({ outcome }) => outcome === 'untested')) continue;
    if ([a, b].every(({ outcome }) => outcome === 'pass' || outcome === 'violation')) checks += 1;
    const because = a.outcome === 'pass' ? ` (at B: ${b.message})` : ` (at A: ${a.message})`;
    if (a.outcome !== b.outcome) note('check', a.id, `${a.outcome} at A, ${b.outcome} at B`, because);
  }
  for (const gap of loadGaps()) {
    const [a, b] = [left, right].map((report) => report.gaps.find(({ id }) => id === gap.id)?.observed);
    if (a === undefined || b === undefined) continue;
    gaps += 1;
    if (!sameAnswer(gap, a, b)) note('gap', gap.id, `${JSON.stringify(a)} at A, ${JSON.stringify(b)} at B`);
  }
  const verdicts = [left.verdict, right.verdict];
  let exitCode = EXIT_CODES[checks > 0 ? 'conforms' : 'inconclusive'];
  if (differences.length > 0 || verdicts.includes('violates')) exitCode = EXIT_CODES.violates;
  if (verdicts.includes('unreachable')) exitCode = EXIT_CODES.unreachable;
  const sides = Object.entries({ A: left, B: right });
  const lines = [
    ...sides.map(([at, run]) => `${at}: ${run.target.baseUrl}, ${run.startedAt}: ${run.verdict} (${run.summary.text})`),
    ...sides.flatMap(([at, { leftovers }]) => leftovers.map((line) => `Left at ${at}: ${line}`)),
    '',
    ...differences.map(({ text }) => `- ${visible(text)}`),
    ...(differences.length > 0 ? [''] : []),
    `${count(differences.length, 'difference')} in ${count(checks, 'check')} and ${count(gaps, 'gap')} that both showed.`,
  ];
  return { differences, exitCode, text: printable(`${lines.join('\n')}\n`) };
}

/** What `--compare` names: a base URL, the report.json of an earlier run, or else a target file. Throws UsageError. */
export function otherSide(named: string): { report: Report } | { baseUrl: string } | { target: string } {
  if (/^https?:\/\//i.test(named)) return { baseUrl: named };
  let text: string;
  try {
    text = readFileSync(named, 'utf8');
  } catch {
    throw new UsageError(`${named}: neither a base URL, nor a target file or report.json that can be read.`);
  }
  if (!text.includes('"schemaVersion"')) return { target: named };
  try {
    const json: Report = JSON.parse(withoutByteOrderMark(text));
    if (json.schemaVersion !== 1) throw new Error(`schemaVersion ${json.schemaVersion}`);
    const report = reportIn(json);
    // What is complete can be compared with itself.
    compareReports(report, report);
    return { report };
  } catch {
    throw new UsageError(
      `${named}: not a complete report of this version of platform-mock; write one with verify --report-dir.`,
    );
  }
}
