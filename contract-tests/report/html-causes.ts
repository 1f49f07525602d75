/** The first half of the HTML report, the reasons for the verdict, and the pieces that the second half shares. */
import type { Report } from '../model.ts';
import {
  answerOf,
  decisiveOf,
  type Finding,
  findingsOf,
  headerLines,
  type OpenEnd,
  openEnds,
  type ReportedCheck,
  type ReportedExchange,
  type RequirementOutcome,
  relativeUrl,
  requirementIds,
} from './arrange.ts';
import { type Content, type Html, html, join } from './markup.ts';
import { clip, count, showBody, showDuration, showValue } from './text.ts';

const MAX_BODY = 6000;
const MAX_HEADERS = 4000;
const MAX_VALUE = 2000;
const MAX_LINE = 160;
/** Maximum exchanges of one check that are shown open: the decisive one, and those before it. */
const SHOWN_EXCHANGES = 5;

// Never by colour alone: each outcome has its sign and its word.
const SIGNS: Record<string, string> = {
  violation: '✕',
  error: '!',
  blocked: '⊘',
  untested: '○',
  pass: '✓',
  excluded: '–',
  differs: '≠',
  match: '=',
  undetermined: '?',
};

/** An outcome as a sign and a word. */
export function badge(outcome: RequirementOutcome | Report['gaps'][number]['outcome']): Html {
  return html`<span class="badge ${outcome}"><span aria-hidden="true">${SIGNS[outcome]}</span> ${outcome}</span>`;
}

/** A fragment name made of a check's or requirement's id. */
export const anchor = (kind: string, id: string): string => `${kind}-${id.replace(/[^A-Za-z0-9_-]/g, '-')}`;

/** A section of the page with its heading; nothing when it has no content. */
export function section(id: string, title: Content, content: Content): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}</section>
`;
}

/** A value in a separate block, or short in the line. */
function block(text: string, label: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`;
}

function requirementLinks(ids: readonly string[]): Content {
  return join(
    ids.map((id) => html`<a class="id" href="#${anchor('requirement', id)}">${id}</a>`),
    ' ',
  );
}

/** A list of checks, a line each, with the requirements that each judges; folded when it is long. */
function checkList(checks: readonly ReportedCheck[]): Html {
  const items = checks.map(
    ({ id, title, requirements }) =>
      html`<li>${title} <code class="id">${id}</code> ${requirementLinks(requirements)}</li>`,
  );
  const list = html`<ul class="checks">${items}</ul>`;
  if (checks.length <= 2) return list;
  return html`<details><summary>${count(checks.length, 'check')}</summary>${list}</details>`;
}

function comparison({ expected, actual }: ReportedCheck): Content {
  if (expected === undefined && actual === undefined) return undefined;
  return html`<dl class="compare">${
    expected !== undefined &&
    html`<div class="expected"><dt>Expected</dt><dd><code>${showValue(expected, MAX_VALUE)}</code></dd></div>`
  }<div class="actual"><dt>Actual</dt><dd><code>${showValue(actual, MAX_VALUE)}</code></dd></div></dl>`;
}

/** The curl line that sends a request again. The script adds the button that copies it. */
const curl = (line: string): Html => html`<div class="curl">${block(line, 'curl command')}</div>`;

function message(title: string, first: string, headers: Record<string, string>, body: string | undefined): Html {
  const head = clip([first, headerLines(headers)].filter(Boolean).join('\n'), MAX_HEADERS);
  const size = body === undefined || body === '' ? 'no body' : count(body.length, 'character');
  return html`<div><p class="label">${title} <span class="muted">${size}</span></p>${block(head, `${title}: headers`)}${
    body !== undefined && body !== '' && block(showBody(body, MAX_BODY), `${title}: body`)
  }</div>`;
}

function exchange(report: Report, one: ReportedExchange, number: number, isDecisive: boolean): Html {
  const { request, response, error, durationMs } = one;
  const url = clip(relativeUrl(report, request.url), MAX_LINE).split('\n')[0];
  return html`<li><details class="exchange"><summary><span class="number">${number}</span> <code>${request.method} ${url}</code> <span class="answer">→ ${clip(answerOf(one), MAX_LINE)}</span> <span class="muted">${showDuration(durationMs)}${isDecisive && number > 1 && ' · shows it'}</span></summary>
<div class="messages">${message('Request', `${request.method} ${request.url}`, request.headers, request.body)}${
    response
      ? message('Response', `HTTP ${response.status}`, response.headers, response.body)
      : html`<div><p class="label">No response</p>${block(clip(error ?? 'The connection ended.', MAX_VALUE), 'Transport error')}</div>`
  }</div>${!isDecisive && curl(one.curl)}</details></li>`;
}

