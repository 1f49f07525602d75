/** What an update can do to titles. */
import { type Defect, defect } from './hooks.ts';

/** Stores another title in place of the one sent. */
const changed = <Id extends string>(id: Id, description: string, title: (sent: string) => string) =>
  defect(id, ['REC-22'], description, { title });

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const decoded = (sent: string): string => {
  try {
    return decodeURIComponent(sent);
  } catch {
    return sent;
  }
};

export const TITLE_DEFECTS = [
  changed('update-title-trimmed', 'White space around a title gets lost.', (sent) => sent.trim()),
  changed('update-title-spaces-collapsed', 'White space inside a title is reduced to one space.', (sent) =>
    sent.replaceAll(/(?<=\S)\s{2,}(?=\S)/g, ' '),
  ),
  changed('update-title-truncated', 'A title is cut after 100 characters.', (sent) => sent.slice(0, 100)),
  changed('update-title-escaped', 'Markup in a title is HTML-escaped.', (sent) =>
    sent.replaceAll(/[&<>"]/g, (char) => ESCAPES[char] ?? char),
  ),
  changed('update-title-tags-stripped', 'Tags in a title are removed.', (sent) => sent.replaceAll(/<[^<>]*>/g, '')),
  changed('update-title-normalised', 'A title is normalised to Unicode form C.', (sent) => sent.normalize('NFC')),
  changed('update-title-without-emoji', 'Characters beyond the basic plane become question marks.', (sent) =>
    sent.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'),
  ),
  changed('update-title-percent-decoded', 'A title is decoded as in a URL.', decoded),
  changed('update-title-plus-decoded', 'Plus signs in a title become spaces, as in a form.', (sent) =>
    sent.replaceAll('+', ' '),
  ),
  changed('update-title-without-joiners', 'Joiners and marks of no width in a title are removed.', (sent) =>
    sent.replaceAll(/[\u200b-\u200f\u2028-\u202e\ufeff]/g, ''),
  ),
  changed('update-title-without-last-break', 'The line break at the end of a title gets lost.', (sent) =>
    sent.replace(/(?<!\n)\n+$/, ''),
  ),
  changed('update-title-cut-at-512', 'A title is cut after 512 characters.', (sent) => sent.slice(0, 512)),
  changed('update-title-truth-value', 'The title true becomes 1.', (sent) => (sent === 'true' ? '1' : sent)),
  changed('update-title-number', 'A title such as 1e3 is written as the number that it looks like.', (sent) =>
    /^\d+e\d+$/.test(sent) ? String(Number(sent)) : sent,
  ),
  changed('update-title-no-formula', 'A title that looks like a formula gets an apostrophe.', (sent) =>
    /^[=+@-]/.test(sent) ? `'${sent}` : sent,
  ),
  changed('update-title-named-as-member', 'A title that is the name of what every object has is lost.', (sent) =>
    sent in {} ? '' : sent,
  ),
  defect('update-title-never-empty', ['REC-22'], 'An empty title is taken, and ignored.', {
    updated: (recording, previous, { title }) => {
      if (title === '') recording.title = previous.title;
    },
  }),
] as const satisfies readonly Defect[];
