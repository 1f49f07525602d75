import { createHash } from 'node:crypto';
import type { Report } from '../model.ts';
import { groupBy } from '../values/group.ts';
import { memberOf } from '../values/json.ts';
import { type Arranged, type ArrangedCheck, arrange, type Finding } from './arrange.ts';
import { SCRIPT, STYLE } from './html-style.ts';
import { type Content, Html, html } from './markup.ts';
import type { PastRun } from './report-file.ts';
import { count, cut, showDuration, showTime, showValue, whereOf } from './text.ts';

const MAX_TEXT = 1_000;

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
  untested: 'Each line says what is missing; supplying it enables what is below it.',
};

const badge = (outcome: string, word = outcome): Html =>
  html`<span class="badge ${outcome}"><span aria-hidden="true">${memberOf(SIGNS, outcome)}</span> ${word}</span>`;
const muted = (content: Content): Html => html`<span class="muted">${content}</span>`;
const note = (content: Content): Content => content && html`<span class="note">${content}</span>`;
const label = (content: Content): Html => html`<p class="label">${content}</p>`;
const code = (text: string): Html => html`<code class="id">${text}</code> `;
const anchor = (kind: string, id: string): string => `${kind}-${id.replace(/[^A-Za-z0-9_-]/g, '-')}`;
const link = (kind: string, id: string): Html => html`<a class="id" href="#${anchor(kind, id)}">${id}</a> `;
const block = (text: string, name: string): Html =>
  html`<pre tabindex="0" role="region" aria-label="${name}"><code>${text}</code></pre>`;

const fold = (title: Content, contents: Content) => html`<details><summary>${title}</summary>${contents}</details>`;

type Exchange = ArrangedCheck['exchanges'][number];
type Part = readonly [id: string, title: string, number: Content, content: Content];

/** A table: the first cell heads each row, and rows are in groups with a title. */
function table(name: string, groups: Readonly<Record<string, readonly Content[][]>>, ...head: string[]): Html {
  const rowOf = (cells: Content[]): Html => {
    const others = cells.slice(1).map((cell) => html`<td>${cell}</td>`);
    return html`<tr><th scope="row">${cells[0]}</th>${others}</tr>\n`;
  };
  const bodies = Object.entries(groups).map(([title, rows]) => {
    const heading = html`<tr class="group"><th scope="rowgroup" colspan="${head.length}">${title}</th></tr>`;
    return html`<tbody>${title !== '' && heading}${rows.map(rowOf)}</tbody>`;
  });
  return html`<table class="${name}"><thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
${bodies}</table>`;
}

const curl = (line: string): Html => html`<div class="curl">${block(line, 'curl command')}</div>`;

function exchange(one: Exchange, isShown: boolean): Html {
  const messages = one.messages().map(({ name, head, body }) => {
    const headers = block(cut(head, 4_000), `${name}: headers`);
    return html`<div>${label(name)}${headers}${body !== '' && block(body, `${name}: body`)}</div>`;
  });
  const { caller, isAtOnce, callerAt, from } = one;
  const who = caller !== undefined && html`<span class="caller c${callerAt % 4}">${caller}</span> `;
  const chip = (text: string): Html => html`<span class="caller">${text}</span> `;
  const when = [isAtOnce && chip(`at once with ${one.number - 1}`), from !== undefined && chip(from)];
  const title = html`<span class="number">${one.number}</span> ${who}${when}<code>${one.method} ${cut(one.path, MAX_TEXT)}</code> <span class="answer">→ ${cut(one.answer, MAX_TEXT)}</span> ${muted(showDuration(one.durationMs))}`;
  return html`<li>${fold(title, [html`<div class="messages">${messages}</div>`, !isShown && from !== 'recorded' && curl(one.curl)])}</li>`;
}

