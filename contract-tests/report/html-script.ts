/**
 * The page's only script. Nothing depends on it: it adds buttons that copy a curl line, filter the table and open all
 * details, and opens them for printing in browsers whose style sheets cannot.
 */
export const SCRIPT = `
'use strict';
const all = (selector) => [...document.querySelectorAll(selector)];
const button = (text, act) => {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', () => act(made));
  return made;
};
for (const tools of all('.tools')) tools.hidden = false;
if (navigator.clipboard) for (const box of all('.curl')) box.prepend(button('Copy', async (made) => {
  await navigator.clipboard.writeText(box.querySelector('code').textContent);
  made.textContent = 'Copied';
  setTimeout(() => { made.textContent = 'Copy'; }, 2000);
}));
const filters = all('[data-filter]');
for (const filter of filters) filter.addEventListener('click', () => {
  const on = filter.getAttribute('aria-pressed') !== 'true';
  for (const one of filters) one.setAttribute('aria-pressed', String(on && one === filter));
  for (const row of all('[data-outcome]')) row.hidden = on && row.dataset.outcome !== filter.dataset.filter;
  for (const body of all('.requirements tbody')) body.hidden = !body.querySelector('[data-outcome]:not([hidden])');
});
const closed = () => all('details:not([open])');
if (closed().length > 0) document.querySelector('#open-all').append(button('Open all evidence', (made) => {
  const open = closed().length > 0;
  for (const one of all('details')) one.open = open;
  made.textContent = open ? 'Close all evidence' : 'Open all evidence';
}));
let opened = [];
addEventListener('beforeprint', () => { opened = closed(); for (const one of opened) one.open = true; });
addEventListener('afterprint', () => { for (const one of opened) one.open = false; });
`;
