import { type Field, type Format, fieldsOf, type RecordName, STATUSES } from '../api/records.ts';
import { isObject, type JsonObject, show } from '../values/json.ts';
import { isDateTime, isEmail, isText, sameId, sameInstant } from './formats.ts';
import type { Finding } from './rule.ts';

/** What each format of api/records.ts admits, and how messages call it. */
const FORMATS: Record<Format, { expected: string; holds(value: unknown): boolean }> = {
  string: { expected: 'a string', holds: isText },
  'non-empty string': { expected: 'a string', holds: (value) => isText(value) && value !== '' },
  boolean: { expected: 'a boolean', holds: (value) => typeof value === 'boolean' },
  integer: { expected: 'an integer', holds: Number.isInteger },
  object: { expected: 'an object', holds: isObject },
  'date-time': { expected: 'an ISO 8601 date-time', holds: isDateTime },
  'e-mail address': { expected: 'an e-mail address', holds: isEmail },
  'token type': { expected: 'exactly "bearer"', holds: (value) => value === 'bearer' },
  'recording status': {
    expected: `one of ${STATUSES.join(', ')}`,
    holds: (value) => STATUSES.includes(value as string),
  },
};

/** Whether a value has a format. */
export const holds = (format: Format, value: unknown): boolean => FORMATS[format].holds(value);

/** What a field must be, in words. */
export const expectedOf = ({ format }: Field): string => FORMATS[format].expected;

/** Whether a value is what the document says of the field. */
export function holdsField(record: RecordName, field: string, value: unknown): boolean {
  const description = fieldsOf(record)[field];
  return description !== undefined && holds(description.format, value);
}

/** What a record has otherwise than the document describes its fields, in the document's order. */
export function fieldFindings(subject: string, type: RecordName, record: JsonObject): Finding[] {
  return Object.entries(fieldsOf(type))
    .filter(([field]) => !holdsField(type, field, record[field]))
    .map(([field, description]) => ({
      requirement: description.requirement,
      message: `${subject} ${Object.hasOwn(record, field) ? `has ${field} ${show(record[field])}` : `has no ${field}`}.`,
      expected: `${field}: ${expectedOf(description)}`,
      actual: record[field],
    }));
}

/** The requirements of a record's fields, in the document's order. */
export const requirementsOf = (type: RecordName): string[] =>
  Object.values(fieldsOf(type)).map(({ requirement }) => requirement);

/** Whether a field has kept its value, however a date-time or a UUID is written. */
export function sameValue(field: string, a: unknown, b: unknown): boolean {
  if (field.endsWith('_at')) return sameInstant(a, b);
  return field === 'id' || field.endsWith('_id') ? sameId(a, b) : a === b;
}
