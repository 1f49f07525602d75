import { asText, hasMember, memberOf } from '../../../contract-tests/values/json.ts';
import { recordFields } from '../generated/data.js';
import { apiError } from '../operations/api-error.ts';
import type { Caller } from '../operations/caller.ts';
import { type Recording, recordingStatuses } from '../world/records.ts';
import { asking, inRecording, on, presenting, recordingOf, sentOf, storing, type Update } from './change.ts';
import { accepting, administrator, refuseToken } from './credentials.ts';
import { each, family, type HookContext, type Hooks } from './fault.ts';
import { titleFaults } from './titles.ts';

/** Hooks under which an earlier title is back a while after it was replaced. */
const reverting = (afterMs: number): Hooks =>
  storing(({ before, after, sent, world, remember }) => {
    const replaced = remember(() => new Map<string, { title: string; at: number }>());
    const known = replaced.get(after.id);
    if (typeof sent.title === 'string' && sent.title !== before.title)
      replaced.set(after.id, { title: before.title, at: world.clock.now() });
    if (known === undefined || 'title' in sent || world.clock.now() - known.at < afterMs) return undefined;
    replaced.delete(after.id);
    return { title: known.title };
  });

/** Hooks under which a member's update is answered, and stored in the recording that was updated before it. */
const landingElsewhere = on('updateRecording', (context) => {
  const { world, request, run, remember } = context;
  const last = remember((): { id?: string } => ({}));
  const before = recordingOf(context);
  const elsewhere = world.store.recordings.get(last.id ?? '');
  const response = run();
  const after = recordingOf(context);
  if (after) last.id = after.id;
  if (request.caller?.user.administrator !== false || !before || !after || !elsewhere) return undefined;
  if (elsewhere.id === after.id || after.title === before.title) return undefined;
  world.store.recordings.put(before);
  world.store.recordings.put({ ...elsewhere, title: after.title });
  return response;
});

/** Hooks under which the first update after a refused one is answered, and not stored. */
const forgettingAfterRefusal = (): Hooks => {
  const stateOf = ({ remember }: Pick<HookContext, 'remember'>) => remember(() => ({ isRefused: false }));
  return {
    ...storing((update) => {
      const { before, after } = update;
      if (!stateOf(update).isRefused) return undefined;
      stateOf(update).isRefused = false;
      return before.title === after.title ? undefined : { title: before.title };
    }),
    ...presenting(({ status }, context) => {
      const { operation, request } = context;
      if (operation === 'updateRecording' && status >= 400 && request.caller) stateOf(context).isRefused = true;
      return undefined;
    }),
  };
};

/** Hooks that refuse a request only after the title was written. */
const writtenBeforeRefusal = (): Hooks => {
  const impostors = new WeakSet<Caller>();
  return {
    ...accepting(({ world }) => {
      const impostor = administrator(world);
      if (impostor) impostors.add(impostor);
      return impostor;
    }),
    ...on('all', ({ world, request, run }) => {
      if (!request.caller || !impostors.has(request.caller)) return undefined;
      if ('title' in sentOf(request)) run();
      return refuseToken(world);
    }),
  };
};

const isNested = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some((item) => typeof item === 'object' && item !== null)
    : typeof value === 'object' && value !== null && Object.values(value).some(isNested);

/** The members that no update writes and their requirements; `id` is written in another way. */
const readOnly = Object.entries(recordFields.Recording ?? {}).flatMap(([name, { readOnly: requirement }]) =>
  requirement && name !== 'id' ? [[name, requirement] as const] : [],
);
const allReadOnly = readOnly.map(([, requirement]) => requirement).join(' ');

/** The value that was sent for a field, if it is valid: a fault must not cause other violations. */
function sentFor(name: string, { before, sent, world: { answers } }: Update): Partial<Recording> | undefined {
  const value = memberOf(sent, name);
  if (typeof value !== typeof before[name as keyof Recording]) return undefined;
  if (name === 'created_at' || name === 'updated_at') {
    const time = Date.parse(asText(value));
    return Number.isNaN(time) ? undefined : { [name]: new Date(time).toISOString() };
  }
  const isListed = name === 'method' || name === 'quality' || name === 'language';
  const listed: readonly string[] = isListed ? answers.get(`${name}-values`) : recordingStatuses;
  return (isListed || name === 'status') && !listed.includes(asText(value)) ? undefined : { [name]: value };
}

const writableFields = readOnly.map(([name, requirement]) => [
  `${name.replaceAll('_', '-')}-writable ${requirement}${name === 'status' ? ' REC-40' : ''}: An update also writes ${name}.`,
  storing((update) => sentFor(name, update)),
]);

