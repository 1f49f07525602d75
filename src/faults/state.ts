import { apiError } from '../operations/api-error.ts';
import type { Caller } from '../operations/operation.ts';
import { type Recording, recordingStatuses } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { administratorOf } from './credentials.ts';
import { type FaultLine, family } from './fault.ts';
import type { Body, Hooks } from './hooks.ts';
import { on, recordingOf, retitling, sentOf, storing } from './tools.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

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
    ['title-tags-stripped', 'Tags in a title are taken out.', (title) => title.replaceAll(/<[^>]*>/g, '')],
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

const readOnly = {
  filename: 'REC-31',
  status: 'REC-32',
  method: 'REC-33',
  quality: 'REC-34',
  language: 'REC-35',
  diarization_enabled: 'REC-36',
  user_id: 'REC-37',
  created_at: 'REC-38',
  updated_at: 'REC-39',
} as const;
type ReadOnly = keyof typeof readOnly;

/** What was sent for a field, where the field may have it: a fault must not make the mock break in another way. */
function sentFor(name: ReadOnly, before: Recording, sent: Body, { answers }: World): Partial<Recording> | undefined {
  const value = sent[name];
  if (typeof value !== typeof before[name]) return undefined;
  if (name === 'created_at' || name === 'updated_at') {
    const time = Date.parse(String(value));
    return Number.isNaN(time) ? undefined : { [name]: new Date(time).toISOString() };
  }
  const vocabulary = name === 'status' ? recordingStatuses : vocabularyOf(name, answers);
  return vocabulary && !vocabulary.includes(String(value)) ? undefined : { [name]: value };
}

function vocabularyOf(name: ReadOnly, answers: World['answers']): readonly string[] | undefined {
  if (name === 'method' || name === 'quality' || name === 'language') return answers.get(`${name}-values`);
  return undefined;
}

const writableToo: FaultLine[] = Object.entries(readOnly).map(([name, requirement]) => [
  `${name.replaceAll('_', '-')}-writable`,
  [requirement, ...(name === 'status' ? ['REC-40'] : [])],
  `An update writes ${name} too.`,
  storing((before, _after, sent, world) => sentFor(name as ReadOnly, before, sent, world)),
]);

/** Hooks under which a refusal comes too late: the title was written by then. */
const writtenThoughRefused = (): Hooks => {
  const impostors = new WeakSet<Caller>();
  return {
    authenticate: (world, _authorization, faithful) => {
      try {
        faithful();
        return undefined;
      } catch (error) {
        const admin = administratorOf(world);
        if (!admin) throw error;
        const impostor: Caller = { user: admin, via: 'jwt' };
        impostors.add(impostor);
        return impostor;
      }
    },
    operations: on(
      ['updateRecording', 'listTenantApiKeys', 'listTokenScopes', 'createApiToken'],
      (world, request, run) => {
        if (!request.caller || !impostors.has(request.caller)) return undefined;
        if ('title' in sentOf(request)) run();
        throw apiError(world.answers, 'invalid-credentials', 'The token is not valid.');
      },
    ),
  };
};

