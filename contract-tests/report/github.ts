import type { Report } from '../model.ts';
import { answerOf, decisiveOf, type ReportedCheck, relativeUrl } from './arrange.ts';
import { printable } from './printable.ts';

/** Escapes text for a workflow command: `%`, line ends, and in properties also `:` and `,`. */
const escapeData = (text: string): string =>
  printable(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'));
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Maximum annotations of a step: GitHub drops more without notice. */
const MAX_ANNOTATIONS = 10;

/** The request that shows a finding, and what it was answered. */
function seenAt(report: Report, check: ReportedCheck): string {
  const shown = decisiveOf(check)?.exchange;
  return shown ? ` [${shown.request.method} ${relativeUrl(report, shown.request.url)}: ${answerOf(shown)}]` : '';
}

/** The report as workflow commands of GitHub Actions: errors for findings and a verdict that fails, warnings for known ones. */
export function renderAnnotations(report: Report): string {
  const findings = report.checks.filter(({ outcome }) => outcome === 'violation');
  const lines = findings.map((check) => {
    const level = check.known === undefined ? 'error' : 'warning';
    const title = `${check.id} (${check.requirements.join(' ')})`;
    return `::${level} title=${escapeProperty(title)}::${escapeData(`${check.message}${seenAt(report, check)}`)}`;
  });
  const shown = lines.slice(0, MAX_ANNOTATIONS - 1);
  if (lines.length > shown.length)
    shown.push(`::error title=more findings::${lines.length - shown.length} more; see the report`);
  if (report.verdict === 'inconclusive' || report.verdict === 'unreachable')
    shown.push(`::error title=${report.verdict}::${escapeData(report.summary.text)}`);
  return shown.map((line) => `${line}\n`).join('');
}
