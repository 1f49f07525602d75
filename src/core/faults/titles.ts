import { asNumber, asText, memberOf } from '../../../contract-tests/values/json.ts';
import { asking, inRecording, sentOf, updating } from './change.ts';
import { each, type Hooks } from './fault.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Splits instead of matching: a pattern from each `<` to the next `>` takes hours for a megabyte of `<`. */
function withoutTags(title: string): string {
  const parts = title.split('>');
  const last = parts.pop() ?? '';
  const kept = parts.map((part) => (part.includes('<') ? part.slice(0, part.indexOf('<')) : `${part}>`));
  return kept.join('') + last;
}

/** Hooks that change the title between the request and the store. */
const retitling = (change: (title: string) => string): Hooks =>
  asking('updateRecording', (request) => {
    const sent = sentOf(request);
    const title = typeof sent.title === 'string' ? change(sent.title) : sent.title;
    return title === sent.title ? undefined : { body: { ...sent, title } };
  });

/** Hooks that return the title that was sent, but store another one. */
const keeping = (stored: (sent: string, before: string) => string): Hooks =>
  updating(({ before, sent: { title } }) => {
    const kept = typeof title === 'string' ? stored(title, before.title) : title;
    return kept === title ? undefined : { stored: { title: kept as string } };
  });

export const titleFaults = {
  ...each(retitling, {
    'title-truncated REC-22: A title is truncated to 64 characters.': (title) => title.slice(0, 64),
    'title-cut-at-255 REC-22: A title is truncated to 255 characters.': (title) => title.slice(0, 255),
    'title-cut-at-4000 REC-22: A title is truncated to 4,000 characters.': (title) => title.slice(0, 4000),
    'title-without-bom REC-22: Byte order marks in a title are removed.': (title) => title.replaceAll('\ufeff', ''),
    'title-without-direction REC-22: Marks of writing direction in a title are removed.': (title) =>
      title.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''),
    'title-without-controls REC-22: Control characters in a title are removed.': (title) =>
      title.replaceAll(/(?![\t\r\n])\p{Cc}/gu, ''),
    'title-trimmed REC-22: White space around a title is removed.': (title) => title.trim(),
    'title-spaces-collapsed REC-22: White space inside a title is collapsed.': (title) =>
      title.replaceAll(/(?<=\S)\s+(?=\S)/g, ' '),
    'title-line-breaks REC-22: Line breaks in a title are converted to LF.': (title) => title.replaceAll('\r\n', '\n'),
    'title-escaped REC-22: Markup in a title is escaped as HTML.': (title) =>
      title.replaceAll(/[&<>"]/g, (sign) => memberOf(entities, sign) ?? sign),
    'title-tags-stripped REC-22: Tags in a title are removed.': withoutTags,
    'title-percent-decoded REC-22: Percent escapes in a title are decoded.': (title) =>
      title.replaceAll(/%[0-9A-F]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))),
    'title-backslashes-lost REC-22: Backslashes in a title are removed.': (title) => title.replaceAll('\\', ''),
    'title-normalised REC-22: A title is normalized to Unicode NFC.': (title) => title.normalize('NFC'),
    'title-decomposed REC-22: A title is normalized to Unicode NFD.': (title) => title.normalize('NFD'),
    'title-without-emoji REC-22: Characters beyond the basic plane are replaced by question marks.': (title) =>
      title.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'),
    'title-latin-only REC-22: Characters beyond Latin-1 are replaced by question marks.': (title) =>
      title.replaceAll(/[\u{100}-\u{10ffff}]/gu, '?'),
    'title-lower-cased REC-22: A title is converted to lower case.': (title) => title.toLowerCase(),
    'title-leading-zeros REC-22: A title of digits loses its leading zeros.': (title) =>
      /^0\d+$/.test(title) ? String(Number(title)) : title,
    'title-null-lost REC-22: The title null becomes empty.': (title) => (title === 'null' ? '' : title),
  }),
  ...each(keeping, {
    'title-not-kept REC-23: A title is returned but not stored.': (_sent, before) => before,
    'title-kept-as-ascii REC-23: A title is returned as sent, but stored in ASCII.': (sent) =>
      sent.replaceAll(/[^\x20-\x7e]/g, '?'),
    'title-kept-short REC-23: A title is returned as sent, but stored truncated to 200 characters.': (sent) =>
      sent.slice(0, 200),
    'title-same-number REC-23: A title that is the same number as the one before is returned but not stored.': (
      sent,
      before,
    ) => (sent.trim() !== '' && Number(sent) === Number(before) ? before : sent),
  }),
  'title-ignored REC-22: An update of title is ignored.': asking('updateRecording', (request, { world }) => {
    const { title } = [...world.store.recordings.all()][0] ?? {};
    return 'title' in sentOf(request) ? { body: { ...sentOf(request), title } } : undefined;
  }),
  'title-answered-late REC-22: An update returns the previous title.': updating(({ before: { title }, after, sent }) =>
    'title' in sent && after.title !== title ? { shown: { title } } : undefined,
  ),
  'title-from-query REC-22: A title in the query is written instead of the one in the body.': asking(
    'updateRecording',
    (request) => ('title' in request.query ? { body: { ...sentOf(request), title: request.query.title } } : undefined),
  ),
  'title-as-number REC-22: A title of digits is returned as a number.': inRecording(({ title }) =>
    /^\d+$/.test(asText(title)) ? { title: asNumber(title) } : undefined,
  ),
};
