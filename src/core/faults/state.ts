import type { Caller } from '../operations/operation.ts';
import { accepting, administratorOf, protectedIds, refuseToken } from './credentials.ts';
import { family } from './fault.ts';
import type { Hooks } from './hooks.ts';
import { readOnlyFieldFaults } from './read-only-fields.ts';
import { titleFaults } from './titles.ts';
import { on, recordingOf, sentOf, storing } from './tools.ts';
import { conditionalUpdateFaults } from './update-conditions.ts';

/** Hooks that refuse a request only after the title was written. */
const writtenBeforeRefusal = (): Hooks => {
  const impostors = new WeakSet<Caller>();
  return {
    ...accepting((world) => {
      const user = administratorOf(world);
      if (!user) return undefined;
      const impostor: Caller = { user, via: 'jwt' };
      impostors.add(impostor);
      return impostor;
    }),
    operations: on(protectedIds, (world, request, run) => {
      if (!request.caller || !impostors.has(request.caller)) return undefined;
      if ('title' in sentOf(request)) run();
      return refuseToken(world);
    }),
  };
};

/** Faults of stored state. */
export const stateFaults = family('state', [
  ...titleFaults,
  ...conditionalUpdateFaults,
  ...readOnlyFieldFaults,
  [
    'update-wipes-title',
    ['REC-24', 'REC-23'],
    'An update without a title clears the title, as with PUT.',
    storing((_before, _after, sent) => ('title' in sent ? undefined : { title: '' })),
  ],
  [
    'summary-becomes-title',
    ['REC-24', 'REC-23'],
    'An update of summary replaces the title.',
    storing((_before, _after, sent) => (typeof sent.summary === 'string' ? { title: sent.summary } : undefined)),
  ],
  [
    'title-renames-file',
    ['REC-24'],
    'An update of title changes the filename.',
    storing((_before, after, sent) =>
      typeof sent.title === 'string' ? { filename: `${after.title.slice(0, 20)}.wav` } : undefined,
    ),
  ],
  [
    'analysis-sets-language',
    ['REC-24'],
    'An update of analysis changes the language.',
    storing((before, _after, sent) =>
      'analysis' in sent ? { language: before.language === 'en' ? 'de' : 'en' } : undefined,
    ),
  ],
  [
    'folder-flips-diarization',
    ['REC-24'],
    'An update of kb_folder_id toggles diarization_enabled.',
    storing((before, _after, sent) =>
      'kb_folder_id' in sent ? { diarization_enabled: !before.diarization_enabled } : undefined,
    ),
  ],
  [
    'document-lowers-quality',
    ['REC-24'],
    'An update of kb_document_id changes the quality.',
    storing((before, _after, sent) =>
      'kb_document_id' in sent ? { quality: before.quality === 'draft' ? 'standard' : 'draft' } : undefined,
    ),
  ],
  [
    'update-flips-status',
    ['REC-40', 'REC-24'],
    'Each update toggles the status between completed and failed.',
    // On each update: a single change would be invisible, since nothing reads the status beforehand.
    storing((before) => ({ status: before.status === 'completed' ? 'failed' : 'completed' })),
  ],
  [
    'analysis-restarts',
    ['REC-40'],
    'An update of analysis restarts processing.',
    storing((_before, _after, sent) => ('analysis' in sent ? { status: 'processing' } : undefined)),
  ],
  [
    'title-fails-recording',
    ['REC-40'],
    'An update of title sets the status to failed, any other to completed.',
    storing((_before, _after, sent) => ({ status: 'title' in sent ? 'failed' : 'completed' })),
  ],
  [
    'refused-update-written',
    ['AUT-11'],
    'An update with invalid credentials is refused but still written.',
    writtenBeforeRefusal(),
  ],
  [
    'invalid-update-written',
    ['AUT-11'],
    'The title of an invalid update is refused but still written.',
    {
      present: (answer, { world, operation, request, isDue }) => {
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
        if (!recording || !isDue()) return undefined;
        world.store.recordings.put({ ...recording, title });
        return answer;
      },
    },
  ],
  [
    'notes-not-stored',
    ['REC-41'],
    'Summary, analysis and knowledge-base links are accepted but not stored.',
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
