/** What the update of a recording can do wrong to the recording. */
import { extname } from 'node:path';
import { changes, kindOf, sentBy } from './answering.ts';
import { type Defect, defect, type Hooks } from './hooks.ts';
import { type Call, type JsonObject, Refusal } from './http.ts';

const WRITABLE = [
  ['title', 'REC-01'],
  ['kb_folder_id', 'REC-02'],
  ['kb_document_id', 'REC-03'],
  ['summary', 'REC-04'],
  ['analysis', 'REC-05'],
] as const;

const READ_ONLY = [
  ['id', ['REC-30']],
  ['filename', ['REC-31']],
  ['status', ['REC-32', 'REC-40']],
  ['method', ['REC-33']],
  ['quality', ['REC-34']],
  ['language', ['REC-35']],
  ['diarization_enabled', ['REC-36']],
  ['user_id', ['REC-37']],
  ['created_at', ['REC-38']],
] as const;

/** Those that the disposable recording does not have. */
const STATUSES = ['pending', 'processing', 'failed'] as const;

/** Refuses updates with some sets of fields. */
export const refusing = kindOf((unfit: (sent: JsonObject) => boolean) => ({
  checkUpdate: (sent) => {
    if (unfit(sent)) throw new Refusal(422, 'this update is not possible');
  },
}));

/** Writes the title of some updates although they are refused. */
export const writesTitle = (concerns: (call: Call, refusal: Refusal) => boolean | undefined): Hooks => ({
  refused: (call, refusal) => {
    const recording = call.app.store.recordings.get(call.param);
    const title = sentBy(call)?.title;
    if (recording && typeof title === 'string' && concerns(call, refusal)) recording.title = title;
  },
});

type Change = NonNullable<Hooks['updated']>;

/** Changes the recording after each update. */
const afterwards = kindOf((updated: Change) => ({ updated }));

/** Ignores unknown fields, and writes some of them after all. */
const writing = kindOf((updated: Change) => ({ ignoresUnknown: true, updated }));

const keepTitle: Change = (recording, previous) => {
  recording.title = previous.title;
};

export const UPDATE_DEFECTS = [
  ...WRITABLE.map(([field, requirement]) =>
    refusing(`update-refuses-${field}`, [requirement, 'REC-06'], `An update with ${field} is refused.`, (sent) => {
      return field in sent;
    }),
  ),
  ...READ_ONLY.map(([field, requirements]) =>
    defect(`update-writes-${field}`, requirements, `An update can change ${field}.`, { writable: [field] }),
  ),
  defect('update-writes-updated_at', ['REC-39'], 'An update can set updated_at.', { writable: ['updated_at'] }),
  refusing('update-refuses-many', ['REC-06'], 'An update of more than one field is refused.', (sent) => {
    return Object.keys(sent).length > 1;
  }),
  refusing(
    'update-demands-title',
    ['REC-02', 'REC-03', 'REC-04', 'REC-05'],
    'An update without a title is refused, as in a PUT.',
    (sent) => !('title' in sent),
  ),
  afterwards(
    'update-wipes-unsent-title',
    ['REC-24', 'REC-23'],
    'An update without a title empties the title, as in a PUT.',
    (recording, _previous, sent) => {
      if (!('title' in sent)) recording.title = '';
    },
  ),
  afterwards('update-title-not-written', ['REC-22'], 'The title sent is ignored.', keepTitle),
  defect('update-title-not-kept', ['REC-23'], 'The title sent is answered but not stored.', {
    updated: keepTitle,
    ...changes('update', ({ title }, call) => ({ title: sentBy(call)?.title ?? title })),
  }),
  afterwards(
    'update-flips-diarization',
    ['REC-24'],
    'Every update flips diarization_enabled.',
    (recording, previous) => {
      recording.diarization_enabled = !previous.diarization_enabled;
    },
  ),
  afterwards(
    'update-changes-created-at',
    ['REC-24', 'REC-38'],
    'Every update sets created_at to now.',
    (recording, _previous, _sent, { app }) => {
      recording.created_at = new Date(app.tokens.now()).toISOString();
    },
  ),
  afterwards(
    'update-changes-created-at-in-seconds',
    ['REC-24', 'REC-38'],
    'Every update sets created_at to the current second.',
    (recording, _previous, _sent, { app }) => {
      recording.created_at = `${new Date(app.tokens.now()).toISOString().slice(0, 19)}Z`;
    },
  ),
  afterwards(
    'update-changes-status',
    ['REC-40', 'REC-24'],
    'Every update moves the status on.',
    (recording, previous) => {
      const order = ['pending', 'processing', 'completed', 'failed'];
      recording.status = order[(order.indexOf(previous.status) + 1) % order.length] ?? 'pending';
    },
  ),
  ...STATUSES.map((status) =>
    writing(
      `update-writes-status-${status}`,
      ['REC-32', 'REC-40'],
      `An update can set the status to ${status} only.`,
      (recording, _previous, sent) => {
        if (sent.status === status) recording.status = status;
      },
    ),
  ),
  writing(
    'update-writes-owner-who-exists',
    ['REC-37'],
    'An update can give the recording to another existing user.',
    (recording, _previous, { user_id }, { app }) => {
      const user = app.store.users.find(({ id }) => id === user_id);
      if (user) recording.user_id = user.id;
    },
  ),
  writing(
    'update-writes-filename-of-same-type',
    ['REC-31'],
    'An update can change filename, but not its extension.',
    (recording, _previous, { filename }) => {
      if (typeof filename === 'string' && extname(filename) === extname(recording.filename))
        recording.filename = filename;
    },
  ),
  writing(
    'update-writes-created-at-in-own-form',
    ['REC-38'],
    'An update can set created_at, if it is in the form of the deployment.',
    (recording, _previous, { created_at }) => {
      const form = (time: string): string => time.replaceAll(/\d/g, '0');
      if (typeof created_at === 'string' && form(created_at) === form(recording.created_at))
        recording.created_at = created_at;
    },
  ),
  writing(
    'update-empties-language',
    ['REC-35'],
    'An update with a null language empties it.',
    (recording, _previous, { language }) => {
      if (language === null) recording.language = '';
    },
  ),
  defect('update-refused-yet-written', ['AUT-11'], 'An update refused for its credentials changes the title.', {
    ...writesTitle(({ headers }, { status }) => status === 401 || headers.authorization === undefined),
  }),
  defect('update-invalid-yet-written', ['AUT-11'], 'An update refused for a wrong field changes the title.', {
    ...writesTitle((_call, { status }) => status === 422),
  }),
] as const satisfies readonly Defect[];
