import type { Report } from '../model.ts';
import { printable } from '../report/printable.ts';
import { count, visible } from '../report/text.ts';
import { EXIT_CODES } from '../report/verdict.ts';
import { type Cause, causesOf } from './causes.ts';
import type { Difference } from './compare.ts';

/** 0: they behave alike; 1: they differ, or one violates the document; 3: one could not be reached. */
export function exitCodeOf(left: Report, right: Report, differences: readonly Difference[]): number {
  const verdicts = [left.verdict, right.verdict];
  if (verdicts.includes('unreachable')) return EXIT_CODES.unreachable;
  return differences.length > 0 || verdicts.includes('violates') ? EXIT_CODES.violates : EXIT_CODES.conforms;
}

/** The comparison as text: who was compared, a line for each difference, and what that comes to. */
export function renderComparison(left: Report, right: Report, differences: readonly Difference[]): string {
  const side = (name: string, report: Report): string =>
    `${name}: ${report.target.baseUrl}, ${report.startedAt}: ${report.verdict} (${report.summary.text})`;
  const compared = left.checks.filter(({ id }) => right.checks.some((check) => check.id === id)).length;
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
    `${count(differences.length, 'difference')} in ${count(compared, 'check')} and ${count(both, 'gap')} that both showed${differences.length > causes.length ? `, from ${count(causes.length, 'cause')}` : ''}.`,
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
