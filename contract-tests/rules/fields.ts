import { type Field, fieldsOf, type RecordName, STATUSES } from '../api/records.ts';
import { isObject, memberOf } from '../values/json.ts';
import { UUID } from '../values/secret-looks.ts';

/** What the document's words for values mean. Wide where the document is: what it allows, they accept. */

const isText = (value: unknown): value is string => typeof value === 'string';

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** An ISO 8601 date and time of day that exists in the calendar (part 2): of any precision and offset, which may be missing. */
export function isDateTime(value: unknown): boolean {
  const match = isText(value) && DATE_TIME.exec(value);
  if (!match) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 60) return false;
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** What each format of spec/requirements.yaml admits, and how messages call it. */
const FORMATS: Readonly<Record<string, readonly [expected: string, holds: (value: unknown) => boolean]>> = {
  string: ['a string', isText],
  'non-empty string': ['a string', (value) => isText(value) && value !== ''],
  boolean: ['a boolean', (value) => typeof value === 'boolean'],
  integer: ['an integer', Number.isInteger],
  object: ['an object', isObject],
  'date-time': ['an ISO 8601 date-time', isDateTime],
  'e-mail address': ['an e-mail address', (value) => isText(value) && /^[^\s@]+@[^\s@]+$/.test(value)],
  'token type': ['exactly "bearer"', (value) => value === 'bearer'],
  'recording status': [`one of ${STATUSES.join(', ')}`, (value) => STATUSES.includes(value as string)],
};
const formatOf = ({ format }: Field) => memberOf(FORMATS, format) as (typeof FORMATS)[string];

export const holds = (field: Field, value: unknown): boolean => formatOf(field)[1](value);

export const expectedOf = (field: Field): string => formatOf(field)[0];

export function holdsField(record: RecordName, field: string, value: unknown): boolean {
  const description = memberOf(fieldsOf(record), field);
  return description !== undefined && holds(description, value);
}

/** Fractional digits that any two notations of an instant are assumed to share. */
const SHARED_DIGITS = 3;

/** Whether two date-times name the same instant; the finer one may have been rounded, but for its milliseconds. */
export function sameInstant(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const [one, other] = [a, b].map((each) => (isDateTime(each) ? instantOf(each as string) : undefined));
  if (!one || !other) return false;
  const [coarse = 0, fine = 0] = [one.digits.length, other.digits.length].sort((left, right) => left - right);
  if (coarse === fine || fine <= SHARED_DIGITS) return one.second === other.second && one.digits === other.digits;
  const apart = (one.second - other.second) / 1000 + Number(`0.${one.digits}`) - Number(`0.${other.digits}`);
  return Math.abs(apart) < 10 ** -Math.max(SHARED_DIGITS, coarse);
}

/** The milliseconds since 1970 of the whole second, and the digits after it without zeros that only pad. */
function instantOf(text: string): { second: number; digits: string } {
  const [, , , , , , , fraction = '', zone = ''] = DATE_TIME.exec(text) ?? [];
  const whole = text.slice(0, text.length - zone.length).replace(/[.,]\d+$/, '');
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone;
  return { second: Date.parse(whole + offset), digits: fraction.replace(/(?<!0)0+$/, '') };
}

export const isUuid = (value: unknown): value is string => isText(value) && UUID.test(value);

/** Whether two ids are the same; the letter case of a UUID says nothing (RFC 9562, section 4). */
export const sameId = (a: unknown, b: unknown): boolean =>
  a === b || (isUuid(a) && isUuid(b) && a.toLowerCase() === b.toLowerCase());

/** Whether a field has kept its value, however a date-time or a UUID is written. */
export function sameValue(field: string, a: unknown, b: unknown): boolean {
  if (field.endsWith('_at')) return sameInstant(a, b);
  return field === 'id' || field.endsWith('_id') ? sameId(a, b) : a === b;
}

/** A lone surrogate: RFC 8259, section 8.2, calls the fate of such a text unpredictable. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Whether every JSON implementation and every database keeps a text; U+0000 is refused or cut off by several. */
export const isPredictable = (text: string): boolean => !LONE_SURROGATE.test(text) && !text.includes('\u0000');
