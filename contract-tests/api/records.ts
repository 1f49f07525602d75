import { isObject, type JsonObject } from '../values/json.ts';

/** What a field may hold; rules/field-rules.ts judges values by it. */
export type Format =
  | 'string'
  | 'non-empty string'
  | 'boolean'
  | 'integer'
  | 'object'
  | 'date-time'
  | 'e-mail address'
  | 'token type'
  | 'recording status';

export interface Field {
  format: Format;
  /** The requirement that states the field and its format. */
  requirement: string;
  /** The requirement that no update writes the field. */
  readOnly?: string;
}

/** The records of the API, field by field, as the document lists them: the grant in 4.1, the others in part 2. */
export const RECORDS = {
  TokenGrant: {
    access_token: { format: 'non-empty string', requirement: 'SSO-03' },
    refresh_token: { format: 'non-empty string', requirement: 'SSO-05' },
    token_type: { format: 'token type', requirement: 'SSO-06' },
    expires_in: { format: 'integer', requirement: 'SSO-07' },
    user: { format: 'object', requirement: 'SSO-09' },
  },
  User: {
    id: { format: 'non-empty string', requirement: 'SSO-10' },
    email: { format: 'e-mail address', requirement: 'SSO-11' },
    username: { format: 'string', requirement: 'SSO-12' },
    confirmed: { format: 'boolean', requirement: 'SSO-13' },
    created_at: { format: 'date-time', requirement: 'SSO-14' },
  },
  Recording: {
    id: { format: 'string', requirement: 'REC-10', readOnly: 'REC-30' },
    title: { format: 'string', requirement: 'REC-11' },
    filename: { format: 'string', requirement: 'REC-12', readOnly: 'REC-31' },
    status: { format: 'recording status', requirement: 'REC-13', readOnly: 'REC-32' },
    method: { format: 'string', requirement: 'REC-14', readOnly: 'REC-33' },
    quality: { format: 'string', requirement: 'REC-15', readOnly: 'REC-34' },
    language: { format: 'string', requirement: 'REC-16', readOnly: 'REC-35' },
    diarization_enabled: { format: 'boolean', requirement: 'REC-17', readOnly: 'REC-36' },
    user_id: { format: 'string', requirement: 'REC-18', readOnly: 'REC-37' },
    created_at: { format: 'date-time', requirement: 'REC-19', readOnly: 'REC-38' },
    updated_at: { format: 'date-time', requirement: 'REC-20', readOnly: 'REC-39' },
  },
  TenantApiKey: {
    id: { format: 'string', requirement: 'KEY-03' },
    provider: { format: 'string', requirement: 'KEY-04' },
    name: { format: 'string', requirement: 'KEY-05' },
    status: { format: 'string', requirement: 'KEY-06' },
    created_at: { format: 'date-time', requirement: 'KEY-07' },
  },
} as const satisfies Record<string, Record<string, Field>>;

export type RecordName = keyof typeof RECORDS;

/** The fields of a record, by name, in the document's order. */
export function fieldsOf(record: RecordName): Record<string, Field> {
  return RECORDS[record];
}

export const STATUSES = ['pending', 'processing', 'completed', 'failed'];
/** Statuses in which the service still works on a recording, and may change it between two updates. */
export const UNFINISHED = ['pending', 'processing'];
export const FIELD_NAMES = Object.keys(RECORDS.Recording);

/** The five fields that an update may write (part 2). */
export const WRITABLE_FIELDS: Record<string, Format> = {
  title: 'string',
  kb_folder_id: 'string',
  kb_document_id: 'string',
  summary: 'string',
  analysis: 'object',
};

/** Written by a faulty target, these may lose it the recording for everything after: they are tried last. */
const TRIED_LAST = ['user_id', 'id'];

/** The fields that no update may write (part 2), and the requirement of each. */
export const READ_ONLY_FIELDS: Record<string, string> = Object.fromEntries(
  Object.entries(fieldsOf('Recording'))
    .flatMap(([field, { readOnly }]) => (readOnly === undefined ? [] : [[field, readOnly] as const]))
    .toSorted(([a], [b]) => TRIED_LAST.indexOf(a) - TRIED_LAST.indexOf(b)),
);

const letters = (name: string): string => name.replace(/[^A-Za-z]/g, '').toLowerCase();

/** The field that no update writes which a name means: `userId` is `user_id` in another spelling. */
export const readOnlyField = (name: string): string | undefined =>
  Object.keys(READ_ONLY_FIELDS).find((field) => letters(field) === letters(name));

/** Whether a value is a recording as a whole, even if a field or two are amiss: separate checks judge those. */
export function isRecording(json: unknown): json is JsonObject {
  return isObject(json) && FIELD_NAMES.filter((field) => field in json).length > FIELD_NAMES.length / 2;
}
