/** Text that a target had a hand in, made harmless for Markdown as GitHub and GitLab render it. */
import { count, visible } from './text.ts';

/** Text on one line of a paragraph, list or table: nothing in it is Markdown, HTML, a link, a mention or a reference. */
export function inline(text: string): string {
  return visible(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]~$|]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/^(?=[-+](\s|$)|\d+[.)](\s|$)|[-=]+$)/, '<!-- -->')
    .replace(/[@#!](?=\w)/g, '$&<!-- -->')
    .replace(/:\/\/|\bwww(?=\.)/gi, '$&<!-- -->');
}

/** Text for the line, in code's letters. HTML rather than backticks, which a table cell cannot escape. */
export const inlineCode = (text: string): string => (text === '' ? '' : `<code>${inline(text)}</code>`);

/** Text in a fenced block, the fence longer than any run of backticks in it. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${visible(text)}\n${fence}`;
}

export const folded = (summary: string, ...blocks: readonly string[]): string =>
  ['<details>', `<summary>${summary}</summary>`, '', blocks.join('\n\n'), '', '</details>'].join('\n');

/** The blocks that fit into a number of bytes, each in its first form that does, and a note when some are left out. */
export function within(blocks: readonly (readonly string[])[], budget: number, noun: string, separator: string) {
  const kept: string[] = [];
  let left = budget;
  for (const forms of blocks) {
    const form = forms.find((one) => Buffer.byteLength(one) + 2 <= left);
    if (form === undefined) break;
    kept.push(form);
    left -= Buffer.byteLength(form) + 2;
  }
  const missing = blocks.length - kept.length;
  const note = missing > 0 ? [`_… and ${count(missing, `more ${noun}`)}: report.html has all of them._`] : [];
  return [kept.join(separator), ...note].join('\n\n');
}

export function list(items: readonly string[], budget: number, noun: string): string {
  const lines = items.map((item) => [`- ${item}`]);
  return within(lines, budget, noun, '\n');
}

/** A table, cut to a number of bytes; the cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], budget = Infinity): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = rows.map((cells) => [line(cells)]);
  return [line(head), line(head.map(() => '---')), within(lines, budget, 'row', '\n')].join('\n');
}