/** Faults of what is kept. */
export const stateFaults = family('state', [
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
  [
    'update-wipes-title',
    ['REC-24', 'REC-23'],
    'An update without a title empties the title, as in a PUT.',
    storing((_before, _after, sent) => ('title' in sent ? undefined : { title: '' })),
  ],
  [
    'summary-becomes-title',
    ['REC-24', 'REC-23'],
    'A summary that is sent replaces the title.',
    storing((_before, _after, sent) => (typeof sent.summary === 'string' ? { title: sent.summary } : undefined)),
  ],
  [
    'title-renames-file',
    ['REC-24'],
    'A title that is sent renames the file.',
    storing((_before, after, sent) =>
      typeof sent.title === 'string' ? { filename: `${after.title.slice(0, 20)}.wav` } : undefined,
    ),
  ],
  [
    'analysis-sets-language',
    ['REC-24'],
    'An analysis that is sent turns the language into another.',
    storing((before, _after, sent) =>
      'analysis' in sent ? { language: before.language === 'en' ? 'de' : 'en' } : undefined,
    ),
  ],
  [
    'folder-flips-diarization',
    ['REC-24'],
    'A kb_folder_id that is sent turns diarization_enabled over.',
    storing((before, _after, sent) =>
      'kb_folder_id' in sent ? { diarization_enabled: !before.diarization_enabled } : undefined,
    ),
  ],
  [
    'document-lowers-quality',
    ['REC-24'],
    'A kb_document_id that is sent turns the quality into another.',
    storing((before, _after, sent) =>
      'kb_document_id' in sent ? { quality: before.quality === 'draft' ? 'standard' : 'draft' } : undefined,
    ),
  ],
  ...writableToo,
  [
    'id-writable',
    ['REC-30'],
    'An update writes id too.',
    {
      operations: {
        updateRecording: (world, request, run) => {
          const { id } = sentOf(request);
          if (typeof id !== 'string' || id === recordingOf(world, request)?.id) return undefined;
          const { body } = run();
          const after = recordingOf(world, request);
          if (!after) return undefined;
          world.store.recordings.delete(after.id);
          world.store.recordings.put({ ...after, id });
          return { body: { ...sentOf({ body }), id } };
        },
      },
    },
  ],
  [
    'read-only-echoed',
    Object.values(readOnly),
    'An update answers whatever was sent, though it stores only what is writable.',
    {
      bodies: {
        updateRecording: (body, { request }) => ({
          ...body,
          ...Object.fromEntries(Object.entries(sentOf(request)).filter(([name]) => name in body)),
        }),
      },
    },
  ],
  [
    'quality-writable-alone',
    ['REC-34'],
    'quality is written where it is sent alone.',
    storing((before, _after, sent, world) =>
      Object.keys(sent).length === 1 ? sentFor('quality', before, sent, world) : undefined,
    ),
  ],
  [
    'language-writable-with-title',
    ['REC-35'],
    'language is written where a title is sent with it.',
    storing((before, _after, sent, world) => ('title' in sent ? sentFor('language', before, sent, world) : undefined)),
  ],
  [
    'update-flips-status',
    ['REC-40', 'REC-24'],
    'Each update turns the status from completed to failed, or back.',
    // Each time: a status that moved only once would look the same ever after, and nothing reads it beforehand.
    storing((before) => ({ status: before.status === 'completed' ? 'failed' : 'completed' })),
  ],
  [
    'analysis-restarts',
    ['REC-40'],
    'An analysis that is sent starts the processing anew.',
    storing((_before, _after, sent) => ('analysis' in sent ? { status: 'processing' } : undefined)),
  ],
  [
    'title-fails-recording',
    ['REC-40'],
    'A title that is sent turns the status to failed, a summary back.',
    storing((_before, _after, sent) => ({ status: 'title' in sent ? 'failed' : 'completed' })),
  ],
  [
    'refused-update-written',
    ['AUT-11'],
    'An update with bad credentials is refused, and written all the same.',
    writtenThoughRefused(),
  ],
  [
    'invalid-update-written',
    ['AUT-11'],
    'The title of an update that is refused as invalid is written all the same.',
    {
      present: (answer, { world, operation, request }) => {
        const { title } = sentOf(request);
        if (
          operation !== 'updateRecording' ||
          answer.status < 400 ||
          !request.caller ||
          !request.params ||
          typeof title !== 'string'
        )
          return undefined;
        const recording = recordingOf(world, { params: request.params });
        if (!recording) return undefined;
        world.store.recordings.put({ ...recording, title });
        return answer;
      },
    },
  ],
  [
    'notes-not-stored',
    ['REC-41'],
    'Summary, analysis and knowledge-base links are taken, and not stored.',
    storing((before, after) => {
      const { summary: _s, analysis: _a, kb_folder_id: _f, kb_document_id: _d, ...kept } = after;
      const { summary, analysis, kb_folder_id, kb_document_id } = before;
      return {
        ...kept,
        ...(summary !== undefined && { summary }),
        ...(analysis !== undefined && { analysis }),
        ...(kb_folder_id !== undefined && { kb_folder_id }),
        ...(kb_document_id !== undefined && { kb_document_id }),
      };
    }),
  ],
]);
