import { apiError } from '../operations/api-error.ts';
import type { Caller } from '../operations/operation.ts';
import { administratorOf } from './credentials.ts';
import { family } from './fault.ts';
import type { Hooks } from './hooks.ts';
import { readOnlyFieldFaults } from './read-only-fields.ts';
import { titleFaults } from './titles.ts';
import { on, recordingOf, sentOf, storing } from './tools.ts';

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
  ...titleFaults,
  ...readOnlyFieldFaults,
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
