import { createHash } from 'node:crypto';
import type { Report } from '../model.ts';
import { groupBy } from '../values/group.ts';
import {
  type Arranged,
  type ArrangedCheck,
  arrange,
  arrangeExchange,
  type Finding,
  type Reason,
  type ReportedExchange,
} from './arrange.ts';
import type { PastRun } from './history.ts';
import { SCRIPT, STYLE } from './html-style.ts';
import { type Content, Html, html, join } from './markup.ts';
import { count, cut, showDuration, showTime, showValue, whereOf } from './text.ts';

const MAX_TEXT = 1_000;
const MAX_HEAD = 4_000;
/** Maximum checks of a finding that are shown open: more would hide the next finding. */
const SHOWN_CHECKS = 2;
/** Past runs that are drawn, and listed. */
const MAX_PAST = 60;
const MAX_LISTED = 15;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// Markup that got past the escaping could neither run nor load anything: only these two texts may.
const POLICY = `default-src 'none'; script-src ${hashOf(SCRIPT)}; style-src ${hashOf(STYLE)}; base-uri 'none'; form-action 'none'`;

// Never by colour alone: each outcome has its sign and its word.
const SIGNS: Record<string, string> = {
  ...{ violation: '✕', error: '!', blocked: '⊘', untested: '○', pass: '✓', excluded: '–', remark: '✓' },
  ...{ differs: '≠', match: '=', undetermined: '?' },
};
const NOTES: Record<string, string> = {
  blocked: 'These checks build on one that did not pass. Each group is listed under that check.',
  untested: 'Each line says what is missing; supplying it enables the checks below it.',
};

const badge = (outcome: string): Html =>
  html`<span class="badge ${outcome}"><span aria-hidden="true">${SIGNS[outcome]}</span> ${outcome}</span>`;
const muted = (content: Content): Html => html`<span class="muted">${content}</span>`;
const note = (content: Content): Content => content && html`<span class="note">${content}</span>`;
const label = (content: Content): Html => html`<p class="label">${content}</p>`;
const code = (text: string): Html => html`<code class="id">${text}</code> `;
const anchor = (kind: string, id: string): string => `${kind}-${id.replace(/[^A-Za-z0-9_-]/g, '-')}`;
const link = (kind: string, id: string): Html => html`<a class="id" href="#${anchor(kind, id)}">${id}</a> `;
const requirementLinks = (ids: readonly string[]): Content => ids.map((id) => link('requirement', id));
const block = (text: string, name: string): Html =>
  html`<pre tabindex="0" role="region" aria-label="${name}"><code>${text}</code></pre>`;

/** Contents that a reader can open. */
const fold = (title: Content, contents: Content): Html =>
  html`<details><summary>${title}</summary>${contents}</details>`;

/** A part of the page, which the contents at its top list, too. */
type Part = readonly [id: string, title: string, number: Content, content: Content];

/** A table: the first cell heads each row, and rows are in groups with a title. */
function table(name: string, groups: Readonly<Record<string, readonly Content[][]>>, ...head: string[]): Html {
  const rowOf = ([
    first,
    ...cells
  ]: Content[]): Html => html`<tr><th scope="row">${first}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`;
  const bodies = Object.entries(groups).map(([title, rows]) => {
    const heading = html`<tr class="group"><th scope="rowgroup" colspan="${head.length}">${title}</th></tr>`;
    return html`<tbody>${title !== '' && heading}${rows.map(rowOf)}</tbody>`;
  });
  return html`<table class="${name}"><thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
${bodies}</table>`;
}

/** Numbers as a bar of coloured parts: columns of a drawing with one unit for each. */
const drawing = (name: string, width: number, height: number, parts: Content): Html =>
  html`<svg class="bar ${name}" viewBox="0 0 ${Math.max(width, 1)} ${height}" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
const rect = (outcome: string, x: number, y: number, width: number, height: number): Html =>
  html`<rect class="${outcome}" x="${x}" y="${y}" width="${width}" height="${height}"/>`;

/** The curl line that sends a request again. The script adds the button that copies it. */
const curl = (line: string): Html => html`<div class="curl">${block(line, 'curl command')}</div>`;

function exchange(report: Report, one: ReportedExchange, number: number, isDecisive: boolean): Html {
  const { method, path, answer, messages } = arrangeExchange(report, one);
  const shown = messages().map(
    ({ name, head, body }) =>
      html`<div>${label(name)}${block(cut(head, MAX_HEAD), `${name}: headers`)}${body !== '' && block(body, `${name}: body`)}</div>`,
  );
  const title = html`<span class="number">${number}</span> <code>${method} ${cut(path, MAX_TEXT)}</code> <span class="answer">→ ${cut(answer, MAX_TEXT)}</span> ${muted(showDuration(one.durationMs))}`;
  return html`<li>${fold(title, [html`<div class="messages">${shown}</div>`, !isDecisive && curl(one.curl)])}</li>`;
}

/** A check: what was seen, its exchanges, folded, and the line that repeats the one that shows why it did not pass. */
function card(report: Report, { id, title, message, expected, actual, exchanges, shown }: ArrangedCheck): Html {
  const value = (name: string, text: string | undefined): Content =>
    text !== undefined && html`<div class="${name}"><dt>${name}</dt><dd><code>${text}</code></dd></div>`;
  const request = exchanges.length > 1 ? `request ${shown?.number}, which shows it` : 'the request';
  const evidence =
    shown &&
    html`${label('Requests and responses')}<ol class="exchanges">${exchanges.map((one, at) => exchange(report, one, at + 1, at + 1 === shown.number))}</ol>
