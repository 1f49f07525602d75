import type { Report, Verdict } from '../model.ts';
import {
  answerOf,
  countRequirements,
  decisiveOf,
  type Finding,
  findingsOf,
  gapsByInterest,
  headerLines,
  type OpenEnd,
  openEnds,
  REQUIREMENT_OUTCOMES,
  type ReportedCheck,
  type ReportedExchange,
  relativeUrl,
  remarksOf,
  requirementIds,
  VERDICTS,
} from './arrange.ts';
import { fenced, folded, inline, inlineCode, list, table, within } from './markdown-text.ts';
import {
  clip,
  count,
  scoreText,
  sentIn,
  showBody,
  showDuration,
  showTime,
  showValue,
  visible,
  whereOf,
} from './text.ts';

/** GitHub refuses comments beyond 65,536 characters; the parts share less than that. */
const BUDGET = { findings: 36_000, reasons: 5_000, gaps: 6_000, leftovers: 2_000 };
const MAX_TEXT = 400;
const MAX_VALUE = 1_000;
const MAX_BODY = 1_500;
const MAX_CURL = 3_000;
const MAX_HEAD = 1_000;
const MAX_IDS = 12;
const MAX_CHECKS = 2;

const SIGNS: Record<Verdict, string> = { conforms: '✅', violates: '❌', inconclusive: '⚠️', unreachable: '⛔' };

const text = (value: string, max = MAX_TEXT): string => inline(clip(visible(value), max));

function ids(report: Report, checks: readonly ReportedCheck[]): string {
  const all = requirementIds(report, checks);
  return [
    ...all.slice(0, MAX_IDS).map((id) => text(id)),
    ...(all.length > MAX_IDS ? [`and ${all.length - MAX_IDS} more`] : []),
  ].join(', ');
}

function messages(report: Report, one: ReportedExchange): string {
  const { request, response } = one;
  const head = (first: string, headers: Record<string, string>): string =>
    clip(visible(`${first}\n${headerLines(headers)}`), MAX_HEAD);
  const body = (given: string | undefined): string[] => (given ? ['', showBody(given, MAX_BODY)] : []);
  const lines = [
    head(`${request.method} ${relativeUrl(report, request.url)}`, request.headers),
    ...body(request.body),
    '',
    ...(response
      ? [head(`HTTP ${response.status}`, response.headers), ...body(response.body)]
      : [clip(answerOf(one), MAX_HEAD)]),
  ];
  return fenced(lines.join('\n'), 'http');
}

function seenBy(report: Report, check: ReportedCheck): string {
  const { expected, actual, exchanges } = check;
  const shown = decisiveOf(check);
  const block = (name: string, value: unknown): string => `${name}:\n\n${fenced(showValue(value, MAX_VALUE))}`;
  return [
    briefly(check),
    ...(expected === undefined ? [] : [block('Expected', expected)]),
    ...(expected === undefined && actual === undefined ? [] : [block('Actual', actual)]),
    ...(shown
      ? [
          `Repeat it:\n\n${fenced(clip(visible(shown.exchange.curl), MAX_CURL), 'sh')}`,
          folded(`Request and response (${shown.number} of ${exchanges.length})`, [messages(report, shown.exchange)]),
        ]
      : []),
  ].join('\n\n');
}

const briefly = ({ id, title, message }: ReportedCheck): string =>
  `**${text(title)}** ${inlineCode(id)}: ${text(message)}`;

/** A finding with its evidence, and in short for when that does not fit. */
function finding(report: Report, { requirements, checks, blocks }: Finding): string[] {
  const statements = requirements.map(
    ({ id, section, statement }) => `${inline(id)} ${text(statement)} (${inline(whereOf(section))})`,
  );
  const heading = `#### ${statements.join('; ') || text(checks[0]?.title ?? '')}`;
  const blocking = blocks.length > 0 ? [`${count(blocks.length, 'check')} could not run because of it.`] : [];
  const form = (shown: number, show: (check: ReportedCheck) => string): string => {
    const rest = checks.slice(shown);
    const also =
      rest.length > 0
        ? [folded(`Seen by ${count(rest.length, 'more check')}`, [list(rest.map(briefly), 3_000, 'check')])]
        : [];
    return [heading, ...blocking, ...checks.slice(0, shown).map(show), ...also].join('\n\n');
  };
  return [
    form(MAX_CHECKS, (check) => seenBy(report, check)),
    form(1, (check) => seenBy(report, check)),
    form(1, briefly),
  ];
}

