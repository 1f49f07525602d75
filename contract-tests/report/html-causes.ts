/** The first half of the HTML report: the reasons for the verdict. */
import type { Report } from '../model.ts';
import {
  type BlockedGroup,
  blockedGroups,
  bySharedReason,
  type Finding,
  findingsOf,
  type ReportedCheck,
  requirementIds,
  type SharedReason,
  withoutCause,
} from './arrange.ts';
import {
  anchor,
  badge,
  block,
  checkList,
  comparison,
  evidence,
  foldedChecks,
  requirementLinks,
  section,
  statements,
} from './html-parts.ts';
import { type Content, type Html, html, join } from './markup.ts';
import { clip, count, showValue } from './text.ts';

const MAX_MESSAGE = 1000;
const MAX_VALUE = 2000;
const SHOWN_CHECKS = 2;

function seenBy(report: Report, check: ReportedCheck): Html {
  return html`<div class="check" id="${anchor('check', check.id)}"><h4>${check.title} <code class="id">${check.id}</code></h4>
<p class="message">${clip(check.message, MAX_MESSAGE)}</p>
${comparison(check)}
${evidence(report, check)}</div>`;
}

function finding(report: Report, { requirements, checks, blocks }: Finding, number: number): Html {
  const ids = requirements.map(({ id }) => id);
  const [first] = checks;
  const consequences = [
    checks.length > 1 && `Seen by ${checks.length} checks`,
    blocks.length > 0 && html`<a href="#blocked">${count(blocks.length, 'check')} could not run because of it</a>`,
  ].filter(Boolean);
  // Two show what is broken; more would hide the next finding.
  const [shown, folded] =
    checks.length > SHOWN_CHECKS + 1 ? [checks.slice(0, SHOWN_CHECKS), checks.slice(SHOWN_CHECKS)] : [checks, []];
  return html`<article class="finding" aria-labelledby="finding-${number}"><h3 id="finding-${number}"><span class="number">${number}</span> <span>${
    ids.length > 0 ? statements(report, ids) : first?.title
  }</span></h3>
${consequences.length > 0 && html`<p class="muted">${join(consequences, ' · ')}</p>`}
${shown.map((check) => seenBy(report, check))}${
  folded.length > 0 &&
  html`<details class="more"><summary>${count(folded.length, 'more check')} saw it</summary>${folded.map((check) => seenBy(report, check))}</details>`
}</article>
`;
}

function errorGroup(report: Report, { message, checks }: SharedReason): Html {
  const [first] = checks;
  return html`<article class="reason"><h3>${clip(message, MAX_MESSAGE)}</h3>${foldedChecks(checks)}${
    first?.actual !== undefined &&
    html`<p class="label">Actual</p>${block(showValue(first.actual, MAX_VALUE), 'Actual')}`
  }${first && first.exchanges.length > 0 && evidence(report, first)}</article>
`;
}

function blockedGroup({ causeId, cause, checks }: BlockedGroup): Html {
  const heading = cause
    ? html`${badge(cause.outcome)} ${cause.outcome === 'violation' ? html`<a href="#${anchor('check', cause.id)}">${cause.title}</a>` : cause.title} <code class="id">${cause.id}</code>`
    : html`${causeId === '' ? 'Cause not named' : causeId}`;
  const messages = new Set(checks.map(({ message }) => withoutCause(message)));
  // One reason for all is shown once; several are shown beside their checks.
  const [only] = messages;
  const list =
    messages.size === 1
      ? html`<p>${clip(only ?? '', MAX_MESSAGE)}</p>${foldedChecks(checks)}`
      : checkList(
          checks,
          ({ message }) => html`<br><span class="muted">${clip(withoutCause(message), MAX_MESSAGE)}</span>`,
        );
  return html`<article class="reason"><h3>${heading}</h3>${list}</article>
`;
}

function untestedGroup(report: Report, { message, checks }: SharedReason): Html {
  // A list that is not folded names them itself.
  const open =
    checks.length > 2 && html`<p class="muted">Leaves open ${requirementLinks(requirementIds(report, checks))}</p>`;
  return html`<article class="reason"><h3>${clip(message || 'no reason was given', MAX_MESSAGE)}</h3>${open}${foldedChecks(checks)}</article>
`;
}

/** Findings first, then what failed to be set up, what waits for something else, and what would enable the rest. */
export function causeSections(report: Report): Content {
  const findings = findingsOf(report);
  const errors = bySharedReason(report, 'error');
  const blocked = blockedGroups(report);
  const untested = bySharedReason(report, 'untested');
  const { summary } = report;
  return [
    section(
      'findings',
      html`Findings <span class="muted">${findings.length}</span>`,
      findings.length > 0
        ? findings.map((one, index) => finding(report, one, index + 1))
        : html`<p>${summary.pass > 0 ? 'No check found a broken requirement.' : 'No violation was found, but nothing was verified either.'}</p>`,
    ),
    errors.length > 0 &&
      section(
        'errors',
        html`Could not be set up <span class="muted">${count(summary.error, 'check')}</span>`,
        errors.map((group) => errorGroup(report, group)),
      ),
    blocked.length > 0 &&
      section(
        'blocked',
        html`Blocked <span class="muted">${count(summary.blocked, 'check')}</span>`,
        html`<p class="muted">These checks build on one that did not pass. Each group is listed under that check.</p>${blocked.map(blockedGroup)}`,
      ),
    untested.length > 0 &&
      section(
        'untested',
        html`Not tested <span class="muted">${count(summary.untested, 'check')}</span>`,
        html`<p class="muted">Each line says what is missing; supplying it enables the checks below it.</p>${untested.map((group) => untestedGroup(report, group))}`,
      ),
  ];
}
