import { isDateTime, isObject, type JsonObject, sameId, sameInstant } from './formats.ts';

/** What the document says of one field: the requirement, in words, and whether a value keeps it. */
export interface FieldRule {
  requirement: string;
  expected: string;
  holds(value: unknown): boolean;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const text = (requirement: string): FieldRule => ({ requirement, expected: 'a string', holds: isText });
const dateTime = (requirement: string): FieldRule => ({ requirement, expected: 'a date-time', holds: isDateTime });

export const STATUSES = ['pending', 'processing', 'completed', 'failed'];
/** Statuses in which the service still works on a recording, and may change it between two updates. */
export const UNFINISHED = ['pending', 'processing'];

/** The eleven fields of a recording (part 2). */
export const RECORDING_FIELDS: Record<string, FieldRule> = {
  id: text('REC-10'),
  title: text('REC-11'),
  filename: text('REC-12'),
  status: {
    requirement: 'REC-13',
    expected: `one of ${STATUSES.join(', ')}`,
    holds: (value) => STATUSES.includes(value as string),
  },
  method: text('REC-14'),
  quality: text('REC-15'),
  language: text('REC-16'),
  diarization_enabled: { requirement: 'REC-17', expected: 'a boolean', holds: (value) => typeof value === 'boolean' },
  user_id: text('REC-18'),
  created_at: dateTime('REC-19'),
  updated_at: dateTime('REC-20'),
};
export const FIELD_NAMES = Object.keys(RECORDING_FIELDS);

/** Whether a value is a recording as a whole, even if a field or two are amiss: those have checks of their own. */
export function isRecording(json: unknown): json is JsonObject {
  return isObject(json) && FIELD_NAMES.filter((field) => field in json).length > FIELD_NAMES.length / 2;
}

/**
 * The fields that no update may write (part 2), and the requirement of each. The last two come last wherever they are
 * tried: a target that writes them may lose the recording for everything after.
 */
export const READ_ONLY_FIELDS: Record<string, string> = {
  filename: 'REC-31',
  status: 'REC-32',
  method: 'REC-33',
  quality: 'REC-34',
  language: 'REC-35',
  diarization_enabled: 'REC-36',
  created_at: 'REC-38',
  updated_at: 'REC-39',
  user_id: 'REC-37',
  id: 'REC-30',
};

/** The five fields of a listed API key (part 2). */
export const KEY_FIELDS: Record<string, FieldRule> = {
  id: text('KEY-03'),
  provider: text('KEY-04'),
  name: text('KEY-05'),
  status: text('KEY-06'),
  created_at: dateTime('KEY-07'),
};

/** Whether a field has kept its value, however a date-time or a UUID is written. */
export function sameValue(field: string, a: unknown, b: unknown): boolean {
  if (field.endsWith('_at')) return sameInstant(a, b);
  return field === 'id' || field.endsWith('_id') ? sameId(a, b) : a === b;
}
