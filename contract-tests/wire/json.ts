/** JSON as it arrives: parsing, looking into it, showing it in messages. */

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

/** What is not seen, or looks like something else: formats, separators, combining marks and byte order marks. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\p{M}\u00a0\u0080-\u009f]/gu;

/** Whether a text has characters that must be escaped to be seen. */
export const hasInvisible = (text: string): boolean => text.search(INVISIBLE) !== -1;

/** A text with what is invisible in it escaped, as JSON escapes it. */
export const escapeInvisible = (text: string): string =>
  text.replace(INVISIBLE, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );

/** How a value is shown in a message: its JSON, with what is invisible escaped, cut where it is long. */
export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : escapeInvisible(JSON.stringify(value));
  return text.length > 160 ? `${text.slice(0, 157)}…` : text;
}