${label(`Repeat ${request}`)}${curl(shown.curl)}`;
  return html`<div class="check" id="${anchor('check', id)}"><h4>${title} ${code(id)}</h4>
<p class="message">${cut(message, MAX_TEXT)}</p>
<dl class="compare">${value('expected', expected)}${value('actual', actual)}</dl>
${evidence ?? html`<p class="muted">Nothing was sent.</p>`}</div>`;
}

function finding(report: Report, { statements, checks, blocks }: Finding, number: number): Html {
  const consequences = [
    checks.length > 1 && `Seen by ${checks.length} checks`,
    blocks.length > 0 && html`<a href="#blocked">${count(blocks.length, 'check')} could not run because of it</a>`,
  ].filter(Boolean);
  const cards = checks.map((check) => card(report, check));
  const titles = statements.map(
    ({ id, statement, where }) =>
      html`<span class="statement">${link('requirement', id)} ${statement} ${muted(where)}</span>`,
  );
  return html`<article class="finding"><h3><span class="number">${number}</span> <span>${titles.length > 0 ? titles : checks[0]?.title}</span></h3>
<p class="muted">${join(consequences, ' · ')}</p>
${cards.slice(0, SHOWN_CHECKS)}${cards.length > SHOWN_CHECKS && fold(`${count(cards.length - SHOWN_CHECKS, 'more check')} saw it`, cards.slice(SHOWN_CHECKS))}</article>
`;
}

function reason(report: Report, outcome: string, { message, checks, ids, cause }: Reason): Html {
  const [first] = checks;
  const text = cut(message, MAX_TEXT);
  const href = cause?.outcome === 'violation' && anchor('check', cause.id);
  const items = checks.map(
    ({ id, title, requirements }) => html`<li>${title} ${code(id)} ${requirementLinks(requirements)}</li>`,
  );
  const list = html`<ul class="checks">${items}</ul>`;
  const folded = html`<p class="muted">Leaves open ${requirementLinks(ids)}</p>${fold(count(items.length, 'check'), list)}`;
  return html`<article class="reason"><h3>${cause && badge(cause.outcome)} ${href ? html`<a href="#${href}">${text}</a>` : text}</h3>
