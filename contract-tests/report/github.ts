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

/** The report as workflow commands of GitHub Actions: errors for a verdict that fails and for findings, warnings for known ones. */
export function renderAnnotations(report: Report): string {
  const { verdict, summary } = report;
  const lines = verdict === 'conforms' ? [] : [annotation('error', verdict, summary.text)];
  for (const { id, outcome, requirements, gates, message, shown } of arrange(report).checks) {
    if (outcome !== 'violation') continue;
    const seen = shown ? ` [${shown.method} ${shown.path}: ${shown.answer}]` : '';
    lines.push(annotation(gates ? 'error' : 'warning', `${id} (${requirements.join(' ')})`, message + seen));
  }
  const rest = lines.splice(MAX_ANNOTATIONS - 1);
  if (rest.length > 0) lines.push(annotation('error', 'more findings', `${rest.length} more; see the report`));
  return lines.join('');
}
