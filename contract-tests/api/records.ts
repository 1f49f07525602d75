import { readSpec } from '../spec-data.ts';
import { hasMember, isObject, type JsonObject, memberOf } from '../values/json.ts';
import { type Place, placesIn } from '../values/places.ts';
import { lettersOf } from '../values/secret-looks.ts';

export interface Field {
  /** What it may hold, by the name that rules/fields.ts has for it. */
  format: string;
  requirement: string;
  readOnly?: string;
}

export type RecordName = 'TokenGrant' | 'User' | 'Recording' | 'RecordingUpdate' | 'TenantApiKey';

const { records } = readSpec('requirements') as { records: Record<RecordName, Record<string, Field>> };

export const RECORD_NAMES = Object.keys(records) as RecordName[];

const returned = placesIn(readSpec('openapi'), RECORD_NAMES);

/** The records that successes of an operation hold, by its id in the OpenAPI document. */
export const recordsReturnedBy = (operationId: string): readonly Place<RecordName>[] => returned.get(operationId) ?? [];

export const fieldsOf = (record: RecordName): Record<string, Field> => records[record];

export const STATUSES = ['pending', 'processing', 'completed', 'failed'];
export const UNFINISHED = ['pending', 'processing'];
export const FIELD_NAMES = Object.keys(fieldsOf('Recording'));

export const WRITABLE_FIELDS = fieldsOf('RecordingUpdate');

/** Written by a faulty target, these may lose it the recording for everything after: they are tried last. */
const TRIED_LAST = ['user_id', 'id'];

/** The fields that no update may write (part 2), and the requirement of each. */
export const READ_ONLY_FIELDS: Record<string, string> = Object.fromEntries(
  Object.entries(fieldsOf('Recording'))
    .flatMap(([field, { readOnly }]) => (readOnly === undefined ? [] : [[field, readOnly] as const]))
    .toSorted(([a], [b]) => TRIED_LAST.indexOf(a) - TRIED_LAST.indexOf(b)),
);

/** Other names that services have for the same. */
const OTHER_NAMES: Readonly<Record<string, string>> = { owner_id: 'user_id', diarization: 'diarization_enabled' };

/** The field that no update writes which a name means: `userId` is `user_id` in another spelling. */
export const readOnlyField = (name: string): string | undefined =>
  memberOf(OTHER_NAMES, name) ?? Object.keys(READ_ONLY_FIELDS).find((field) => lettersOf(field) === lettersOf(name));

/** Whether a value is a recording as a whole, even if a field or two are amiss: separate checks judge those. */
export function isRecording(json: unknown): json is JsonObject {
  return isObject(json) && FIELD_NAMES.filter((field) => hasMember(json, field)).length > FIELD_NAMES.length / 2;
}

/** The texts that records have in a field, each once. */
export const distinct = (records: readonly JsonObject[], field: string): string[] => [
  ...new Set(records.map((record) => memberOf(record, field)).filter((value) => typeof value === 'string')),
];