${items.length > 2 ? folded : list}${outcome === 'error' && first?.shown && card(report, first)}</article>
`;
}

/** Findings first, then what failed to be set up, what waits for something else, and what would enable the rest. */
function causes(report: Report, { findings, open }: Arranged): Part[] {
  const none = `No violation was found${report.summary.pass > 0 ? '.' : ', but nothing was verified either.'}`;
  const cards = findings.map((one, at) => finding(report, one, at + 1));
  return [
    ['findings', 'Findings', findings.length, findings.length > 0 ? cards : html`<p>${none}</p>`],
    ...open.map(({ id, title, number, reasons }): Part => {
      const articles = reasons.map((each) => reason(report, id, each));
      return [id, title, number, [html`<p class="muted">${NOTES[id]}</p>`, articles]];
    }),
  ];
}

/** The outcomes of all requirements as one bar, and in numbers. */
function counts({ counts }: Arranged): Part {
  let x = 0;
  const parts = counts.map(({ outcome, requirements: width }) => {
    x += width;
    return rect(outcome, x - width, 0, width, 1);
  });
  const rows = counts.map(({ outcome, meaning, checks, requirements: number }) => [
    [badge(outcome), ' ', muted(meaning)],
    checks,
    number,
  ]);
  const content = [
    drawing('outcomes', x, 1, parts),
    table('counts', { '': rows }, 'Outcome', 'Checks', 'Requirements'),
  ];
  return ['counts', 'What was tested', '', content];
}

/** How the runs of a history went: a column a run, of violated and open checks; then the latest in words. */
function trend(past: readonly PastRun[]): Part {
  const drawn = past.slice(-MAX_PAST);
  const most = Math.max(1, ...drawn.map(({ violation, open }) => violation + open));
  const columns = drawn.map(({ violation, open }, x) => [
    rect('violation', x, most - violation, 0.8, violation),
    rect('untested', x, most - violation - open, 0.8, open),
  ]);
  const rows = drawn
    .slice(-MAX_LISTED)
    .map(({ startedAt, verdict, violation, violated, open, requests, repeated }) => [
      showTime(startedAt),
      verdict,
      [violation, note(cut(violated.join(' '), MAX_TEXT))],
      open,
      [requests, repeated > 0 && `, ${repeated} repeated`],
    ]);
  const listed = table('trend', { '': rows.toReversed() }, 'Started', 'Verdict', 'Violations', 'Open', 'Requests');
  const content = [drawing('trend', drawn.length, most, columns), listed];
  return ['trend', 'Trend', count(past.length, 'run'), content];
}

/** Every statement of the document that a client can observe, what the run found, and the checks that judge it. */
function requirements({ requirements, checks }: Arranged): Part {
  const row = ({ id, statement, outcome, reason: why = '' }: (typeof requirements)[number]): Content[] => {
    const names = checks
      .filter((check) => check.requirements.includes(id))
      .map((check) => (check.outcome === 'violation' ? link('check', check.id) : code(check.id)));
    const head = html`<code class="id" id="${anchor('requirement', id)}">${id}</code>`;
    return [head, [statement, note(cut(why, MAX_TEXT)), note(names.length > 0 && names)], badge(outcome)];
  };
  const groups = [...groupBy(requirements, ({ section }) => whereOf(section))]
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([where, own]) => [where, own.map(row)]);
  const content = table('requirements', Object.fromEntries(groups), 'Id', 'Requirement', 'Outcome');
  return ['requirements', 'Requirements', requirements.length, content];
}

/** What the document leaves open: the answer assumed and the one observed. */
function gapLedger({ gaps, differing }: Arranged): Part {
  const value = (given: unknown): Content =>
    given === undefined ? muted('–') : html`<code>${showValue(given)}</code>`;
  const rows = gaps.map(({ id, section, question, assumed, observed, outcome, reason: why = '' }) => [
    [question, note([code(id), whereOf(section)])],
    value(assumed),
    value(observed),
    [badge(outcome), note(cut(why, MAX_TEXT))],
  ]);
  const content = [
    html`<p>What the document leaves open. An answer that differs from the assumption is not a violation: it shows how this target decided.</p>`,
    table('gaps', { '': rows }, 'Question', 'Assumed', 'Observed', 'Outcome'),
  ];
  return ['gaps', 'Gap ledger', `${differing.length} of ${gaps.length} differ`, content];
}

/**
 * A report as one self-contained HTML page: no network, no script needed, light and dark, for screen and paper. What the
 * target sent is shown as text only. The same report always gives the same page.
 * @param past runs at the same target, the oldest first, this one included
 */
export function renderHtml(report: Report, past: readonly PastRun[] = []): string {
  const arranged = arrange(report);
  const { word, facts, score } = arranged;
  const { target, tool, summary, leftovers, verdict } = report;
  const left = leftovers.length > 0 ? leftovers : ['The run recorded nothing that it left behind at the target.'];
  const parts: Part[] = [
    ...causes(report, arranged),
    counts(arranged),
    ...(past.length > 1 ? [trend(past)] : []),
    requirements(arranged),
    gapLedger(arranged),
    ['leftovers', 'Leftovers', leftovers.length, html`<ul>${left.map((line) => html`<li>${line}</li>`)}</ul>`],
  ];
  const contents = parts.map(([id, title, number]) => html`<li><a href="#${id}">${title}</a> ${muted(number)}</li>`);
  const sections = parts.map(
    ([
      id,
      title,
      number,
      content,
    ]) => html`<section aria-labelledby="${id}"><h2 id="${id}">${title} ${muted(number)}</h2>
${content}</section>
`,
  );
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${word}: ${target.baseUrl} (contract report, ${count(summary.checks, 'check')})</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<header class="verdict ${verdict}"><p class="kicker">Contract report</p>
<h1>${word}</h1>
<p class="lead">${summary.text}</p>
<dl class="facts">${facts.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl></header>
<nav aria-label="Contents"><ul>${contents}</ul><div id="open-all"></div></nav>
${sections}</main>
<footer><p>Made by ${tool.name} ${tool.version}. The checks judge what the document states; what it leaves open is observed, and listed in the gap ledger. ${score} Credentials were removed before this file was written. The same results for programs are in report.json.</p></footer>
<script>${new Html(SCRIPT)}</script>
</body>
</html>
`;
  return page.text;
}
