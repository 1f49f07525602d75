/** What the answer to an update can do wrong to the record that it shows. */
import { type Change, changes, isByPat, kindOf, only, replaces, sentBy } from './answering.ts';
import { type Defect, defect } from './hooks.ts';
import type { Call, JsonObject } from './http.ts';

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

/** In each answer to an update. */
const inRecord = kindOf((change: Change<[record: JsonObject]>) => changes('update', change));

/** Whether an update sent these fields and no others. */
const sentJust = (...fields: string[]) => {
  const names = fields.sort().join();
  return (call: Call): boolean =>
    Object.keys(sentBy(call) ?? {})
      .sort()
      .join() === names;
};

export const RECORD_DEFECTS = [
  ...FIELDS.map(([field, requirement]) =>
    inRecord(`recording-${field}-missing`, [requirement], `The recording in the answer lacks ${field}.`, {
      [field]: undefined,
    }),
  ),
  inRecord('recording-id-number', ['REC-10'], 'id is a number.', ({ id }) => ({ id: Number(id) })),
  inRecord('recording-filename-null', ['REC-12'], 'filename is null.', { filename: null }),
  inRecord('recording-status-unknown', ['REC-13'], 'status is archived, which is not one of the four.', {
    status: 'archived',
  }),
  inRecord('recording-status-capitalised', ['REC-13'], 'status is written in capitals.', ({ status }) => ({
    status: String(status).toUpperCase(),
  })),
  inRecord('recording-method-number', ['REC-14'], 'method is a number.', { method: 3 }),
  inRecord('recording-quality-null', ['REC-15'], 'quality is null.', { quality: null }),
  inRecord('recording-language-array', ['REC-16'], 'language is an array.', ({ language }) => ({
    language: [language],
  })),
  inRecord('recording-diarization-string', ['REC-17'], 'diarization_enabled is a string.', (record) => ({
    diarization_enabled: String(record.diarization_enabled),
  })),
  inRecord('recording-diarization-number', ['REC-17'], 'diarization_enabled is 0 or 1.', (record) => ({
    diarization_enabled: Number(record.diarization_enabled),
  })),
  inRecord('recording-user-id-object', ['REC-18'], 'user_id is an object.', ({ user_id }) => ({
    user_id: { id: user_id },
  })),
  inRecord('recording-created-at-epoch', ['REC-19'], 'created_at is in milliseconds since 1970.', {
    created_at: 1_772_000_000_000,
  }),
  inRecord('recording-created-at-date', ['REC-19'], 'created_at is a date without a time.', {
    created_at: '2026-03-01',
  }),
  inRecord('recording-updated-at-local', ['REC-20'], 'updated_at is not in an ISO form.', {
    updated_at: 'Sun, 01 Mar 2026 10:00:00 GMT',
  }),
  inRecord('recording-updated-at-impossible', ['REC-20'], 'updated_at is in month 13.', {
    updated_at: '2026-13-01T10:00:00Z',
  }),
  defect('recording-another', ['REC-21'], 'The update answers with another recording than the one addressed.', {
    ...replaces('update', (_record, { app, param }) => {
      const other = [...app.store.recordings].find(([id]) => id !== param)?.[1];
      const { kept, revision, ...shown } = other ?? { kept: {}, revision: 0 };
      return shown;
    }),
  }),
  defect('recording-in-envelope', ['REC-07'], 'The recording is wrapped in {data: …}.', {
    ...replaces('update', (data) => ({ data })),
  }),
  defect('recording-in-array', ['REC-07'], 'The recording is the only item of an array.', {
    ...replaces('update', (record) => [record]),
  }),
  defect('recording-no-content', ['REC-07'], 'The update answers 204 without a body.', {
    ...replaces('update', () => undefined),
  }),
  defect('recording-partial-for-one-field', ['REC-07'], 'Updates of one field answer id, title and updated_at only.', {
    ...only(
      (call) => {
        const sent = Object.keys(sentBy(call) ?? {});
        return sent.length === 1 && sent[0] !== 'title';
      },
      replaces('update', ({ id, title, updated_at }) => ({ id, title, updated_at })),
    ),
  }),
  defect('recording-no-content-for-analysis', ['REC-07'], 'The update of the analysis answers 204 without a body.', {
    ...only(
      sentJust('analysis'),
      replaces('update', () => undefined),
    ),
  }),
  defect('recording-null-for-folder', ['REC-07'], 'The update of the folder answers null.', {
    ...only(
      sentJust('kb_folder_id'),
      replaces('update', () => null),
    ),
  }),
  defect('recording-language-missing-for-two-fields', ['REC-16'], 'The answer to title and summary lacks language.', {
    ...only(sentJust('title', 'summary'), changes('update', { language: undefined })),
  }),
  defect('recording-owner-missing-for-pats', ['REC-18'], 'The record has no owner where the caller has a PAT.', {
    ...only(isByPat, changes('update', { user_id: undefined })),
  }),
  defect('recording-of-title-and-analysis-without-quality', ['REC-15'], 'A title with an analysis lacks the quality.', {
    ...only(
      (call) => {
        const sent = sentBy(call) ?? {};
        return 'title' in sent && 'analysis' in sent;
      },
      changes('update', { quality: undefined }),
    ),
  }),
] as const satisfies readonly Defect[];
