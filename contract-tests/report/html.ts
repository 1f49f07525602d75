import { createHash } from 'node:crypto';
import type { GapResult, Report, RequirementResult } from '../model.ts';
import {
  countRequirements,
  findingsOf,
  gapsByInterest,
  OUTCOME_MEANINGS,
  REQUIREMENT_OUTCOMES,
  VERDICTS,
} from './arrange.ts';
import type { PastRun } from './history.ts';
import { anchor, badge, causeSections, section, sectionName } from './html-causes.ts';
import { SCRIPT } from './html-script.ts';
import { STYLE } from './html-style.ts';
import { type Content, Html, html, join } from './markup.ts';
import { clip, count, scoreText, sentIn, showDuration, showTime, showValue, visible } from './text.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// Markup that got past the escaping could neither run nor load anything: only these two texts may.
const POLICY = `default-src 'none'; script-src ${hashOf(SCRIPT)}; style-src ${hashOf(STYLE)}; base-uri 'none'; form-action 'none'`;

function verdict(report: Report): Html {
  const { word, meaning } = VERDICTS[report.verdict];
  const facts: [string, Content][] = [
    ['Target', html`<code>${report.target.baseUrl}</code>`],
    ['Profile', report.profile],
    ['Tool', `${report.tool.name} ${report.tool.version}`],
    ['Started', html`<time datetime="${report.startedAt}">${showTime(report.startedAt)}</time>`],
    ['Took', showDuration(report.durationMs)],
    ...(report.requests ? ([['Sent', sentIn(report)]] satisfies [string, Content][]) : []),
    ['Exit code', html`${report.exitCode} <span class="muted">${meaning}</span>`],
  ];
  return html`<header class="verdict ${report.verdict}"><p class="kicker">Contract report</p>
<h1>${word}</h1>
<p class="lead">${report.summary.text}</p>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></header>
`;
}

