import pc from 'picocolors';
import type { GapResult, Outcome, Report } from '../model.ts';
import { hasInvisible, show } from '../values/json.ts';
import { bySharedReason, decisiveOf, type Finding, findingsOf, remarksOf, requirementIds } from './arrange.ts';
import { printableJson } from './printable.ts';
import { count, sentIn, whereOf } from './text.ts';

/** One character a check, for progress. */
export const PROGRESS_MARKS: Record<Outcome, string> = {
  pass: pc.green('.'),
  violation: pc.red('F'),
  error: pc.red('E'),
  blocked: pc.yellow('b'),
  untested: pc.yellow('u'),
};
const VERDICTS = { conforms: pc.green, violates: pc.red, inconclusive: pc.yellow, unreachable: pc.red } as const;
/** Maximum lines of a kind, so that the summary fits on one screen. */
const MAX_FINDINGS = 8;
const MAX_REASONS = 8;

export const PROGRESS_LEGEND = '. pass  F violation  E error  b blocked  u untested';

/** The summary that a terminal shows, the verdict last. `isObservable` says of a gap's id whether a probe can observe it. */
export function renderTerminal(given: Report, isObservable: (gapId: string) => boolean = () => true): string {
  const report = printableJson(given);
  const findings = findingsOf(report)
    .map((each) => ({ ...each, checks: each.checks.filter(({ known }) => known === undefined) }))
    .filter(({ checks }) => checks.length > 0);
  const lines = [
    ...findings.slice(0, MAX_FINDINGS).flatMap(finding),
    ...(findings.length > MAX_FINDINGS
      ? [`… and ${count(findings.length - MAX_FINDINGS, 'more finding')}; --report-dir DIR writes them all.`, '']
      : []),
    ...report.checks.flatMap(({ id, known }) => (known === undefined ? [] : [`${pc.yellow('known')} ${id}: ${known}`])),
    ...openEnds(report),
    ...(report.leftovers.length > 0
      ? ['Left at the target:', ...report.leftovers.map((line) => `  - ${line}`), '']
      : []),
    ...gapLines(report.gaps, isObservable),
    ...(report.checks.length > 0 ? [counts(report)] : []),
    `${VERDICTS[report.verdict](pc.bold(report.verdict))} (exit ${report.exitCode}): ${report.summary.text}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** What breaks the same requirements, shown by the first check that found it, and what it kept from being judged. */
function finding({ requirements, checks: [check, ...others], blocks }: Finding): string[] {
  if (!check) return [];
  const shown = decisiveOf(check);
  return [
    `${pc.red('violation')} ${pc.bold(check.id)}: ${check.message}`,
    ...requirements.map(({ id, section, statement }) => `  ${pc.cyan(id)} (${whereOf(section)}) ${statement}`),
    `  expected ${plain(check.expected)}`,
    `  actual   ${plain(check.actual)}`,
    ...(others.length > 0 ? [`  seen by ${listed(others.map(({ id }) => id))}, too`] : []),
    ...(blocks.length > 0 ? [`  blocks   ${listed(blocks.map(({ id }) => id))}`] : []),
    ...(shown ? [`  ${pc.dim(shortened(shown.exchange.curl))}`] : []),
    '',
  ];
}

/** A command is useful only as a whole; one that fills the screen is in the reports. */
function shortened(curl: string): string {
  return curl.length > 700 ? `${curl.slice(0, 600)}… (whole in the reports)` : curl;
}

/** Text as it is, anything else as JSON. A title is quoted nevertheless: blanks at its ends must be visible. */
function plain(value: unknown): string {
  const isPhrase = typeof value === 'string' && value.trim() === value && value.length < 160 && !hasInvisible(value);
  if (isPhrase) return value;
  return typeof value === 'string' && value.length >= 160
    ? `${show(value)} (${count(value.length, 'character')})`
    : show(value);
}

/** What could not be judged, one line a cause: many checks often lack the same thing; then what a pass does not show. */
function openEnds(report: Report): string[] {
  const lines: string[] = [];
  for (const outcome of ['error', 'untested', 'blocked'] as const) {
    const groups = bySharedReason(report, outcome);
    for (const { message, checks } of groups.slice(0, MAX_REASONS))
      lines.push(`${pc.yellow(outcome)} ${listed(requirementIds(report, checks))}: ${message}`);
    if (groups.length > MAX_REASONS)
      lines.push(`… and ${count(groups.length - MAX_REASONS, 'more cause')} of ${outcome}`);
  }
  for (const { message, requirements } of remarksOf(report))
    lines.push(`${pc.dim('remark')} ${listed(requirements)}: ${message}`);
  return lines.length > 0 ? [...lines, ''] : [];
}

function listed(ids: string[]): string {
  return ids.length > 6 ? `${ids.slice(0, 6).join(' ')} and ${ids.length - 6} more` : ids.join(' ');
}

function counts(report: Report): string {
  const { summary, durationMs } = report;
  const parts = (['pass', 'violation', 'error', 'blocked', 'untested'] as const).filter(
    (outcome) => summary[outcome] > 0,
  );
  const texts = parts.map((outcome) => `${summary[outcome]} ${outcome}`);
  const sent = sentIn(report);
  return `${count(summary.checks, 'check')}: ${texts.join(', ') || 'none run'} in ${(durationMs / 1000).toFixed(1)} s${sent && `, ${sent}`}`;
}

/** Maximum gaps listed by name, so that the summary fits on one screen. */
const MAX_NAMED = 6;

/** The gaps in a few lines: how many of each outcome, then what differs; the whole ledger is in the reports. */
function gapLines(gaps: readonly GapResult[], observable: (id: string) => boolean): string[] {
  const probed = gaps.filter(({ id }) => observable(id));
  if (probed.every(({ outcome, evidence }) => outcome === 'undetermined' && !evidence)) return [];
  const of = (outcome: GapResult['outcome']): GapResult[] => probed.filter((gap) => gap.outcome === outcome);
  const names = (some: readonly GapResult[]): string => some.map(({ id }) => id).join(' ');
  const [differing, undetermined] = [of('differs'), of('undetermined')];
  return [
    `${count(probed.length, 'gap')} observed: ${of('match').length} as assumed, ${differing.length} differ, ${undetermined.length} undetermined (they gate with --strict only)`,
    ...(differing.length > MAX_NAMED
      ? [`  differ: ${names(differing)}`]
      : differing.map(
          ({ id, assumed, observed }) =>
            `  differs ${id}: assumed ${JSON.stringify(assumed)}, observed ${JSON.stringify(observed)}`,
        )),
    ...(undetermined.length > 0 ? [`  undetermined: ${names(undetermined)}`] : []),
    ...(differing.length > 0 ? ['  `platform-mock learn` writes a profile of what was observed.'] : []),
  ];
}