const OPEN: Record<OpenEnd['outcome'], string> = {
  error: 'Could not be set up',
  blocked: 'Blocked by',
  untested: 'Not tested',
};

/** What stayed open, and what a pass does not show: a line for each reason, under a heading that opens. */
function reasons(report: Report): string[] {
  const remarks = remarksOf(report).map((check) => ({ message: check.message, checks: [check] }));
  const groups = [
    ...openEnds(report).map((end) => ({ title: OPEN[end.outcome], reasons: end.reasons })),
    ...(remarks.length > 0 ? [{ title: 'Passed, with a remark', reasons: remarks }] : []),
  ];
  return groups.map((group) => {
    const lines = group.reasons.map(
      ({ message, checks }) =>
        `${text(message) || 'no reason was given'} (${count(checks.length, 'check')}: ${ids(report, checks)})`,
    );
    const all = group.reasons.flatMap(({ checks }) => checks);
    return folded(`${group.title}: ${count(all.length, 'check')}`, [list(lines, BUDGET.reasons, 'reason')]);
  });
}

function gaps(report: Report): string[] {
  const differing = gapsByInterest(report).filter(({ outcome }) => outcome === 'differs');
  if (differing.length === 0) return [];
  const value = (given: unknown): string => inlineCode(clip(showValue(given, MAX_TEXT), MAX_TEXT));
  const rows = differing.map((gap) => [
    `${text(gap.question)} ${inlineCode(gap.id)}`,
    value(gap.assumed),
    value(gap.observed),
  ]);
  return [
    folded(`Assumptions that this target does not share: ${differing.length} of ${count(report.gaps.length, 'gap')}`, [
      table(['Question', 'Assumed', 'Observed'], rows, BUDGET.gaps),
    ]),
  ];
}

function counts(report: Report): string {
  const rows = REQUIREMENT_OUTCOMES.map((outcome) => [
    outcome,
    outcome === 'excluded' ? '–' : String(report.summary[outcome]),
    String(countRequirements(report, outcome)),
  ]);
  return table(['Outcome', 'Checks', 'Requirements'], rows);
}

/**
 * A report as Markdown for a pull request: the verdict, the findings, and what stayed open, folded. At most about 60 kB:
 * what does not fit is said to be in report.html.
 */
export function renderMarkdown(report: Report): string {
  const { word, meaning } = VERDICTS[report.verdict];
  const { tool, target, profile } = report;
  const findings = findingsOf(report);
  const leftovers = report.leftovers.map((line) => text(line));
  const blocksOf = findings.map((one) => finding(report, one));
  const shown = within(blocksOf, BUDGET.findings, 'finding');
  const facts = `Exit code ${report.exitCode} (${meaning}) · profile ${inlineCode(clip(profile, MAX_TEXT))} · ${text(showTime(report.startedAt))} · ${showDuration(report.durationMs)}${report.requests ? ` · ${sentIn(report)}` : ''} · ${text(`${tool.name} ${tool.version}`)}`;
  const blocks = [
    `## ${SIGNS[report.verdict]} ${word}: ${inlineCode(clip(target.baseUrl, MAX_TEXT))}`,
    `**${text(report.summary.text, 1_000)}**`,
    facts,
    counts(report),
    ...(findings.length > 0 ? ['### Findings', ...shown.kept, ...shown.note] : []),
    ...reasons(report),
    ...gaps(report),
    ...(leftovers.length > 0 ? ['### Left behind at the target', list(leftovers, BUDGET.leftovers, 'leftover')] : []),
    ...(report.score ? [text(scoreText(report.score))] : []),
  ];
  return `${blocks.join('\n\n')}\n`;
}
