import type { Recording } from '../world/records.ts';
import type { FaultLine } from './fault.ts';
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

const retitled: FaultLine[] = (
  [
    ['title-truncated', 'An update cuts the title after 64 characters.', (title) => title.slice(0, 64)],
    ['title-cut-at-255', 'An update cuts the title after 255 characters.', (title) => title.slice(0, 255)],
    ['title-trimmed', 'White space around a title is lost.', (title) => title.trim()],
    [
      'title-spaces-collapsed',
      'White space inside a title becomes one space.',
      (title) => title.replaceAll(/(?<=\S)\s+(?=\S)/g, ' '),
    ],
    [
      'title-line-breaks',
      'Line breaks in a title are changed to those of Unix.',
      (title) => title.replaceAll('\r\n', '\n'),
    ],
    [
      'title-escaped',
      'Markup in a title is escaped for HTML.',
      (title) => title.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign),
    ],
    ['title-tags-stripped', 'Tags in a title are taken out.', withoutTags],
    [
      'title-percent-decoded',
      'Percent escapes in a title are decoded.',
      (title) => title.replaceAll(/%[0-9A-F]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))),
    ],
    ['title-backslashes-lost', 'Backslashes in a title are lost.', (title) => title.replaceAll('\\', '')],
    ['title-normalised', 'A title is brought into Unicode normalisation form C.', (title) => title.normalize('NFC')],
    ['title-decomposed', 'A title is brought into Unicode normalisation form D.', (title) => title.normalize('NFD')],
    [
      'title-without-emoji',
      'Characters beyond the basic plane become question marks.',
      (title) => title.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'),
    ],
    [
      'title-latin-only',
      'Characters beyond Latin-1 become question marks.',
      (title) => title.replaceAll(/[\u{100}-\u{10ffff}]/gu, '?'),
    ],
    ['title-lower-cased', 'A title is written in lower case.', (title) => title.toLowerCase()],
    [
      'title-leading-zeros',
      'A title of digits loses its zeros at the start.',
      (title) => (/^0\d+$/.test(title) ? String(Number(title)) : title),
    ],
    ['title-null-lost', 'The title null becomes an empty one.', (title) => (title === 'null' ? '' : title)],
  ] satisfies [string, string, (title: string) => string][]
).map(([id, description, change]) => [id, ['REC-22'], description, retitling(change)]);

/** Hooks that let an update be answered with the title that was sent, whatever is stored. */
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

/** Hooks that answer an update with the title as it was before. */
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

/** Faults of what becomes of a title. */
export const titleFaults: readonly FaultLine[] = [
  ...retitled,
  [
    'title-ignored',
    ['REC-22'],
    'The title that is sent is ignored.',
    retitling((_title, world) => [...world.store.recordings.all()][0]?.title ?? ''),
  ],
  ['title-answered-late', ['REC-22'], 'An update answers the title as it was before.', answeringOldTitle],
  [
    'title-as-number',
    ['REC-22'],
    'A title of digits is answered as a number.',
    {
      bodies: {
        updateRecording: (body) => (/^\d+$/.test(String(body.title)) ? { ...body, title: Number(body.title) } : body),
      },
    },
  ],
  ['title-not-kept', ['REC-23'], 'A title is answered, and not stored.', answeringSentTitle((before) => before.title)],
  [
    'title-kept-as-ascii',
    ['REC-23'],
    'A title is answered as it was sent, and stored in ASCII.',
    answeringSentTitle((_before, sent) => sent.replaceAll(/[^\x20-\x7e]/g, '?')),
  ],
  [
    'title-kept-short',
    ['REC-23'],
    'A title is answered as it was sent, and stored in 200 characters.',
    answeringSentTitle((_before, sent) => sent.slice(0, 200)),
  ],
];