export const stateFaults = family('state', {
  ...titleFaults,
  ...Object.fromEntries(writableFields),
  'id-writable REC-30: An update also writes id.': on('updateRecording', (context) => {
    const { world, request, run } = context;
    const { id } = sentOf(request);
    if (typeof id !== 'string' || id === recordingOf(context)?.id) return undefined;
    const { body } = run();
    const after = recordingOf(context);
    if (!after) return undefined;
    world.store.recordings.delete(after.id);
    world.store.recordings.put({ ...after, id });
    return { body: { ...sentOf({ body }), id } };
  }),
  [`read-only-echoed ${allReadOnly}: An update returns all fields that were sent, but stores only the writable ones.`]:
    inRecording((body, { request }) =>
      Object.fromEntries(Object.entries(sentOf(request)).filter(([name]) => hasMember(body, name))),
    ),
  'title-reverts-later REC-23: An earlier title is back one second after an update of it.': reverting(1000),
  'title-lost-after-refusal REC-22 REC-23: The title of the first update after a refused one is not stored.':
    forgettingAfterRefusal(),
  "member-update-elsewhere REC-24 REC-23: A member's title is stored in the recording that was updated before.":
    landingElsewhere,
  'refused-update-written AUT-11: An update with invalid credentials is refused but still written.':
    writtenBeforeRefusal(),
  'nested-analysis-fails REC-05: An update with an analysis that holds lists of objects fails.': on(
    'updateRecording',
    ({ world, request }) => {
      if (isNested(sentOf(request).analysis)) throw apiError(world.answers, 'internal', 'Something went wrong.');
      return undefined;
    },
  ),
  'quality-null-for-members REC-15: An update by a member is answered with the quality null.': inRecording(
    (_body, { request }) => (request.caller?.user.administrator === false ? { quality: null } : undefined),
  ),
  'invalid-update-written AUT-11: The title of an invalid update is refused but still written.': presenting(
    (answer, context) => {
      const { title } = sentOf(context.request);
      const isRefused = context.operation === 'updateRecording' && answer.status >= 400 && context.request.caller;
      const recording = isRefused && recordingOf(context);
      if (!recording || typeof title !== 'string' || !context.isDue()) return undefined;
      context.world.store.recordings.put({ ...recording, title });
      return answer;
    },
  ),
  'notes-not-stored REC-41: Summary, analysis and knowledge-base links are accepted but not stored.': asking(
    'updateRecording',
    (request) => {
      const { summary: _, analysis: __, kb_folder_id: ___, kb_document_id: ____, ...body } = sentOf(request);
      return { body };
    },
  ),
  ...each(storing, {
    'quality-writable-alone REC-34: quality is written if it is the only field sent.': (update) =>
      Object.keys(update.sent).length === 1 ? sentFor('quality', update) : undefined,
    'language-writable-with-title REC-35: language is written if a title is sent as well.': (update) =>
      'title' in update.sent ? sentFor('language', update) : undefined,
    'title-lost-with-long-summary REC-22 REC-23: A title is not stored with a summary of more than 255 characters.': (
      update,
    ) =>
      'title' in update.sent && asText(update.sent.summary).length > 255 ? { title: update.before.title } : undefined,
    'update-wipes-title REC-24 REC-23: An update without a title clears the title, as with PUT.': ({ sent }) =>
      'title' in sent ? undefined : { title: '' },
    'summary-becomes-title REC-24 REC-23: An update of summary replaces the title.': ({ sent: { summary } }) =>
      typeof summary === 'string' ? { title: summary } : undefined,
    'title-renames-file REC-24: An update of title changes the filename.': ({ sent: { title } }) =>
      typeof title === 'string' ? { filename: `${title.slice(0, 20)}.wav` } : undefined,
    'analysis-sets-language REC-24: An update of analysis changes the language.': ({ before: { language }, sent }) =>
      'analysis' in sent ? { language: language === 'en' ? 'de' : 'en' } : undefined,
    'folder-flips-diarization REC-24: An update of kb_folder_id toggles diarization_enabled.': ({ before, sent }) =>
      'kb_folder_id' in sent ? { diarization_enabled: !before.diarization_enabled } : undefined,
    'document-lowers-quality REC-24: An update of kb_document_id changes the quality.': ({ before, sent }) =>
      'kb_document_id' in sent ? { quality: before.quality === 'draft' ? 'standard' : 'draft' } : undefined,
    // On each update: a single change would be invisible, since nothing reads the status beforehand.
    'update-flips-status REC-40 REC-24: Each update toggles the status between completed and failed.': (update) => ({
      status: update.before.status === 'completed' ? 'failed' : 'completed',
    }),
    'analysis-restarts REC-40: An update of analysis restarts processing.': ({ sent }) =>
      'analysis' in sent ? { status: 'processing' } : undefined,
  }),
});