/** The outcomes of all requirements as one bar; the table below it says the same in numbers. */
function bar(report: Report): Html {
  let x = 0;
  const parts = REQUIREMENT_OUTCOMES.map((outcome) => {
    const width = countRequirements(report, outcome);
    x += width;
    return width > 0 && html`<rect class="${outcome}" x="${x - width}" width="${width}" height="1"/>`;
  });
  return html`<svg class="bar" viewBox="0 0 ${Math.max(x, 1)} 1" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

function counts(report: Report): Html {
  const rows = REQUIREMENT_OUTCOMES.map((outcome) => {
    const checks = outcome === 'excluded' ? undefined : report.summary[outcome];
    const requirements = countRequirements(report, outcome);
    return html`<tr${(checks ?? 0) + requirements === 0 && new Html(' class="none"')}><th scope="row">${badge(outcome)} <span class="muted">${OUTCOME_MEANINGS[outcome]}</span></th><td>${checks ?? '–'}</td><td>${requirements}</td></tr>
`;
  });
  return html`<section aria-labelledby="counts"><h2 id="counts">What was tested</h2>
${bar(report)}<table class="counts"><thead><tr><th scope="col">Outcome</th><th scope="col">Checks</th><th scope="col">Requirements</th></tr></thead>
<tbody>${rows}</tbody><tfoot><tr><th scope="row">All</th><td>${report.summary.checks}</td><td>${report.requirements.length}</td></tr></tfoot></table></section>
`;
}

function contents(report: Report): Html {
  const { summary } = report;
  const entries: [string, string, number][] = [
    ['findings', 'Findings', findingsOf(report).length],
    ['errors', 'Could not be set up', summary.error],
    ['blocked', 'Blocked', summary.blocked],
    ['untested', 'Not tested', summary.untested],
    ['requirements', 'Requirements', report.requirements.length],
    ['gaps', 'Gap ledger', report.gaps.length],
    ['leftovers', 'Leftovers', report.leftovers.length],
  ];
  const always = ['findings', 'requirements', 'gaps', 'leftovers'];
  const items = entries
    .filter(([id, , number]) => number > 0 || always.includes(id))
    .map(([id, name, number]) => html`<li><a href="#${id}">${name}</a> <span class="muted">${number}</span></li>`);
  return html`<nav aria-label="Contents"><ul>${items}</ul><div id="open-all" class="tools" hidden></div></nav>
`;
}

const MAX_REASON = 600;
const MAX_VALUE = 1500;

/** Sections in the document's order; what has no number (the preamble) first. */
function sectionsOf(requirements: readonly RequirementResult[]): string[] {
  const sections = [...new Set(requirements.map(({ section }) => section))];
  const rank = (name: string): number => (/^\d/.test(name) ? 1 : 0);
  return sections.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en', { numeric: true }));
}

function requirementRow(report: Report, { id, statement, outcome, reason }: RequirementResult): Html {
  const checks = report.checks.filter((check) => check.requirements.includes(id));
  const names = checks.map((check) =>
    check.outcome === 'violation'
      ? html`<a class="id" href="#${anchor('check', check.id)}">${check.id}</a>`
      : html`<code class="id">${check.id}</code>`,
  );
  return html`<tr id="${anchor('requirement', id)}" data-outcome="${outcome}"><th scope="row" class="id">${id}</th><td>${statement}${
    reason !== undefined && reason !== '' && html`<span class="note">${clip(reason, MAX_REASON)}</span>`
  }${names.length > 0 && html`<span class="note">${join(names, ' ')}</span>`}</td><td>${badge(outcome)}</td></tr>
`;
}

function requirementsSection(report: Report): Html {
  const title = html`Requirements <span class="muted">${report.requirements.length}</span>`;
  if (report.requirements.length === 0)
    return section('requirements', title, html`<p>No requirement was in the scope of this run.</p>`);
  const groups = sectionsOf(report.requirements).map((name) => {
    const rows = report.requirements.filter((one) => one.section === name);
    return html`<tbody><tr class="group"><th scope="rowgroup" colspan="3">${sectionName(name)}</th></tr>
${rows.map((row) => requirementRow(report, row))}</tbody>
`;
  });
  const filters = REQUIREMENT_OUTCOMES.filter((outcome) => countRequirements(report, outcome) > 0).map(
    (outcome) =>
      html`<button type="button" aria-pressed="false" data-filter="${outcome}">${badge(outcome)} ${countRequirements(report, outcome)}</button>`,
  );
  return section(
    'requirements',
    title,
    html`<div class="tools" role="group" aria-label="Show only" hidden>${filters}</div>
<table class="requirements"><caption>Every statement of the document that a client can observe, what the run found, and the checks that judge it.</caption>
<thead><tr><th scope="col">Id</th><th scope="col">Requirement</th><th scope="col">Outcome</th></tr></thead>
${groups}</table>`,
  );
}

function gapRow({ id, section: number, question, assumed, observed, outcome, reason }: GapResult): Html {
  // Roles in words: laid out as blocks on a narrow screen, a table would lose them in some browsers.
  const value = (label: string, content: Content): Html => html`<td role="cell" data-label="${label}">${content}</td>`;
  const show = (given: unknown): Content =>
    given === undefined ? html`<span class="muted">–</span>` : html`<code>${showValue(given, MAX_VALUE)}</code>`;
  return html`<tr role="row" class="${outcome}"><th scope="row" role="rowheader">${question}<span class="note"><code class="id">${id}</code> ${sectionName(number)}</span></th>${value('Assumed', show(assumed))}${value('Observed', show(observed))}${value(
    'Outcome',
    html`${badge(outcome)}${reason !== undefined && reason !== '' && html`<span class="note">${clip(reason, MAX_REASON)}</span>`}`,
  )}</tr>
`;
}

/** What the document leaves open: the answer assumed and the one observed. */
function gapsSection(report: Report): Html {
  const differing = report.gaps.filter(({ outcome }) => outcome === 'differs').length;
  const head = ['Question', 'Assumed', 'Observed', 'Outcome'].map(
    (name) => html`<th scope="col" role="columnheader">${name}</th>`,
  );
  return section(
    'gaps',
    html`Gap ledger <span class="muted">${report.gaps.length === 0 ? 'not observed' : `${count(differing, 'difference')} of ${report.gaps.length}`}</span>`,
    html`<p>What the document leaves open. An answer that differs from the assumption is not a violation: it shows how this target decided.</p>${
      report.gaps.length > 0 &&
      html`<table class="gaps" role="table"><thead role="rowgroup"><tr role="row">${head}</tr></thead>
<tbody role="rowgroup">${gapsByInterest(report).map(gapRow)}</tbody></table>`
    }`,
  );
}

/** Past runs that are drawn, and listed. */
const MAX_PAST = 60;
const MAX_LISTED = 15;

/** How the runs of a history went: a column a run, of violated and open checks; then the latest in words. */
function trendSection(past: readonly PastRun[]): Content {
  if (past.length < 2) return undefined;
  const drawn = past.slice(-MAX_PAST);
  const most = Math.max(1, ...drawn.map(({ violation, open }) => violation + open));
  const columns = drawn.map(
    ({ violation, open }, x) =>
      html`<rect class="violation" x="${x}" y="${most - violation}" width="0.8" height="${violation}"/><rect class="untested" x="${x}" y="${most - violation - open}" width="0.8" height="${open}"/>`,
  );
  const rows = drawn
    .slice(-MAX_LISTED)
    .toReversed()
    .map(
      ({ startedAt, verdict: said, violation, open, requests, repeated, violated }) =>
        html`<tr class="${said}"><th scope="row">${showTime(startedAt)}</th><td>${said}</td><td>${violation}${
          violated.length > 0 && html`<span class="note">${clip(violated.join(' '), MAX_REASON)}</span>`
        }</td><td>${open}</td><td>${requests}${repeated > 0 && `, ${repeated} repeated`}</td></tr>
`,
    );
  const head = ['Started', 'Verdict', 'Violations', 'Open', 'Requests'].map(
    (name) => html`<th scope="col">${name}</th>`,
  );
  return section(
    'trend',
    html`Trend <span class="muted">${count(past.length, 'run')}</span>`,
    html`<svg class="bar trend" viewBox="0 0 ${drawn.length} ${most}" preserveAspectRatio="none" aria-hidden="true">${columns}</svg>
<table><caption>Checks that found a violation, and those that stayed open, in the latest runs at this target.</caption><thead><tr>${head}</tr></thead>
<tbody>${rows}</tbody></table>`,
  );
}

function leftoversSection({ leftovers }: Report): Html {
  return section(
    'leftovers',
    html`Leftovers <span class="muted">${leftovers.length}</span>`,
    leftovers.length > 0
      ? html`<ul>${leftovers.map((line) => html`<li>${line}</li>`)}</ul>`
      : html`<p>The run recorded nothing that it left behind at the target.</p>`,
  );
}

/**
 * A report as one self-contained HTML page: no network, no script needed, light and dark, for screen and paper. What the
 * target sent is shown as text only. The same report always gives the same page.
 * @param past runs at the same target, the oldest first, this one included
 */
export function renderHtml(report: Report, past: readonly PastRun[] = []): string {
  const { word } = VERDICTS[report.verdict];
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${word}: ${visible(report.target.baseUrl)} (contract report, ${count(report.summary.checks, 'check')})</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#findings">Skip to the findings</a>
<main>
${verdict(report)}${contents(report)}${causeSections(report)}${counts(report)}${trendSection(past)}${requirementsSection(report)}${gapsSection(report)}${leftoversSection(report)}</main>
<footer><p>Made by ${report.tool.name} ${report.tool.version}. The checks judge what the document states; what it leaves open is observed, and listed in the gap ledger. ${report.score && `${scoreText(report.score)} `}Credentials were removed before this file was written. The same results for programs are in report.json.</p></footer>
<script>${new Html(SCRIPT)}</script>
</body>
</html>
`;
  return page.text;
}
