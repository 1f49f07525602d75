import type { FaultLine } from './fault.ts';
import type { Body, Hooks } from './hooks.ts';
import { inBody as of, sentOf } from './tools.ts';

const inRecording = (change: (recording: Body) => Body): Hooks =>
  of('updateRecording', (recording) => ({ ...recording, ...change(recording) }));

/** Faults of the shape of the recording that an update answers. */
export const recordingShapeFaults: readonly FaultLine[] = [
  ['update-empty-object', ['REC-07'], 'An update answers {}.', of('updateRecording', () => ({}))],
  [
    'update-message-only',
    ['REC-07'],
    'An update answers a message in place of the recording.',
    of('updateRecording', () => ({ message: 'updated' })),
  ],
  [
    'update-wrapped',
    ['REC-07'],
    'An update answers the recording inside data.',
    of('updateRecording', (data) => ({ data })),
  ],
  [
    'update-in-list',
    ['REC-07'],
    'An update answers a list with the recording in it.',
    of('updateRecording', (recording) => [recording]),
  ],
  [
    'update-json-twice',
    ['REC-07'],
    'An update answers the recording as JSON inside a JSON string.',
    of('updateRecording', (recording) => JSON.stringify(recording)),
  ],
  [
    'update-sent-fields-only',
    ['REC-07', 'REC-10'],
    'An update answers only id and what was sent.',
    of('updateRecording', ({ id }, { request }) => ({ id, ...sentOf(request) })),
  ],
  ['recording-id-number', ['REC-10'], "The recording's id is a number.", inRecording(() => ({ id: 42 }))],
  [
    'recording-title-object',
    ['REC-11'],
    "The recording's title is an object by language.",
    inRecording(({ title }) => ({ title: { en: title } })),
  ],
  ['recording-filename-null', ['REC-12'], "The recording's filename is null.", inRecording(() => ({ filename: null }))],
  [
    'recording-status-capitals',
    ['REC-13'],
    "The recording's status is written in capitals.",
    inRecording(({ status }) => ({ status: String(status).toUpperCase() })),
  ],
  [
    'recording-status-done',
    ['REC-13'],
    "The recording's status has a fifth value, done.",
    inRecording(() => ({ status: 'done' })),
  ],
  ['recording-method-null', ['REC-14'], "The recording's method is null.", inRecording(() => ({ method: null }))],
  ['recording-quality-number', ['REC-15'], "The recording's quality is a number.", inRecording(() => ({ quality: 3 }))],
  [
    'recording-language-list',
    ['REC-16'],
    "The recording's language is a list.",
    inRecording(({ language }) => ({ language: [language] })),
  ],
  [
    'language-null-after-analysis',
    ['REC-16'],
    "The recording's language is null, only in the answer to an analysis.",
    of('updateRecording', (body, { request }) => ('analysis' in sentOf(request) ? { ...body, language: null } : body)),
  ],
  [
    'recording-diarization-text',
    ['REC-17'],
    'diarization_enabled is a string.',
    inRecording((body) => ({ diarization_enabled: String(body.diarization_enabled) })),
  ],
  [
    'recording-user-object',
    ['REC-18'],
    'user_id is an object.',
    inRecording(({ user_id }) => ({ user_id: { id: user_id } })),
  ],
  [
    'recording-camel-case',
    ['REC-17', 'REC-18', 'REC-19', 'REC-20'],
    'The recording has its fields in camel case.',
    of('updateRecording', ({ diarization_enabled, user_id, created_at, updated_at, ...body }) => ({
      ...body,
      diarizationEnabled: diarization_enabled,
      userId: user_id,
      createdAt: created_at,
      updatedAt: updated_at,
    })),
  ],
];
