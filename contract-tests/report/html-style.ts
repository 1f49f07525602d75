/** The page's style sheet: system fonts, two colour schemes, narrow screens, and paper. */
export const STYLE = `
:root { color-scheme: light dark; --paper: #fff; --sunken: #f5f6f7; --line: #dcdfe3; --ink: #1b1f24; --muted: #59626d; --link: #0b57a4;
  --red: #b3201b; --orange: #9c4600; --violet: #6a4a9c; --yellow: #765900; --green: #1c6b3c; }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #15181c; --sunken: #1d2126; --line: #343a42; --ink: #e4e7ea; --muted: #a0a9b3; --link: #7db7f5;
  --red: #ff8a80; --orange: #ffb066; --violet: #c5a8f5; --yellow: #e3c25a; --green: #7ccf9a; } }
.violation, .violates, .actual { --tone: var(--red); } .error, .unreachable { --tone: var(--orange); } .blocked { --tone: var(--violet); }
.untested, .inconclusive, .differs { --tone: var(--yellow); } .pass, .conforms, .match, .expected { --tone: var(--green); }
.excluded, .undetermined { --tone: var(--muted); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; overflow-wrap: anywhere; }
main, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
h1, h2, h3, h4, p, dl, dd, ul, ol, pre { margin: 0; padding: 0; }
h1 { font-size: clamp(2.25rem, 6vw, 3rem); line-height: 1.15; letter-spacing: -.02em; color: var(--tone); }
h2 { font-size: 1.375rem; margin: 3rem 0 1rem; padding-bottom: .4rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.0625rem; } h4 { font-size: 1rem; } h3, h4 { line-height: 1.3; }
h3::first-letter, h4::first-letter, .statement::first-letter, .group th::first-letter { text-transform: uppercase; }
p { max-width: 46rem; } section > p { margin-bottom: 1rem; } section > ul { padding-left: 1.25rem; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
:target { scroll-margin-top: 1rem; background: var(--sunken); }
code, pre, .id { font-family: ui-monospace, "SF Mono", Consolas, "Liberation Mono", monospace; font-size: .8125rem; }
code { unicode-bidi: isolate; direction: ltr; white-space: pre-wrap; }
pre { background: var(--sunken); padding: .5rem .75rem; max-height: 24rem; overflow: auto; white-space: pre-wrap; }
.id { font-weight: 400; } code.id, .muted, .note, .kicker, dt, thead th { color: var(--muted); font-weight: 400; }
.muted, .note, .kicker, footer { font-size: .875rem; } .note { display: block; }
.label, dt, thead th, .badge, button { font-size: .8125rem; }
.label { font-weight: 600; color: var(--muted); margin: 1rem 0 .3rem; }
.badge { font-weight: 600; white-space: nowrap; color: var(--tone); } .badge > span { display: inline-block; width: 1em; text-align: center; }
button { font-family: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 4px; padding: .15rem .6rem; min-height: 1.75rem; cursor: pointer; }
.verdict { padding: 2.5rem 0 1.5rem; } .lead { font-size: 1.1875rem; margin: .35rem 0 1.5rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: .75rem 2rem; }
nav { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; justify-content: space-between; align-items: center; padding: .6rem 0; border-block: 1px solid var(--line); }
nav ul { flex: 1; list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
svg { display: block; width: 100%; height: 6rem; margin-bottom: .75rem; background: var(--sunken); } rect { fill: var(--tone); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: baseline; padding: .4rem 1.25rem .4rem 0; border-bottom: 1px solid var(--line); }
tbody th { font-weight: 400; } .group th { padding-top: 1.5rem; font-weight: 600; } .requirements th code, th .badge { white-space: nowrap; }
.counts tr > :not(:first-child) { text-align: right; padding-right: 0; width: 7.5rem; } .counts .badge { display: inline-block; min-width: 6.5rem; }
.finding { padding: 1.25rem 0; } .reason { padding: .75rem 0; } .finding, .reason { border-bottom: 1px solid var(--line); } .finding:first-of-type { padding-top: 0; } .finding:last-child, .reason:last-child { border-bottom: 0; }
.finding h3 { display: flex; gap: .75rem; font-size: 1.1875rem; } .finding h3 > .number { flex: none; min-width: 1.75rem; color: var(--red); } .statement { display: block; }
.finding > :not(h3) { margin-left: 2.5rem; } .check { margin-top: 1.25rem; } .check + .check { border-top: 1px dashed var(--line); padding-top: 1.25rem; }
.message { margin: .25rem 0 .75rem; } summary { cursor: pointer; padding: .2rem 0; }
.compare { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: .5rem; }
.compare > div { background: var(--sunken); border-top: 2px solid var(--tone); padding: .5rem .75rem .65rem; max-height: 20rem; overflow: auto; } .compare code { display: block; }
.exchanges { list-style: none; } .exchanges > li { border-block: 1px solid var(--line); margin-top: -1px; } .exchanges .number { color: var(--muted); font-size: .8125rem; } .answer { font-weight: 600; font-size: .875rem; }
.caller { font-size: .8125rem; font-weight: 600; color: var(--tone, var(--muted)); border: 1px solid; border-radius: 4px; padding: 0 .35rem; }
.c0 { --tone: var(--link); } .c1 { --tone: var(--violet); } .c2 { --tone: var(--orange); } .c3 { --tone: var(--green); }
.messages { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); gap: 0 1rem; margin-bottom: .75rem; }
.curl { position: relative; } .curl button { position: absolute; top: .3rem; right: .3rem; } .curl button + pre { padding-right: 5rem; }
.checks { padding-left: 1.25rem; font-size: .9375rem; } .reason h3 { font-size: 1rem; }
@media (max-width: 40rem) { .finding > :not(h3) { margin-left: 0; } .finding h3 > .number { min-width: 0; } th, td { padding-right: .5rem; } }
@media print { body { font-size: 10pt; } nav, button { display: none; } details::details-content { content-visibility: visible; block-size: auto; }
  pre, .compare > div { max-height: none; overflow: visible; } * { print-color-adjust: exact; } }
`;

/** The page's only script. Nothing depends on it: it adds buttons that copy a curl line, and that open all evidence. */
export const SCRIPT = `
'use strict';
const button = (place, text, act) => {
  const made = document.createElement('button');
  made.textContent = text;
  made.addEventListener('click', () => act(made));
  place.prepend(made);
};
for (const box of document.querySelectorAll('.curl')) button(box, 'Copy', async (made) => {
  await navigator.clipboard.writeText(box.querySelector('code').textContent);
  made.textContent = 'Copied';
});
button(document.querySelector('#open-all'), 'Open all evidence', () => {
  for (const one of document.querySelectorAll('details')) one.open = true;
});
`;
