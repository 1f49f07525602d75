import { createHash } from 'node:crypto';
import type { Report } from '../model.ts';
import { countRequirements, findingsOf, OUTCOME_MEANINGS, REQUIREMENT_OUTCOMES, VERDICTS } from './arrange.ts';
import { causeSections } from './html-causes.ts';
import { badge } from './html-parts.ts';
import { SCRIPT } from './html-script.ts';
import { STYLE } from './html-style.ts';
import { gapsSection, leftoversSection, requirementsSection } from './html-tables.ts';
import { type Content, Html, html } from './markup.ts';
import { scoreText } from './score-text.ts';
import { count, sentIn, showDuration, showTime, visible } from './text.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// Whatever got past the escaping could neither run nor load anything: only these two texts may.
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

/**
 * A report as one self-contained HTML page: no network, no script needed, light and dark, for screen and paper. What the
 * target sent is shown as text only. The same report always gives the same page.
 */
export function renderHtml(report: Report): string {
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
${verdict(report)}${contents(report)}${counts(report)}${causeSections(report)}${requirementsSection(report)}${gapsSection(report)}${leftoversSection(report)}</main>
<footer><p>Made by ${report.tool.name} ${report.tool.version}. The checks judge what the document states; what it leaves open is observed, and listed in the gap ledger. ${report.score && `${scoreText(report.score)} `}Credentials were removed before this file was written. The same results for programs are in report.json.</p></footer>
<script>${new Html(SCRIPT)}</script>
</body>
</html>
`;
  return page.text;
}
