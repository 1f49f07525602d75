/** What the document's words for values mean, as predicates. Wide where the document is: what it allows is let through. */

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** No documented answer is nested anywhere near as deep; what is would exhaust the stack of whoever looks into it. */
const MAX_DEPTH = 200;

/** A text as JSON; undefined when it is none, or is nested beyond all reason. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeperThan(value, MAX_DEPTH) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isDeeperThan(value: unknown, limit: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

/** `application/json` or a `+json` type, with any parameters. */
export function isJsonMediaType(contentType: string | undefined): boolean {
  const essence = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return essence === 'application/json' || /^application\/[a-z0-9.!#$&^_-]+\+json$/.test(essence);
}

/**
 * An ISO 8601 date and time of day, separated by T, that exists in the calendar (part 2). Any precision and any offset;
 * an offset may be missing, since ISO 8601 allows local times.
 */
export function isDateTime(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?$/i.exec(value);
  if (!match) return false;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 60) return false;
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

interface Instant {
  /** Milliseconds since 1970 of the whole second. */
  second: number;
  /** The digits after the second, without the zeros at their end: those may but fill up what was cut off. */
  digits: string;
}

/** A date-time taken apart, so that digits beyond milliseconds count as well; undefined when it cannot be read. */
function instantOf(text: string): Instant | undefined {
  const match = /^(.*T\d\d:\d\d(?::\d\d)?)(?:[.,](\d+))?(.*)$/i.exec(text);
  if (!match) return undefined;
  const [, whole = '', written = '', zone = ''] = match;
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone;
  const second = Date.parse(whole + offset);
  return Number.isNaN(second) ? undefined : { second, digits: written.replace(/0+$/, '') };
}

/** As many digits as any two ways of writing an instant are taken to share. */
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

/** Whether two ids are the same; the letter case of a UUID says nothing (RFC 9562, section 4). */
export function sameId(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  return isUuid(a) && isUuid(b) && a.toLowerCase() === b.toLowerCase();
}

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

export function isEmail(value: unknown): boolean {
  return typeof value === 'string' && /^[^\s@]+@[^\s@]+$/.test(value);
}

/** A lower-case identifier: a word that a filter value can be. */
export function isLowerCaseIdentifier(value: string): boolean {
  return /^[a-z0-9][a-z0-9._-]*$/.test(value);
}

export interface Jwt {
  header: JsonObject;
  payload: JsonObject;
  parts: [string, string, string];
}

/** Takes a JWT in compact form apart (RFC 7519); undefined when the text is none. The signature may not be empty. */
export function decodeJwt(token: unknown): Jwt | undefined {
  if (typeof token !== 'string' || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return undefined;
  const parts = token.split('.') as [string, string, string];
  const [header, payload] = parts.slice(0, 2).map(decodePart);
  if (!isObject(header) || typeof header.alg !== 'string' || !isObject(payload)) return undefined;
  return { header, payload, parts };
}

function decodePart(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** An encrypted JWT: five parts, of which only the header can be read (RFC 7516, compact form). */
export function isJwe(token: unknown): boolean {
  if (typeof token !== 'string' || !/^[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return false;
  const header = decodePart(token.split('.')[0] ?? '');
  return isObject(header) && typeof header.alg === 'string' && typeof header.enc === 'string';
}

/** Whether a text is a JWT in either of its compact forms, signed or encrypted (RFC 7519, section 1). */
export function isJwt(token: unknown): boolean {
  return decodeJwt(token) !== undefined || isJwe(token);
}

/**
 * `<token_prefix>_<tokenId>.<secret>` (part 5), taken apart: no part is empty. What else may stand in a part is not
 * shown, so prefix and secret may hold the separators; undefined when the text has another form.
 */
export function partsOfPat(value: unknown): { head: string; secret: string } | undefined {
  if (typeof value !== 'string' || isJwt(value)) return undefined;
  const match = /^([^\s._]\S*?_[^\s.]+\.)(\S+)$/.exec(value);
  return match ? { head: match[1] ?? '', secret: match[2] ?? '' } : undefined;
}

/** Whether a text has the form of a PAT (part 5). */
export function isPatForm(value: unknown): value is string {
  return partsOfPat(value) !== undefined;
}

export interface FoundString {
  /** Names on the way to the string, array positions included. */
  path: string[];
  value: string;
}

/** Every string in a JSON value, with the way to it. */
export function findStrings(value: unknown, path: string[] = []): FoundString[] {
  if (typeof value === 'string') return [{ path, value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => findStrings(item, [...path, String(index)]));
  if (isObject(value)) return Object.entries(value).flatMap(([key, item]) => findStrings(item, [...path, key]));
  return [];
}

/** How a value is shown in a message: its JSON, cut where it is long. */
export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 157)}…` : text;
}

/** The JSON type of a value, in the document's words. */
export function typeName(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
