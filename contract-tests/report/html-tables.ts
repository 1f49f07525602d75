/** The second half of the HTML report: everything that was judged, and what the document leaves open. */
import type { GapResult, Report, RequirementResult } from '../model.ts';
import { countRequirements, gapsByInterest, REQUIREMENT_OUTCOMES } from './arrange.ts';
import { anchor, badge, section, sectionName } from './html-parts.ts';
import { type Content, type Html, html, join } from './markup.ts';
import { clip, count, showValue } from './text.ts';

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

/** Every requirement with its outcome, by section. */
export function requirementsSection(report: Report): Html {
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

/** What the document leaves open: the answer assumed beside the one observed. */
export function gapsSection(report: Report): Html {
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

/** What the run left behind at the target. */
export function leftoversSection({ leftovers }: Report): Html {
  return section(
    'leftovers',
    html`Leftovers <span class="muted">${leftovers.length}</span>`,
    leftovers.length > 0
      ? html`<ul>${leftovers.map((line) => html`<li>${line}</li>`)}</ul>`
      : html`<p>The run recorded nothing that it left behind at the target.</p>`,
  );
}
