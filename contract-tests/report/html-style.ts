/** The page's style sheet: system fonts, two colour schemes, two widths, and paper. */

const LIGHT = `--paper: #fff; --sunken: #f5f6f7; --line: #dcdfe3; --ink: #1b1f24; --muted: #59626d; --link: #0b57a4;
--violation: #b3201b; --error: #9c4600; --blocked: #6a4a9c; --untested: #765900; --pass: #1c6b3c; --excluded: #59626d;`;

const DARK = `--paper: #15181c; --sunken: #1d2126; --line: #343a42; --ink: #e4e7ea; --muted: #a0a9b3; --link: #7db7f5;
--violation: #ff8a80; --error: #ffb066; --blocked: #c5a8f5; --untested: #e3c25a; --pass: #7ccf9a; --excluded: #a0a9b3;`;

const BASE = `
:root { color-scheme: light dark; ${LIGHT} }
@media screen and (prefers-color-scheme: dark) { :root { ${DARK} } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; overflow-wrap: break-word; }
main, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
h1, h2, h3, h4, p, dl, dd, ul, ol, pre { margin: 0; padding: 0; }
h1, h2, h3, h4 { line-height: 1.3; text-wrap: balance; }
h2 { font-size: 1.375rem; margin: 3rem 0 1rem; padding-bottom: .4rem; border-bottom: 1px solid var(--line); }
h2 .muted { font-weight: 400; font-size: 1rem; margin-left: .3rem; }
h3 { font-size: 1.0625rem; } h4 { font-size: 1rem; }
.label { font-size: .8125rem; font-weight: 600; color: var(--muted); margin: 1rem 0 .3rem; }
.label .muted { font-weight: 400; }
p { max-width: 46rem; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
:target { scroll-margin-top: 1rem; background: var(--sunken); }
section > ul { padding-left: 1.25rem; }
h3::first-letter, h4::first-letter, .statement::first-letter { text-transform: uppercase; }
section > p + table { margin-top: 1rem; }
code, pre, .id { font-family: ui-monospace, "SF Mono", Consolas, "Liberation Mono", monospace; font-size: .8125rem; }
code { overflow-wrap: anywhere; unicode-bidi: isolate; direction: ltr; }
.id { color: var(--muted); font-weight: 400; overflow-wrap: anywhere; } a.id, th.id { white-space: nowrap; }
a.id { color: var(--link); }
.muted, .note { color: var(--muted); font-size: .875rem; font-weight: 400; }
.note { display: block; margin-top: .15rem; overflow-wrap: anywhere; }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--paper); }
.skip:focus { left: .5rem; top: .5rem; z-index: 1; }
[hidden] { display: none !important; }
button { font: inherit; font-size: .8125rem; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 4px; padding: .15rem .6rem; min-height: 1.75rem; cursor: pointer; }
button:hover { border-color: var(--muted); }
button[aria-pressed=true] { border-color: var(--ink); box-shadow: inset 0 0 0 1px var(--ink); }
.badge { font-size: .8125rem; font-weight: 600; white-space: nowrap; }
.badge > span { display: inline-block; width: 1em; text-align: center; }
.violation, .violates, .differs { --tone: var(--violation); } .error, .unreachable { --tone: var(--error); } .blocked { --tone: var(--blocked); }
.untested, .inconclusive { --tone: var(--untested); } .pass, .conforms, .match { --tone: var(--pass); }
.excluded, .undetermined { --tone: var(--excluded); } .badge.differs { --tone: var(--untested); }
.badge { color: var(--tone); } .bar rect { fill: var(--tone); }
footer { margin-top: 4rem; padding-bottom: 2rem; color: var(--muted); font-size: .875rem; }
footer p { border-top: 1px solid var(--line); padding-top: 1rem; max-width: none; }
`;

const TOP = `
.verdict { padding: 2.5rem 0 1.5rem; }
.kicker { color: var(--muted); font-size: .875rem; }
h1 { font-size: clamp(2.25rem, 6vw, 3rem); line-height: 1.15; letter-spacing: -.02em; color: var(--tone); }
.lead { font-size: 1.1875rem; margin: .35rem 0 1.5rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: .75rem 2rem; }
dt { font-size: .8125rem; color: var(--muted); }
.facts dd { overflow-wrap: anywhere; } .facts dd .muted { display: block; }
nav { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; justify-content: space-between; align-items: center; padding: .6rem 0; border-block: 1px solid var(--line); }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.tools { display: flex; flex-wrap: wrap; gap: .4rem; } section > .tools { margin-bottom: 1rem; }
.bar { display: block; width: 100%; height: .625rem; border-radius: 2px; margin-bottom: .75rem; background: var(--sunken); } .trend { height: 6rem; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; color: var(--muted); font-size: .875rem; padding-bottom: .5rem; }
th, td { text-align: left; vertical-align: baseline; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
thead th { font-size: .8125rem; color: var(--muted); font-weight: 600; }
tbody th { font-weight: 400; }
.counts td, .counts thead th:not(:first-child) { text-align: right; font-variant-numeric: tabular-nums; width: 7.5rem; }
.counts .none td, .counts .none .badge { color: var(--muted); }
.counts .badge { display: inline-block; min-width: 6.5rem; }
.requirements td:nth-child(2) { width: 100%; overflow-wrap: anywhere; } .requirements th.id { padding-right: 1.25rem; } .requirements .id { white-space: nowrap; } .requirements .note .id { white-space: normal; }
.requirements .group th { padding-top: 1.5rem; font-weight: 600; }
.gaps th[scope=row] { width: 34%; } .gaps td { width: 22%; } .gaps td code { white-space: pre-wrap; }
`;