/** A check: the observation, its exchanges (folded), and the curl line of the decisive one. */
function card({ id, title, message, expected, actual, findings, exchanges, shown, ...more }: ArrangedCheck): Html {
  const { isSequence, repeat, caveat, again, names } = more;
  const value = (name: string, title: string | undefined, text: string | undefined): Content =>
    text !== undefined && html`<div class="${name}"><dt>${title}</dt><dd><code>${text}</code></dd></div>`;
  const alone = exchanges.length > 1 ? `request ${shown?.number}, which shows it` : 'the request';
  const evidence = shown && [
    html`${label('Requests and responses')}<ol class="exchanges">${exchanges.map((one) => exchange(one, one === shown))}</ol>`,
    label(`Repeat ${isSequence ? `the sequence; request ${shown.number} shows it` : alone}`),
    curl(isSequence ? repeat.join('\n') : shown.curl),
    caveat !== undefined && html`<p class="message">${caveat}</p>`,
    again !== undefined && [
      label('Send what it needs again, in its order and overlap, as the same people'),
      curl(again),
    ],
  ];
  return html`<div class="check" id="${anchor('check', id)}"><h4>${title} ${code(id)}</h4>
<p class="message">${cut(message, MAX_TEXT)}</p>
${findings.map((line) => html`<p class="muted">${cut(line, MAX_TEXT)}</p>`)}<dl class="compare">${value('expected', names[0], expected)}${value('actual', names[1], actual)}</dl>
${evidence ?? html`<p class="muted">Nothing was sent.</p>`}</div>`;
}

function finding({ statements, checks, blocking }: Finding, at: number): Html {
  const titles = statements.map(({ id, statement, where }) => {
    return html`<span class="statement">${link('requirement', id)} ${statement} ${muted(where)}</span>`;
  });
  return html`<article class="finding"><h3><span class="number">${at + 1}</span> <span>${titles.length > 0 ? titles : html`<span class="statement">${checks[0]?.message}</span>`}</span></h3>
<p class="muted">${checks.length > 1 && `Seen by ${checks.length} ${titles.length > 0 ? 'checks' : 'interactions'}. `}${blocking && html`<a href="#blocked">${blocking}</a>`}</p>
${checks.map(card)}</article>
`;
}

/** What could not be judged, and what a pass does not show: each reason with the requirements and checks that it leaves open. */
const openPart = ({ id: outcome, title, number, reasons }: Arranged['open'][number], given: Arranged): Part => {
  const requirements = new Set(given.requirements.map(({ id }) => id));
  const articles = reasons.map(({ message, checks, ids, cause }) => {
    const text = cut(message, MAX_TEXT);
    const href = cause?.outcome === 'violation' && anchor('check', cause.id);
    const items = checks.map((check) => html`<li>${check.title} ${code(check.id)}</li>`);
    return html`<article class="reason"><h3>${cause && badge(cause.outcome)} ${href ? html`<a href="#${href}">${text}</a>` : text}</h3>
${ids.every((id) => requirements.has(id)) && html`<p class="muted">Leaves open ${ids.map((id) => link('requirement', id))}</p>`}${fold(count(items.length, given.noun), html`<ul class="checks">${items}</ul>`)}
${['error', 'differs'].includes(outcome) && checks.slice(0, 1).map(card)}</article>
`;
  });
  return [outcome, title, number, [html`<p class="muted">${memberOf(NOTES, outcome)}</p>`, articles]];
};

function counts({ counts, kind }: Arranged): Part {
  const head = kind === 'run' ? ['Outcome', 'Checks', 'Requirements'] : ['Outcome', 'Interactions'];
  const rows = counts.map(({ outcome, word, meaning, checks, requirements }) =>
    [[badge(outcome, word), ' ', muted(meaning)], checks, requirements].slice(0, head.length),
  );
  return ['counts', kind === 'run' ? 'What was tested' : 'Interactions', '', table('counts', { '': rows }, ...head)];
}

