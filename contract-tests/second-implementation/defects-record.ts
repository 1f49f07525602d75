/** What the answer to an update can do wrong to the record that it shows. */
import { type Defect, defect, type Hooks } from './hooks.ts';
import { type Call, isObject, type JsonObject } from './http.ts';

const FIELDS = [
  ['id', 'REC-10'],
  ['title', 'REC-11'],
  ['filename', 'REC-12'],
  ['status', 'REC-13'],
  ['method', 'REC-14'],
  ['quality', 'REC-15'],
  ['language', 'REC-16'],
  ['diarization_enabled', 'REC-17'],
  ['user_id', 'REC-18'],
  ['created_at', 'REC-19'],
  ['updated_at', 'REC-20'],
] as const;

/** Puts another body into the answer. */
function onBody(change: (record: JsonObject, call: Call) => unknown): Hooks {
  return {
    reply: (reply, call) =>
      call.op === 'update' && isObject(reply.body) ? { ...reply, body: change(reply.body, call) } : reply,
  };
}

/** Changes fields of the record in the answer; an undefined field goes missing. */
const onRecord = (change: (record: JsonObject, call: Call) => JsonObject): Hooks =>
  onBody((record, call) => ({ ...record, ...change(record, call) }));

/** Answers one wrong value of one field. */
function wrong<Id extends string>(
  id: Id,
  requirement: string,
  what: string,
  change: (record: JsonObject) => JsonObject,
) {
  return defect(id, [requirement], `In the recording answered, ${what}.`, onRecord(change));
}

export const RECORD_DEFECTS = [
  ...FIELDS.map(([field, requirement]) =>
    defect(`recording-${field}-missing`, [requirement], `The recording answered lacks ${field}.`, {
      ...onRecord(() => ({ [field]: undefined })),
    }),
  ),
  wrong('recording-id-number', 'REC-10', 'id is a number', ({ id }) => ({ id: Number(id) })),
  wrong('recording-filename-null', 'REC-12', 'filename is null', () => ({ filename: null })),
  wrong('recording-status-unknown', 'REC-13', 'status is archived, which is none of the four', () => ({
    status: 'archived',
  })),
  wrong('recording-status-capitalised', 'REC-13', 'status is written in capitals', ({ status }) => ({
    status: String(status).toUpperCase(),
  })),
  wrong('recording-method-number', 'REC-14', 'method is a number', () => ({ method: 3 })),
  wrong('recording-quality-null', 'REC-15', 'quality is null', () => ({ quality: null })),
  wrong('recording-language-array', 'REC-16', 'language is an array', ({ language }) => ({ language: [language] })),
  wrong('recording-diarization-string', 'REC-17', 'diarization_enabled is a string', (record) => ({
    diarization_enabled: String(record.diarization_enabled),
  })),
  wrong('recording-diarization-number', 'REC-17', 'diarization_enabled is 0 or 1', (record) => ({
    diarization_enabled: Number(record.diarization_enabled),
  })),
  wrong('recording-user-id-object', 'REC-18', 'user_id is an object', ({ user_id }) => ({ user_id: { id: user_id } })),
  wrong('recording-created-at-epoch', 'REC-19', 'created_at counts milliseconds', () => ({
    created_at: 1_772_000_000_000,
  })),
  wrong('recording-created-at-date', 'REC-19', 'created_at is a date without a time', () => ({
    created_at: '2026-03-01',
  })),
  wrong('recording-updated-at-local', 'REC-20', 'updated_at is in no ISO form', () => ({
    updated_at: 'Sun, 01 Mar 2026 10:00:00 GMT',
  })),
  wrong('recording-updated-at-impossible', 'REC-20', 'updated_at is in month 13', () => ({
    updated_at: '2026-13-01T10:00:00Z',
  })),
  defect(
    'recording-another',
    ['REC-21'],
    'The update answers with another recording than the one addressed.',
    onBody((_record, { app, param }) => {
      const other = [...app.store.recordings].find(([id]) => id !== param)?.[1];
      const { kept, revision, ...shown } = other ?? { kept: {}, revision: 0 };
      return shown;
    }),
  ),
  defect(
    'recording-in-envelope',
    ['REC-07'],
    'The recording is inside of {data: …}.',
    onBody((data) => ({ data })),
  ),
  defect(
    'recording-in-array',
    ['REC-07'],
    'The recording is the only item of an array.',
    onBody((record) => [record]),
  ),
  defect('recording-no-content', ['REC-07'], 'The update answers 204 without a body.', {
    reply: (reply, { op }) => (op === 'update' ? { status: 204 } : reply),
  }),
] as const satisfies readonly Defect[];
