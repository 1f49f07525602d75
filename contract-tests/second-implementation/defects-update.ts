/** What the update of a recording can do wrong to the recording. */
import { extname } from 'node:path';
import { type Defect, defect, type Hooks } from './hooks.ts';
import { type Call, isObject, type JsonObject, parseJson, Refusal } from './http.ts';
import type { Recording } from './store.ts';

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

const refuseWhen = (unfit: (sent: JsonObject) => boolean): Hooks => ({
  checkUpdate: (sent) => {
    if (unfit(sent)) throw new Refusal(422, 'this update is not possible');
  },
});

/** Writes the title of an update that has been refused. */
function writeTitle(call: Call): void {
  const sent = parseJson(call.text);
  const recording = call.app.store.recordings.get(call.param);
  if (recording && isObject(sent) && typeof sent.title === 'string') recording.title = sent.title;
}

/** Takes whatever fields come along, and does something to the recording afterwards. */
const afterUpdate = (change: (recording: Recording, sent: JsonObject, call: Call) => void): Hooks => ({
  takesUnknown: true,
  updated: (recording, _previous, sent, call) => change(recording, sent, call),
});

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const UPDATE_DEFECTS = [
  ...WRITABLE.map(([field, requirement]) =>
    defect(
      `update-refuses-${field}`,
      [requirement, 'REC-06'],
      `An update with ${field} is refused.`,
      refuseWhen((sent) => field in sent),
    ),
  ),
  ...READ_ONLY.map(([field, requirements]) =>
    defect(`update-writes-${field}`, requirements, `An update can change ${field}.`, { writable: [field] }),
  ),
  defect('update-writes-updated_at', ['REC-39'], 'An update can set updated_at.', { writable: ['updated_at'] }),
  defect(
    'update-refuses-many',
    ['REC-06'],
    'An update of more than one field is refused.',
    refuseWhen((sent) => Object.keys(sent).length > 1),
  ),
  defect(
    'update-demands-title',
    ['REC-02', 'REC-03', 'REC-04', 'REC-05'],
    'An update without a title is refused, as in a PUT.',
    refuseWhen((sent) => !('title' in sent)),
  ),
  defect(
    'update-wipes-unsent-title',
    ['REC-24', 'REC-23'],
    'An update without a title empties the title, as in a PUT.',
    {
      updated: (recording, _previous, sent) => {
        if (!('title' in sent)) recording.title = '';
      },
    },
  ),
  defect('update-title-not-written', ['REC-22'], 'The title sent is ignored.', {
    updated: (recording, previous) => {
      recording.title = previous.title;
    },
  }),
  defect('update-title-not-kept', ['REC-23'], 'The title sent is answered but not stored.', {
    updated: (recording, previous) => {
      recording.title = previous.title;
    },
    reply: (reply, call) => {
      const sent = parseJson(call.text);
      if (call.op !== 'update' || !isObject(reply.body) || !isObject(sent) || !('title' in sent)) return reply;
      return { ...reply, body: { ...reply.body, title: sent.title } };
    },
  }),
  defect('update-title-trimmed', ['REC-22'], 'White space around a title gets lost.', { title: (sent) => sent.trim() }),
  defect('update-title-spaces-collapsed', ['REC-22'], 'White space inside a title is reduced to one space.', {
    title: (sent) => sent.replaceAll(/(?<=\S)\s{2,}(?=\S)/g, ' '),
  }),
  defect('update-title-truncated', ['REC-22'], 'A title is cut after 100 characters.', {
    title: (sent) => sent.slice(0, 100),
  }),
  defect('update-title-escaped', ['REC-22'], 'Markup in a title is HTML-escaped.', {
    title: (sent) => sent.replaceAll(/[&<>"]/g, (char) => ESCAPES[char] ?? char),
  }),
  defect('update-title-tags-stripped', ['REC-22'], 'Tags in a title are removed.', {
    title: (sent) => sent.replaceAll(/<[^>]*>/g, ''),
  }),
  defect('update-title-normalised', ['REC-22'], 'A title is brought into Unicode normalisation form C.', {
    title: (sent) => sent.normalize('NFC'),
  }),
  defect('update-title-without-emoji', ['REC-22'], 'Characters beyond the basic plane become question marks.', {
    title: (sent) => sent.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'),
  }),
  defect('update-flips-diarization', ['REC-24'], 'Every update flips diarization_enabled.', {
    updated: (recording, previous) => {
      recording.diarization_enabled = !previous.diarization_enabled;
    },
  }),
  defect('update-changes-created-at', ['REC-24', 'REC-38'], 'Every update sets created_at to the present time.', {
    updated: (recording) => {
      recording.created_at = new Date().toISOString();
    },
  }),
  defect(
    'update-changes-created-at-in-seconds',
    ['REC-24', 'REC-38'],
    'Every update sets created_at to the present second.',
    {
      updated: (recording) => {
        recording.created_at = `${new Date().toISOString().slice(0, 19)}Z`;
      },
    },
  ),
  ...STATUSES.map((status) =>
    defect(
      `update-writes-status-${status}`,
      ['REC-32', 'REC-40'],
      `An update can set the status to ${status}, and to no other.`,
      {
        ...afterUpdate((recording, sent) => {
          if (sent.status === status) recording.status = status;
        }),
      },
    ),
  ),
  defect('update-writes-owner-who-exists', ['REC-37'], 'An update can give the recording to another user who exists.', {
    ...afterUpdate((recording, { user_id }, { app }) => {
      const user = app.store.users.find(({ id }) => id === user_id);
      if (user) recording.user_id = user.id;
    }),
  }),
  defect('update-writes-filename-of-same-type', ['REC-31'], 'An update can change filename, but for its extension.', {
    ...afterUpdate((recording, { filename }) => {
      if (typeof filename === 'string' && extname(filename) === extname(recording.filename))
        recording.filename = filename;
    }),
  }),
  defect(
    'update-writes-created-at-in-own-form',
    ['REC-38'],
    'An update can set created_at, if it is written as usual.',
    {
      ...afterUpdate((recording, { created_at }) => {
        const form = (time: string): string => time.replaceAll(/\d/g, '0');
        if (typeof created_at === 'string' && form(created_at) === form(recording.created_at))
          recording.created_at = created_at;
      }),
    },
  ),
  defect('update-empties-language', ['REC-35'], 'An update with null for the language empties it.', {
    ...afterUpdate((recording, { language }) => {
      if (language === null) recording.language = '';
    }),
  }),
  defect(
    'update-changes-status',
    ['REC-40', 'REC-24'],
    'Every update moves the status on, from failed to pending again.',
    {
      updated: (recording, previous) => {
        const order = ['pending', 'processing', 'completed', 'failed'];
        recording.status = order[(order.indexOf(previous.status) + 1) % order.length] ?? 'pending';
      },
    },
  ),
  defect('update-refused-yet-written', ['AUT-11'], 'An update refused for its credentials changes the title.', {
    refused: (call, { status }) => {
      if (call.op === 'update' && (status === 401 || call.headers.authorization === undefined)) writeTitle(call);
    },
  }),
  defect('update-invalid-yet-written', ['AUT-11'], 'An update refused for a wrong field changes the title.', {
    refused: (call, { status }) => {
      if (call.op === 'update' && status === 422) writeTitle(call);
    },
  }),
] as const satisfies readonly Defect[];
