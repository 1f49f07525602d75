import { inRecording, inBody as of } from './bodies.ts';
import type { FaultRow } from './fault.ts';
import { sentOf } from './tools.ts';

/** Faults of the shape of the recording in the response to an update. */
export const recordingShapeFaults: readonly FaultRow[] = [
  ['update-empty-object', ['REC-07'], 'An update returns {}.', of('updateRecording', () => ({}))],
  [
    'update-message-only',
    ['REC-07'],
    'An update returns a message instead of the recording.',
    of('updateRecording', () => ({ message: 'updated' })),
  ],
  [
    'update-wrapped',
    ['REC-07'],
    'An update returns the recording nested in data.',
    of('updateRecording', (data) => ({ data })),
  ],
  [
    'update-in-list',
    ['REC-07'],
    'An update returns an array with the recording.',
    of('updateRecording', (recording) => [recording]),
  ],
  [
    'update-json-twice',
    ['REC-07'],
    'An update returns the recording as JSON in a JSON string.',
    of('updateRecording', (recording) => JSON.stringify(recording)),
  ],
  [
    'update-sent-fields-only',
    ['REC-07', 'REC-10'],
    'An update returns only id and the fields that were sent.',
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
    "The recording's status is in upper case.",
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
    "The recording's language is an array.",
    inRecording(({ language }) => ({ language: [language] })),
  ],
  [
    'language-null-after-analysis',
    ['REC-16'],
    "The recording's language is null only in the response to an update of analysis.",
    inRecording((_body, { request }) => ('analysis' in sentOf(request) ? { language: null } : {})),
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
    "The recording's field names are in camel case.",
    of('updateRecording', ({ diarization_enabled, user_id, created_at, updated_at, ...body }) => ({
      ...body,
      diarizationEnabled: diarization_enabled,
      userId: user_id,
      createdAt: created_at,
      updatedAt: updated_at,
    })),
  ],
];
