import type { Report } from '../model.ts';
import { printable } from '../report/printable.ts';
import { count, visible } from '../report/text.ts';
import { EXIT_CODES } from '../report/verdict.ts';
import { type Cause, causesOf } from './causes.ts';
import type { Difference } from './compare.ts';

function judgedByBoth(left: Report, right: Report): number {
  const judged = (report: Report) =>
    report.checks.filter(({ outcome }) => outcome === 'pass' || outcome === 'violation').map(({ id }) => id);
  const others = new Set(judged(right));
  return judged(left).filter((id) => others.has(id)).length;
}

/** 0: they behave alike; 1: they differ, or one violates the document; 3: one could not be reached; 4: nothing was judged at both. */
export function exitCodeOf(left: Report, right: Report, differences: readonly Difference[]): number {
  const verdicts = [left.verdict, right.verdict];
  if (verdicts.includes('unreachable')) return EXIT_CODES.unreachable;
  if (differences.length > 0 || verdicts.includes('violates')) return EXIT_CODES.violates;
  return judgedByBoth(left, right) > 0 ? EXIT_CODES.conforms : EXIT_CODES.inconclusive;
}

/** The comparison as text: who was compared, a line for each difference, and what that comes to. */
export function renderComparison(left: Report, right: Report, differences: readonly Difference[]): string {
  const side = (name: string, report: Report): string =>
    `${name}: ${report.target.baseUrl}, ${report.startedAt}: ${report.verdict} (${report.summary.text})`;
  const both = left.gaps.filter(
    ({ id, observed }) =>
      observed !== undefined && right.gaps.some((gap) => gap.id === id && gap.observed !== undefined),
  ).length;
  const causes = causesOf(differences);
  const lines = [
    side('A', left),
    side('B', right),
    ...[left, right].flatMap(({ leftovers }, at) => leftovers.map((line) => `Left at ${'AB'[at]}: ${line}`)),
    '',
    ...causes.flatMap(causeLines),
    ...(causes.length > 0 ? [''] : []),
    `${count(differences.length, 'difference')} in ${count(judgedByBoth(left, right), 'check')} and ${count(both, 'gap')} that both showed${differences.length > causes.length ? `, from ${count(causes.length, 'cause')}` : ''}.`,
  ];
  return printable(`${lines.join('\n')}\n`);
}

/** A difference on one line; several with one cause below it. */
function causeLines({ text, differences }: Cause): string[] {
  const line = ({ kind, text: whole, checks }: Difference): string =>
    visible(whole) + (kind === 'exchange' ? where(checks) : '');
  const [only, ...others] = differences;
  if (only && others.length === 0) return [`- ${line(only)}`];
  const effects = differences.filter((difference) => difference.text !== text);
  return [`- ${visible(text)}`, ...effects.map((difference) => `    ${line(difference)}`)];
}

function where(checks: readonly string[]): string {
  const [first, ...others] = checks;
  return others.length > 0 ? ` (${first} and ${count(others.length, 'more check')})` : ` (${first})`;
}
