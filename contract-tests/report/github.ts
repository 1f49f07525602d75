import type { Report } from '../model.ts';
import { arrange } from './arrange.ts';
import { printable } from './text.ts';

/** Maximum annotations of a step: GitHub drops more without notice. */
const MAX_ANNOTATIONS = 10;

/** A workflow command, with `%`, line ends, and in the title also `:` and `,` escaped. */
function annotation(level: 'error' | 'warning', title: string, text: string): string {
  const escaped = (part: string): string =>
    printable(part.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'));
  return `::${level} title=${escaped(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escaped(text)}\n`;
}

/** The report as workflow commands of GitHub Actions: errors for findings and a verdict that fails, warnings for known ones. */
export function renderAnnotations(report: Report): string {
  const lines = arrange(report).checks.flatMap(({ id, outcome, requirements, known, message, shown }) => {
    if (outcome !== 'violation') return [];
    const seen = shown ? ` [${shown.method} ${shown.path}: ${shown.answer}]` : '';
    const level = known === undefined ? 'error' : 'warning';
    return [annotation(level, `${id} (${requirements.join(' ')})`, message + seen)];
  });
  const rest = lines.splice(MAX_ANNOTATIONS - 1);
  if (rest.length > 0) lines.push(annotation('error', 'more findings', `${rest.length} more; see the report`));
  if (report.verdict === 'inconclusive' || report.verdict === 'unreachable')
    lines.push(annotation('error', report.verdict, report.summary.text));
  return lines.join('');
}