/** How the runs of a history went: a column a run, of violated and open checks; then the latest in words. */
function trend(past: readonly PastRun[]): Part {
  const drawn = past.slice(-60);
  const most = Math.max(1, ...drawn.map(({ violation, open }) => violation + open));
  const rect = (outcome: string, x: number, y: number, height: number): Html =>
    html`<rect class="${outcome}" x="${x}" y="${y}" width="0.8" height="${height}"/>`;
  const columns = drawn.map(({ violation, open }, x) => [
    rect('violation', x, most - violation, violation),
    rect('untested', x, most - violation - open, open),
  ]);
  const rows = drawn.slice(-15).map(({ startedAt, verdict, violation, violated, open, requests, repeated }) => {
    const sent = [requests, repeated > 0 && `, ${repeated} repeated`];
    return [showTime(startedAt), verdict, [violation, note(cut(violated.join(' '), MAX_TEXT))], open, sent];
  });
  const content = html`<svg class="trend" viewBox="0 0 ${drawn.length} ${most}" preserveAspectRatio="none" aria-hidden="true">${columns}</svg>
${table('trend', { '': rows.toReversed() }, 'Started', 'Verdict', 'Violations', 'Open', 'Requests')}`;
  return ['trend', 'Trend', count(past.length, 'run'), content];
}

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

function gapLedger({ gaps, differing, kind }: Arranged): Part {
  const value = (given: unknown) => (given === undefined ? muted('–') : html`<code>${showValue(given)}</code>`);
  const rows = gaps.map(({ id, section, question, assumed, observed, outcome, reason: why = '' }) => [
    [question, note([code(id), whereOf(section)])],
    value(assumed),
    value(observed),
    [badge(outcome), note(cut(why, MAX_TEXT))],
  ]);
  const content = [
    html`<p>What the document leaves open. An answer that differs is not a violation: it shows how this target decided.</p>`,
    table('gaps', { '': rows }, 'Question', kind === 'run' ? 'Assumed' : 'In the recording', 'Observed', 'Outcome'),
  ];
  return ['gaps', 'Gap ledger', `${differing.length} of ${gaps.length} differ`, content];
}

/** A report as one self-contained HTML page: no network, no script needed. `past` are runs at the same target, this one included. */
export function renderHtml(report: Report, past: readonly PastRun[] = []): string {
  const arranged = arrange(report);
  const { kind, noun, word, tone, facts, score, findings, open, target, tool, summary, leftovers } = arranged;
  const name = kind === 'run' ? 'Contract report' : `Replay of a ${kind === 'replay' ? 'recording' : 'finding'}`;
  const none = `No violation was found${summary.pass > 0 ? '.' : ', but nothing was verified either.'}`;
  const found = findings.length > 0 ? findings.map(finding) : html`<p>${none}</p>`;
  const left = leftovers.length > 0 ? leftovers : ['The run recorded nothing that it left behind at the target.'];
  const parts: Part[] = [
    ...(kind === 'run' || findings.length > 0 ? [['findings', 'Findings', findings.length, found] as const] : []),
    ...open.map((each) => openPart(each, arranged)),
    ...(kind === 'finding' ? [] : [counts(arranged)]),
    ...(past.length > 1 ? [trend(past)] : []),
    ...(arranged.requirements.length > 0 ? [requirements(arranged)] : []),
    ...(arranged.gaps.length > 0 ? [gapLedger(arranged)] : []),
    ['leftovers', 'Leftovers', leftovers.length, html`<ul>${left.map((line) => html`<li>${line}</li>`)}</ul>`],
  ];
  const contents = parts.map(([id, title, number]) => html`<li><a href="#${id}">${title}</a> ${muted(number)}</li>`);
  const sections = parts.map(([id, title, number, content]) => {
    const heading = html`<h2 id="${id}">${title} ${muted(number)}</h2>`;
    return html`<section aria-labelledby="${id}">${heading}\n${content}</section>\n`;
  });
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${word}: ${target.baseUrl} (${name.toLowerCase()}, ${count(summary.checks, noun)})</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<header class="verdict ${tone}"><p class="kicker">${name}</p>
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