const CAUSES = `
.finding { padding: 1.25rem 0 1.75rem; border-bottom: 1px solid var(--line); }
.finding:first-of-type { padding-top: 0; } .finding:last-child { border-bottom: 0; }
.finding h3 { display: flex; gap: .75rem; font-size: 1.1875rem; margin-bottom: .25rem; }
.finding h3 > .number { flex: none; min-width: 1.75rem; color: var(--violation); font-variant-numeric: tabular-nums; }
.statement { display: block; } .statement .id { font-size: .9375rem; } .statement .muted { white-space: nowrap; }
.finding > p, .finding > .check, .more { margin-left: 2.5rem; } .more { margin-top: 1.25rem; }
.check { margin-top: 1.25rem; } .check + .check { border-top: 1px dashed var(--line); padding-top: 1.25rem; }
.check h4 { font-weight: 600; } .message { margin: .25rem 0 .75rem; overflow-wrap: anywhere; }
.compare { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: .5rem; }
.compare > div { background: var(--sunken); border-top: 2px solid var(--tone); padding: .5rem .75rem .65rem; min-width: 0; }
.compare .expected { --tone: var(--pass); } .compare .actual { --tone: var(--violation); }
.compare code { display: block; white-space: pre-wrap; max-height: 20rem; overflow: auto; }
pre { white-space: pre-wrap; background: var(--sunken); padding: .5rem .75rem; max-height: 24rem; overflow: auto; line-height: 1.5; }
pre + pre { border-top: 1px solid var(--line); }
summary { cursor: pointer; padding: .2rem 0; overflow-wrap: anywhere; }
.exchanges { list-style: none; } .exchanges > li { border-top: 1px solid var(--line); } .exchanges > li:last-child { border-bottom: 1px solid var(--line); }
.exchange > summary { padding: .35rem 0; } .exchange .number { color: var(--muted); font-size: .8125rem; } .answer { font-weight: 600; font-size: .875rem; }
.messages { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); gap: 0 1rem; margin-bottom: .75rem; }
.messages > div { min-width: 0; } .messages .label { margin-top: .35rem; }
.exchange .curl { margin-bottom: .75rem; }
.curl { position: relative; } .curl pre { max-height: 16rem; } .curl button { position: absolute; top: .3rem; right: .3rem; } .curl button + pre { padding-right: 5rem; }
.reason { padding: .75rem 0; border-bottom: 1px solid var(--line); } .reason:last-child { border-bottom: 0; }
.reason h3 { font-weight: 600; font-size: 1rem; text-wrap: pretty; overflow-wrap: anywhere; }
.checks { padding-left: 1.25rem; font-size: .9375rem; } .checks li { padding: .1rem 0; }
`;

const NARROW = `
@media (max-width: 40rem) {
  .verdict { padding-top: 1.5rem; }
  .finding > p, .finding > .check, .more { margin-left: 0; }
  .finding h3 { gap: .4rem; } .finding h3 > .number { min-width: 1.25rem; }
  .counts th .muted { display: block; } .counts td, .counts thead th:not(:first-child) { width: auto; }
  .gaps thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  .gaps, .gaps tbody, .gaps tr, .gaps th, .gaps td { display: block; width: auto !important; border: 0; padding: 0; }
  .gaps tr { padding: .75rem 0; border-bottom: 1px solid var(--line); }
  .gaps td { display: grid; grid-template-columns: 5.5rem 1fr; margin-top: .3rem; } .gaps td::before { content: attr(data-label); color: var(--muted); font-size: .8125rem; }
  .gaps td > .note { grid-column: 2; }
}
`;

const PAPER = `
@media print {
  @page { margin: 16mm 14mm; }
  :root { color-scheme: light; }
  body { font-size: 10pt; } main, footer { max-width: none; padding: 0; }
  nav, .tools, .skip, button { display: none !important; }
  details::details-content { content-visibility: visible; block-size: auto; }
  pre, .compare code { max-height: none !important; overflow: visible !important; }
  h2, h3, h4, .label, summary { break-after: avoid; } tr, .compare { break-inside: avoid; }
  a { color: inherit; text-decoration: none; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
`;

/** The whole style sheet, as text for a style element. */
export const STYLE = [BASE, TOP, CAUSES, NARROW, PAPER].join('');
