import type { FaultScore, RequirementScore, Score } from './model.ts';
import { shortcomings } from './tally.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

/** A score as Markdown: the figures, what is wrong, and the matrix, by requirement and by fault. */
export function renderScoreMarkdown(score: Score): string {
  const { totals } = score;
  const wrong = shortcomings(score);
  return `${[
    "# The suite's own measure",
    table(
      ['', ''],
      [
        [
          'kill rate',
          `${totals.killed} of ${totals.faults} faults that break a requirement (${(totals.killRate * 100).toFixed(1)} %)`,
        ],
        ['false alarms', `${totals.falseAlarms} of ${totals.variants} conforming variants`],
        ['meta-faults', `${totals.metaFaultsConforming} of ${totals.metaFaults} broken servers found to conform`],
        ['checks, requirements', `${totals.checks}, ${totals.requirements}`],
      ],
    ),
    '## What is wrong',
    wrong.length === 0 ? 'Nothing.' : wrong.map((line) => `- ${line}`).join('\n'),
    '## Requirements',
    table(['requirement', 'caught', 'of', 'violated by'], score.requirements.map(requirementRow)),
    '## Faults',
    table(['fault', 'breaks', 'result', 'violated', 'checks that failed'], score.faults.map(faultRow)),
    '## Conforming variants',
    table(
      ['variant', 'verdict', 'passed', 'alarms'],
      score.variants.map(({ id, verdict, passed, alarms }) => [
        id,
        verdict,
        String(passed),
        alarms.join('; ') || 'none',
      ]),
    ),
    '## Broken servers',
    table(
      ['server', 'verdict', 'violations', 'passed'],
      score.metaFaults.map(({ description, verdict, outcomes }) => [
        description,
        verdict,
        String(outcomes.violation),
        String(outcomes.pass),
      ]),
    ),
  ].join('\n\n')}\n`;
}

const requirementRow = ({ id, faults, killed, violatedBy }: RequirementScore): string[] => [
  id,
  String(killed),
  String(faults),
  violatedBy.join(', '),
];

const faultRow = ({ id, requirements, result, reason, violated, checks }: FaultScore): string[] => [
  id,
  requirements.join(', '),
  reason === undefined ? result : `${result}: ${reason}`,
  violated.join(', '),
  checks.join(', '),
];
