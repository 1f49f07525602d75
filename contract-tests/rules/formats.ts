/** What the document's words for values mean, as predicates. Wide where the document is: what it allows, they accept. */

export const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * An ISO 8601 date and time of day, separated by T, that exists in the calendar (part 2). Any precision and any offset;
 * an offset may be missing, since ISO 8601 allows local times.
 */
export function isDateTime(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?$/i.exec(value);
  if (!match) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 60) return false;
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

interface Instant {
  /** Milliseconds since 1970 of the whole second. */
  second: number;
  /** The digits after the second, without trailing zeros: those may only be padding. */
  digits: string;
}

/** Parses a date-time, keeping digits beyond milliseconds; undefined when it cannot be read. */
function instantOf(text: string): Instant | undefined {
  const match = /^([^T]*T\d\d:\d\d(?::\d\d)?)(?:[.,](\d+))?((?:\D.*)?)$/i.exec(text);
  if (!match) return undefined;
  const [, whole = '', written = '', zone = ''] = match;
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone;
  const second = Date.parse(whole + offset);
  return Number.isNaN(second) ? undefined : { second, digits: written.replace(/(?<!0)0+$/, '') };
}

/** Fractional digits that any two notations of an instant are assumed to share. */
const SHARED_PRECISION = 3;

/**
 * Whether two date-times name the same instant, however they are written; identical text always does. Where one has fewer
 * digits than the other, but milliseconds at least, it may have been rounded.
 */
export function sameInstant(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  const [left, right] = [instantOf(a), instantOf(b)];
  if (!left || !right) return false;
  if (left.second === right.second && left.digits === right.digits) return true;
  const [coarse = 0, fine = 0] = [left.digits.length, right.digits.length].sort((one, other) => one - other);
  if (coarse === fine || fine <= SHARED_PRECISION) return false;
  const fraction = ({ digits }: Instant): number => Number(`0.${digits || '0'}`);
  const apart = (left.second - right.second) / 1000 + fraction(left) - fraction(right);
  return Math.abs(apart) < 10 ** -Math.max(SHARED_PRECISION, coarse);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** Whether two ids are the same; the letter case of a UUID says nothing (RFC 9562, section 4). */
export const sameId = (a: unknown, b: unknown): boolean =>
  a === b || (isUuid(a) && isUuid(b) && a.toLowerCase() === b.toLowerCase());

export const isEmail = (value: unknown): boolean => typeof value === 'string' && /^[^\s@]+@[^\s@]+$/.test(value);

/** A lower-case identifier: a word that a filter value can be. */
export const isLowerCaseIdentifier = (value: string): boolean => /^[a-z0-9][a-z0-9._-]*$/.test(value);
