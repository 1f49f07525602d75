import type { Recording } from '../world/records.ts';
import { inRecording } from './bodies.ts';
import type { FaultRow } from './fault.ts';
import type { Hooks } from './hooks.ts';
import { recordingOf, retitling, sentOf } from './tools.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Splits instead of matching: a pattern from each `<` to the next `>` takes hours for a megabyte of `<`. */
function withoutTags(title: string): string {
  const parts = title.split('>');
  const last = parts.pop() ?? '';
  const kept = parts.map((part) => (part.includes('<') ? part.slice(0, part.indexOf('<')) : `${part}>`));
  return kept.join('') + last;
}

const retitled: FaultRow[] = (
  [
    ['title-truncated', 'A title is truncated to 64 characters.', (title) => title.slice(0, 64)],
    ['title-cut-at-255', 'A title is truncated to 255 characters.', (title) => title.slice(0, 255)],
    ['title-without-bom', 'Byte order marks in a title are removed.', (title) => title.replaceAll('\ufeff', '')],
    [
      'title-without-direction',
      'Marks of writing direction in a title are removed.',
      (title) => title.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''),
    ],
    [
      'title-without-controls',
      'Control characters in a title are removed.',
      (title) => title.replaceAll(/(?![\t\r\n])\p{Cc}/gu, ''),
    ],
    ['title-cut-at-4000', 'A title is truncated to 4,000 characters.', (title) => title.slice(0, 4000)],
    ['title-trimmed', 'White space around a title is removed.', (title) => title.trim()],
    [
      'title-spaces-collapsed',
      'White space inside a title is collapsed.',
      (title) => title.replaceAll(/(?<=\S)\s+(?=\S)/g, ' '),
    ],
    ['title-line-breaks', 'Line breaks in a title are converted to LF.', (title) => title.replaceAll('\r\n', '\n')],
    [
      'title-escaped',
      'Markup in a title is escaped as HTML.',
      (title) => title.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign),
    ],
    ['title-tags-stripped', 'Tags in a title are removed.', withoutTags],
    [
      'title-percent-decoded',
      'Percent escapes in a title are decoded.',
      (title) => title.replaceAll(/%[0-9A-F]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))),
    ],
    ['title-backslashes-lost', 'Backslashes in a title are removed.', (title) => title.replaceAll('\\', '')],
    ['title-normalised', 'A title is normalized to Unicode NFC.', (title) => title.normalize('NFC')],
    ['title-decomposed', 'A title is normalized to Unicode NFD.', (title) => title.normalize('NFD')],
    [
      'title-without-emoji',
      'Characters beyond the basic plane are replaced by question marks.',
      (title) => title.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'),
    ],
    [
      'title-latin-only',
      'Characters beyond Latin-1 are replaced by question marks.',
      (title) => title.replaceAll(/[\u{100}-\u{10ffff}]/gu, '?'),
    ],
    ['title-lower-cased', 'A title is converted to lower case.', (title) => title.toLowerCase()],
    [
      'title-leading-zeros',
      'A title of digits loses its leading zeros.',
      (title) => (/^0\d+$/.test(title) ? String(Number(title)) : title),
    ],
    ['title-null-lost', 'The title null becomes empty.', (title) => (title === 'null' ? '' : title)],
  ] satisfies [string, string, (title: string) => string][]
).map(([id, description, change]) => [id, ['REC-22'], description, retitling(change)]);

/** Hooks that return the title that was sent, but store another one. */
const answeringSentTitle = (stored: (before: Recording, sent: string) => string): Hooks => ({
  operations: {
    updateRecording: (world, request, run) => {
      const before = recordingOf(world, request);
      const response = run();
      const { title } = sentOf(request);
      const after = recordingOf(world, request);
      if (!before || !after || typeof title !== 'string' || stored(before, title) === title) return undefined;
      world.store.recordings.put({ ...after, title: stored(before, title) });
      return response;
    },
  },
});

/** Hooks that return the previous title. */
const answeringOldTitle: Hooks = {
  operations: {
    updateRecording: (world, request, run) => {
      const before = recordingOf(world, request);
      const { body } = run();
      const isNew = before && 'title' in sentOf(request) && sentOf({ body }).title !== before.title;
      return isNew ? { body: { ...sentOf({ body }), title: before.title } } : undefined;
    },
  },
};

/** Faults of storing and returning a title. */
export const titleFaults: readonly FaultRow[] = [
  ...retitled,
  [
    'title-ignored',
    ['REC-22'],
    'An update of title is ignored.',
    retitling((_title, world) => [...world.store.recordings.all()][0]?.title ?? ''),
  ],
  ['title-answered-late', ['REC-22'], 'An update returns the previous title.', answeringOldTitle],
  [
    'title-as-number',
    ['REC-22'],
    'A title of digits is returned as a number.',
    inRecording(({ title }) => (/^\d+$/.test(String(title)) ? { title: Number(title) } : {})),
  ],
  ['title-not-kept', ['REC-23'], 'A title is returned but not stored.', answeringSentTitle((before) => before.title)],
  [
    'title-kept-as-ascii',
    ['REC-23'],
    'A title is returned as sent, but stored in ASCII.',
    answeringSentTitle((_before, sent) => sent.replaceAll(/[^\x20-\x7e]/g, '?')),
  ],
  [
    'title-kept-short',
    ['REC-23'],
    'A title is returned as sent, but stored truncated to 200 characters.',
    answeringSentTitle((_before, sent) => sent.slice(0, 200)),
  ],
];