/** All exchanges of a check, folded, and the line that repeats the one that shows why it did not pass. */
function evidence(report: Report, check: ReportedCheck): Content {
  const { exchanges } = check;
  const decisive = decisiveOf(check);
  if (!decisive) return html`<p class="muted">Nothing was sent.</p>`;
  const { number } = decisive;
  const items = exchanges.map((one, index) => exchange(report, one, index + 1, index + 1 === number));
  const list = (from: number, to: number): Html =>
    html`<ol class="exchanges" start="${from + 1}">${items.slice(from, to)}</ol>`;
  const fold = (from: number, to: number, noun: string): Content =>
    from < to && html`<details><summary>${count(to - from, noun)}</summary>${list(from, to)}</details>`;
  const start = Math.max(0, number - SHOWN_EXCHANGES);
  return html`<p class="label">Requests and responses</p>${fold(0, start, 'earlier exchange')}${list(start, number)}${fold(number, exchanges.length, 'later exchange')}
<p class="label">Repeat ${exchanges.length > 1 ? `request ${number}, which shows it` : 'the request'}</p>${curl(decisive.exchange.curl)}`;
}

/** `Section 4.1`; what the document does not number is called by its name, and a file of rules by its own. */
export function sectionName(section: string): string {
  if (/^\d/.test(section)) return `Section ${section}`;
  return section.includes('.') ? section : section.charAt(0).toUpperCase() + section.slice(1);
}

const MAX_MESSAGE = 1000;
const SHOWN_CHECKS = 2;

function seenBy(report: Report, check: ReportedCheck): Html {
  return html`<div class="check" id="${anchor('check', check.id)}"><h4>${check.title} <code class="id">${check.id}</code></h4>
<p class="message">${clip(check.message, MAX_MESSAGE)}</p>
${comparison(check)}
${evidence(report, check)}</div>`;
}

function finding(report: Report, { requirements, checks, blocks }: Finding, number: number): Html {
  const statements = requirements.map(
    ({ id, section: number, statement }) =>
      html`<span class="statement"><a class="id" href="#${anchor('requirement', id)}">${id}</a> ${statement} <span class="muted">${sectionName(number)}</span></span>`,
  );
  const consequences = [
    checks.length > 1 && `Seen by ${checks.length} checks`,
    blocks.length > 0 && html`<a href="#blocked">${count(blocks.length, 'check')} could not run because of it</a>`,
  ].filter(Boolean);
  // Two show what is broken; more would hide the next finding.
  const [shown, folded] =
    checks.length > SHOWN_CHECKS + 1 ? [checks.slice(0, SHOWN_CHECKS), checks.slice(SHOWN_CHECKS)] : [checks, []];
  return html`<article class="finding" aria-labelledby="finding-${number}"><h3 id="finding-${number}"><span class="number">${number}</span> <span>${
    statements.length > 0 ? statements : checks[0]?.title
  }</span></h3>
${consequences.length > 0 && html`<p class="muted">${join(consequences, ' · ')}</p>`}
${shown.map((check) => seenBy(report, check))}${
  folded.length > 0 &&
  html`<details class="more"><summary>${count(folded.length, 'more check')} saw it</summary>${folded.map((check) => seenBy(report, check))}</details>`
}</article>
`;
}

const OPEN: Record<OpenEnd['outcome'], { id: string; title: string; note?: string }> = {
  error: { id: 'errors', title: 'Could not be set up' },
  blocked: {
    id: 'blocked',
    title: 'Blocked',
    note: 'These checks build on one that did not pass. Each group is listed under that check.',
  },
  untested: {
    id: 'untested',
    title: 'Not tested',
    note: 'Each line says what is missing; supplying it enables the checks below it.',
  },
};

function reason(report: Report, outcome: OpenEnd['outcome'], { message, checks, cause }: OpenEnd['reasons'][number]) {
  const [first] = checks;
  const text = clip(message || 'no reason was given', MAX_MESSAGE);
  const heading = cause?.outcome === 'violation' ? html`<a href="#${anchor('check', cause.id)}">${text}</a>` : text;
  // A list that is not folded names the requirements itself.
  const ids = checks.length > 2 && requirementLinks(requirementIds(report, checks));
  return html`<article class="reason"><h3>${cause && badge(cause.outcome)} ${heading}</h3>${
    ids && html`<p class="muted">Leaves open ${ids}</p>`
  }${checkList(checks)}${
    first?.actual !== undefined &&
    html`<p class="label">Actual</p>${block(showValue(first.actual, MAX_VALUE), 'Actual')}`
  }${outcome === 'error' && first && first.exchanges.length > 0 && evidence(report, first)}</article>
`;
}

/** Findings first, then what failed to be set up, what waits for something else, and what would enable the rest. */
export function causeSections(report: Report): Content {
  const findings = findingsOf(report);
  const { summary } = report;
  return [
    section(
      'findings',
      html`Findings <span class="muted">${findings.length}</span>`,
      findings.length > 0
        ? findings.map((one, index) => finding(report, one, index + 1))
        : html`<p>${summary.pass > 0 ? 'No check found a broken requirement.' : 'No violation was found, but nothing was verified either.'}</p>`,
    ),
    openEnds(report).map(({ outcome, reasons }) => {
      const { id, title, note } = OPEN[outcome];
      return section(
        id,
        html`${title} <span class="muted">${count(summary[outcome], 'check')}</span>`,
        html`${note && html`<p class="muted">${note}</p>`}${reasons.map((each) => reason(report, outcome, each))}`,
      );
    }),
  ];
}
