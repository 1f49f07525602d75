import { createHash } from 'node:crypto';
import { STYLE } from '../../contract-tests/report/html-style.ts';
import { type Content, type Html, html, join } from '../../contract-tests/report/markup.ts';
import { showDuration, showTime } from '../../contract-tests/report/text.ts';
import type { RestedGap, TriedAnswer } from './model.ts';
import {
  breaksOf,
  dependentTests,
  headline,
  isTried,
  mainGapText,
  nameOf,
  notesOf,
  shortAnswer,
} from './report-text.ts';
import type { VaryReport } from './vary.ts';

const OWN = `
.matrix th[scope=col] { vertical-align: bottom; } .matrix td, .matrix thead th { padding-right: 1.25rem; }
.matrix th[scope=row] { min-width: 16rem; position: sticky; left: 0; background: var(--paper); }
.wide { overflow-x: auto; } @media (max-width: 40rem) { .overview { display: none; } } .holds { --tone: var(--pass); } .breaks { --tone: var(--violation); }
.badge.untried { color: var(--muted); } section > section { margin-top: 2rem; }
`;
const STYLES = STYLE + OWN;
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLES).digest('base64')}'; base-uri 'none'; form-action 'none'`;

const code = (answer: TriedAnswer['answer']): Html => html`<code>${shortAnswer(answer)}</code>`;

const observedNote = (report: VaryReport, { isObserved }: TriedAnswer): Content =>
  isObserved && html` <span class="note">and ${report.target} does answer so</span>`;

/** Tests that depend on a guess x the gaps that they depend on. */
function matrix(report: VaryReport): Html {
  const gaps = breaksOf(report).flatMap((list) => list.slice(0, 1).map(({ gap }) => gap));
  const tests = [...dependentTests(report)];
  if (tests.length === 0) return html`<p>No answer that was tried breaks a test.</p>`;
  const cell = (test: string, { answers }: RestedGap): Html => {
    const hits = answers.filter(({ tests: broken }) => broken.includes(test));
    return html`<td>${join(
      hits.map((hit) => html`${code(hit.answer)}${observedNote(report, hit)}`),
      html`<br>`,
    )}</td>`;
  };
  const head = gaps.map((gap) => html`<th scope="col"><a class="id" href="#gap-${gap.id}">${gap.id}</a></th>`);
  const rows = tests.map(
    (test) => html`<tr><th scope="row">${nameOf(report, test)}</th>${gaps.map((gap) => cell(test, gap))}</tr>
`,
  );
  return html`<div class="wide"><table class="matrix"><caption>A cell lists the answers that break the test.</caption>
<thead><tr><th scope="col">Test</th>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

const outcomes = { holds: '✓ holds', breaks: '✗ breaks', untried: '– not tried', error: '✗ not served' };
/** Of the page's head. */
const tones = { 0: 'conforms', 1: 'violates', 4: 'inconclusive' };

function gapSection(report: VaryReport, gap: RestedGap): Html {
  const rows = gap.answers.map(
    (
      tried,
    ) => html`<tr><td>${code(tried.answer)}${tried.meaning !== undefined && html`<span class="note">${tried.meaning}</span>`}${observedNote(report, tried)}</td>
<td><span class="badge ${tried.outcome}">${outcomes[tried.outcome]}</span></td>
<td>${join(
      tried.tests.map((id) => nameOf(report, id)),
      html`<br>`,
    )}${'reason' in tried && html`<span class="note">${tried.reason}</span>`}${'accepted' in tried && html`<span class="note">accepted: ${tried.accepted}</span>`}</td></tr>
`,
  );
  const table = html`<table><thead><tr><th scope="col">Answer</th><th scope="col">Outcome</th><th scope="col">Tests</th></tr></thead><tbody>${rows}</tbody></table>`;
  return html`<section id="gap-${gap.id}"><h3>${gap.question} <span class="id">${gap.id}</span></h3>
<p class="muted">Section ${gap.section}. Assumed: ${code(gap.assumed)}${gap.meaning !== undefined && ` (${gap.meaning})`}. It decided responses of ${gap.operations.join(', ')}.</p>
${rows.length > 0 && table}</section>
`;
}

/** The report as one page without scripts. */
export function renderVaryHtml(report: VaryReport): string {
  const breaking = new Set(breaksOf(report).flatMap((list) => list.map(({ gap }) => gap)));
  const others = report.gaps.filter((gap) => !breaking.has(gap));
  const section = (title: string, gaps: readonly RestedGap[]): Content =>
    gaps.length > 0 &&
    html`<section><h2>${title} <span class="muted">${gaps.length}</span></h2>${gaps.map((gap) => gapSection(report, gap))}</section>
`;
  const notes = notesOf(report);
  const facts: [string, Content][] = [
    ['Command', html`<code>${report.command.join(' ')}</code>`],
    ['Profile', report.profile],
    ...(report.target === undefined
      ? []
      : ([['Asked first', html`<code>${report.target}</code>`]] satisfies [string, Content][])),
    ['Started', showTime(report.startedAt)],
    ['Took', `${showDuration(report.durationMs)}, ${report.runs} runs`],
    ['Exit code', String(report.exitCode)],
  ];
  const title = headline(report);
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>vary: ${title}</title><style>STYLES</style></head>
<body><main><header class="verdict ${tones[report.exitCode]}"><p class="kicker">What the tests rest on</p><h1>${title}</h1>
<p class="lead">They rest on ${report.gaps.length} of the ${report.ledger.gaps} points that the document leaves open. ${mainGapText(report)}</p>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></header>
<section class="overview"><h2>Tests and gaps</h2>${matrix(report)}</section>
${notes.length > 0 && html`<section><h2>Notes</h2><ul>${notes.map((note) => html`<li>${note}</li>`)}</ul></section>`}
${section('Gaps that matter', [...breaking])}${section('Gaps that break nothing', others.filter(isTried))}${section(
  'Gaps that were not tried',
  others.filter((gap) => !isTried(gap)),
)}
</main><footer><p>${report.tool.name} ${report.tool.version}</p></footer></body></html>
`;
  return page.text.replace('<style>STYLES</style>', () => `<style>${STYLES}</style>`);
}
