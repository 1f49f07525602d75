import type { Report } from '../model.ts';
import { type ArrangedCheck, arrange, type Finding } from './arrange.ts';
import { fenced, folded, inline, inlineCode, list, table, within } from './markdown-text.ts';
import { count, cut, listed, showValue, visible } from './text.ts';

/** GitHub refuses comments beyond 65,536 characters; the parts share less than that. */
const BUDGET = { findings: 36_000, reasons: 5_000, gaps: 6_000, leftovers: 2_000 };
const MAX_TEXT = 400;
const MAX_BLOCK = 1_500;

const text = (value: string, max = MAX_TEXT): string => inline(cut(visible(value), max));
const code = (value: string): string => inlineCode(cut(value, MAX_TEXT));
const block = (name: string | undefined, value: string | undefined): string[] =>
  value === undefined ? [] : [`${name}:\n\n${fenced(cut(value, MAX_BLOCK))}`];

const briefly = ({ id, title, message }: ArrangedCheck) => `**${text(title)}** ${inlineCode(id)}: ${text(message)}`;

function seenBy(check: ArrangedCheck): string {
  const { names, expected, actual, findings, exchanges, shown, repeat, caveat, again } = check;
  const messages = shown?.messages().flatMap(({ head, body }) => [cut(head, MAX_BLOCK), cut(body, MAX_BLOCK)]) ?? [];
  const which = shown?.from ? 'at the target' : `(${shown?.number} of ${exchanges.length})`;
  const title = `Request and response ${which}`;
  const exchange = fenced(messages.filter(Boolean).join('\n\n'), 'http');
  return [
    briefly(check),
    ...(findings.length > 0
      ? [
          list(
            findings.map((line) => text(line)),
            3_000,
            'finding',
          ),
        ]
      : []),
    ...block(names[0], expected),
    ...block(names[1], actual),
    ...(shown
      ? [
          `Repeat it:\n\n${fenced(cut(repeat.join('\n'), 3_000), 'sh')}`,
          ...(caveat ? [text(caveat)] : []),
          ...(again ? [fenced(again, 'sh')] : []),
          folded(title, exchange),
        ]
      : []),
  ].join('\n\n');
}

/** A finding with its evidence, and in short for when that does not fit. */
function finding({ statements, checks, blocking }: Finding): string[] {
  const titles = statements.map(({ id, statement, where }) => `${inline(id)} ${text(statement)} (${inline(where)})`);
  const heading = `#### ${titles.join('; ') || text(checks[0]?.message ?? '')}`;
  const rest = checks.slice(1).map(briefly);
  const also =
    rest.length > 0 &&
    folded(
      `Seen by ${count(rest.length, titles.length > 0 ? 'more check' : 'more interaction')}`,
      list(rest, 3_000, 'check'),
    );
  const first = checks.slice(0, 1);
  return [seenBy, briefly].map((show) => [heading, blocking, ...first.map(show), also].filter(Boolean).join('\n\n'));
}

/** A report as Markdown for a pull request, at most about 60 kB: it says what only report.html has. */
export function renderMarkdown(report: Report): string {
  const { word, sign, facts, findings, open, differing, score, target, summary, ...arranged } = arrange(report);
  const leftovers = arranged.leftovers.map((line) => text(line));
  const { kind, noun } = arranged;
  const head = kind === 'run' ? ['Outcome', 'Checks', 'Requirements'] : ['Outcome', 'Interactions'];
  const counts = arranged.counts.map(({ word, checks, requirements }) =>
    [word, checks, String(requirements)].slice(0, head.length),
  );
  const gaps = differing.map(({ id, question, assumed, observed }) => [
    `${text(question)} ${inlineCode(id)}`,
    code(showValue(assumed)),
    code(showValue(observed)),
  ]);
  const gapsTitle = `Assumptions that this target does not share: ${gaps.length} of ${count(arranged.gaps.length, 'gap')}`;
  const blocks = [
    `## ${sign} ${word}: ${code(target.baseUrl)}`,
    `**${text(summary.text, 1_000)}**`,
    facts.map(([name, fact]) => `${name}: ${text(fact)}`).join(' · '),
    ...(kind === 'finding' ? [] : [table(head, counts)]),
    ...(findings.length > 0 ? ['### Findings', within(findings.map(finding), BUDGET.findings, 'finding', '\n\n')] : []),
    ...open.map(({ title, number, reasons }) => {
      const lines = reasons.map(({ message, checks, ids }) => {
        const named = ids.map((id) => text(id));
        return `${text(message)} (${count(checks.length, noun)}: ${listed(named, 12, ', ')})`;
      });
      return folded(`${title}: ${count(number, noun)}`, list(lines, BUDGET.reasons, 'reason'));
    }),
    ...(gaps.length > 0
      ? [
          folded(
            gapsTitle,
            table(['Question', kind === 'run' ? 'Assumed' : 'In the recording', 'Observed'], gaps, BUDGET.gaps),
          ),
        ]
      : []),
    ...(leftovers.length > 0 ? ['### Left behind at the target', list(leftovers, BUDGET.leftovers, 'leftover')] : []),
    ...(score === undefined ? [] : [text(score)]),
  ];
  return `${blocks.join('\n\n')}\n`;
}
