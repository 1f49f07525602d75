import pc from 'picocolors';
import type { GapResult, Outcome, Report } from '../model.ts';
import { type Arranged, arrange, type Finding } from './arrange.ts';
import { count, cut, idsOf, listed, printableJson, sentIn, showDuration } from './text.ts';

export const PROGRESS_MARKS: Record<Outcome, string> = {
  pass: pc.green('.'),
  violation: pc.red('F'),
  error: pc.red('E'),
  blocked: pc.yellow('b'),
  untested: pc.yellow('u'),
  differs: pc.yellow('d'),
};
const VERDICTS = { conforms: pc.green, violates: pc.red, inconclusive: pc.yellow, unreachable: pc.red } as const;
/** Maximum findings, reasons of an outcome, and names in a line, so that the summary fits on one screen. */
const MAX_LINES = 8;
const MAX_NAMED = 6;

export const PROGRESS_LEGEND = '. pass  F violation  E error  b blocked  u untested';

/** The summary that a terminal shows, the verdict last. `isObservable` says of a gap's id whether a probe can observe it. */
export function renderTerminal(given: Report, isObservable: (gapId: string) => boolean = () => true): string {
  const report = arrange(printableJson(given));
  const { verdict, scope, exitCode, summary, leftovers, findings: all, open, checks, counts, kind, noun } = report;
  const findings = all
    .map((each) => ({ ...each, checks: each.checks.filter(({ known }) => known === undefined) }))
    .filter((each) => each.checks.length > 0);
  const more = findings.splice(MAX_LINES).length;
  const reasons = open.flatMap(reasonLines);
  const judged = counts.flatMap(({ word, checks: number }) => (Number(number) > 0 ? `${number} ${word}` : []));
  const number = report.replay?.recorded ?? checks.length;
  const paint = (text: string): string => VERDICTS[verdict](pc.bold(text));
  const sent = [showDuration(report.durationMs), sentIn(report)].filter(Boolean).join(', ');
  const lines = [
    ...findings.flatMap(finding),
    ...(more > 0 ? [`… and ${count(more, 'more finding')}; --report-dir DIR writes them all.`, ''] : []),
    ...checks.flatMap(({ id, known }) => (known === undefined ? [] : [`${pc.yellow('known')} ${id}: ${known}`])),
    ...(reasons.length > 0 ? [...reasons, ''] : []),
    ...(leftovers.length > 0 ? ['Left at the target:', ...leftovers.map((line) => `  - ${line}`), ''] : []),
    ...gapLines(
      report.gaps.filter(({ id }) => isObservable(id)),
      kind === 'run' ? 'assumed' : 'recorded',
    ),
    ...(number > 0 && kind !== 'finding' ? [`${count(number, noun)}: ${judged.join(', ')} in ${sent}`] : []),
    `${kind === 'run' ? `${paint(verdict + scope)} (exit ${exitCode})` : paint(`exit ${exitCode}`)}: ${summary.text}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** What breaks the same requirements, shown by the first check that found it, and what it kept from being judged. */
function finding({ statements, checks: [check, ...others], blocks }: Finding): string[] {
  if (!check) return [];
  const { id, message, expected = '(nothing)', actual = '(nothing)', findings, repeat, caveat, again } = check;
  return [
    `${pc.red('violation')} ${pc.bold(id)}: ${message}`,
    ...statements.map(({ line }) => `  ${line}`),
    `  expected ${onOneLine(expected)}`,
    `  actual   ${onOneLine(actual)}`,
    ...findings.slice(0, MAX_LINES).map((line) => `  ${onOneLine(line)}`),
    ...(others.length > 0 ? [`  seen by ${named(others)}, too`] : []),
    ...(blocks.length > 0 ? [`  blocks   ${named(blocks)}`] : []),
    ...repeat.map((curl) => `  ${pc.dim(cut(curl, 600))}`),
    ...[caveat, again].flatMap((line) => (line === undefined ? [] : [`  ${line}`])),
    '',
  ];
}

const named = (checks: readonly { id: string }[]): string => listed(idsOf(checks), MAX_NAMED);

function onOneLine(value: string): string {
  const lines = value.split('\n').map((line) => line.trim());
  return cut(lines.join(' '), 160);
}

/** What could not be judged, one line a cause: many checks often lack the same thing; then what a pass does not show. */
function reasonLines({ word, reasons }: Arranged['open'][number]): string[] {
  const more = reasons.length - MAX_LINES;
  return [
    ...reasons
      .slice(0, MAX_LINES)
      .map(({ message, ids }) => `${pc.yellow(word)} ${listed(ids, MAX_NAMED)}: ${message}`),
    ...(more > 0 ? [`… and ${count(more, 'more cause')} of ${word}`] : []),
  ];
}

const json = (value: unknown): string => JSON.stringify(value);

/** The gaps in a few lines: how many of each outcome, then what differs; the whole ledger is in the reports. */
function gapLines(probed: readonly GapResult[], before: string): string[] {
  if (probed.every(({ outcome, evidence }) => outcome === 'undetermined' && !evidence)) return [];
  const of = (outcome: GapResult['outcome']): GapResult[] => probed.filter((gap) => gap.outcome === outcome);
  const [differing, undetermined] = [of('differs'), of('undetermined')];
  return [
    `${count(probed.length, 'gap')} observed: ${of('match').length} as ${before}, ${differing.length} differ, ${undetermined.length} undetermined`,
    ...(differing.length > MAX_NAMED
      ? [`  differ: ${idsOf(differing).join(' ')}`]
      : differing.map(
          ({ id, assumed, observed }) => `  differs ${id}: ${before} ${json(assumed)}, observed ${json(observed)}`,
        )),
    ...(undetermined.length > 0 ? [`  undetermined: ${idsOf(undetermined).join(' ')}`] : []),
    ...(differing.length > 0 ? ['  `platform-mock learn` writes a profile of what was observed.'] : []),
  ];
}
