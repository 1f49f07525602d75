// The only ways to show, compare and look up what came from outside, for suite and mock: its members may have any name, those of
// Object.prototype too, and its objects need not convert to a primitive. `outside-data.test.ts` finds what goes another way.

export type JsonObject = Record<string, unknown>;

/** A table: any names, each with a value. */
type Named<T> = { readonly [name: string]: T } | null | undefined;

/** Whether an object has this member itself, by whatever name. */
export const hasMember = (table: object, name: string): boolean => Object.hasOwn(table, name);

/** The member of an object itself; undefined where it has none, or is none. */
export const memberOf = <T>(table: Named<T>, name: string): T | undefined =>
  table && Object.hasOwn(table, name) ? table[name] : undefined;

/** Sets a member by whatever name: assigning to `__proto__` makes none. */
export function setMember<T>(table: Record<string, T>, name: string, value: T): void {
  if (name === '__proto__')
    Object.defineProperty(table, name, { value, writable: true, enumerable: true, configurable: true });
  else table[name] = value;
}

/** A text as it is, the message of an Error, and anything else as JSON: an object may have no text, and no number. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return value.message;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** What is known of something thrown: where, or its text. */
export const traceOf = (error: unknown): string => (error instanceof Error && error.stack) || asText(error);

/** A primitive as a number; NaN for lists and objects. */
export const asNumber = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Number.NaN : Number(value);

/** The prototype of objects that convert to their JSON, whatever their members are. */
const printed: object = Object.create(Object.prototype, {
  [Symbol.toPrimitive]: {
    value(this: unknown) {
      return JSON.stringify(this);
    },
  },
});

/** A copy of JSON for an interpreter that converts values itself. */
export function printable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(printable);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, printable(member)]);
  return Object.setPrototypeOf(Object.fromEntries(members), printed);
}

/** Whether two values are equal as JSON. A member that is undefined is none. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  if (Array.isArray(one) && Array.isArray(other)) return areEqual(one, other);
  let members = 0;
  for (const name in one) {
    const value = (one as JsonObject)[name];
    if (value === undefined) continue;
    const counterpart = (other as JsonObject)[name];
    // All else that is inherited is a function, and equals no JSON.
    if (counterpart === Object.prototype || !isEqual(value, counterpart)) return false;
    members += 1;
  }
  for (const name in other) if ((other as JsonObject)[name] !== undefined) members -= 1;
  return members === 0;
}

/** Equal lists. A separate function: with the loop in it, `isEqual` is slower. */
function areEqual(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (!isEqual(one[at], other[at])) return false;
  return true;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value where it is an object, else one without members. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** No documented answer is nested anywhere near as deep; what is would exhaust the stack of a recursive reader. */
const MAX_DEPTH = 200;
/** Nor has one as many members and elements; they would take longer to judge than to receive. */
export const MAX_VALUES = 20_000;

/** U+FEFF, with which JSON must not start, and which its readers may ignore (RFC 8259, 8.1). */
export const BYTE_ORDER_MARK = '\ufeff';

export const withoutByteOrderMark = (text: string): string => (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);

/** A text as JSON; undefined when it is none, or has more levels or values than any answer that is documented. */
export function parseJson(text: string): unknown {
  const { depth, values } = extentOf(text);
  if (depth > MAX_DEPTH || values > MAX_VALUES) return undefined;
  try {
    return JSON.parse(withoutByteOrderMark(text));
  } catch {
    return undefined;
  }
}

/** How deep a text is nested, and how many values it has at most, were it JSON: the parser itself is not bounded. */
export function extentOf(text: string): { depth: number; values: number } {
  let [open, depth, values] = [0, 0, 1];
  for (const [sign] of text.replace(/"(?:[^"\\]|\\.)*"?/gs, '').matchAll(/[,[\]{}]/g)) {
    if (sign === ']' || sign === '}') open -= 1;
    else {
      values += 1;
      open += sign === ',' ? 0 : 1;
      depth = Math.max(depth, open);
    }
  }
  return { depth, values };
}

export const essenceOf = (contentType = ''): string => contentType.replace(/;.*/s, '').trim().toLowerCase();

export const isJsonMediaType = (contentType: string | undefined): boolean =>
  /^application\/([a-z0-9.!#$&^_-]+\+)?json$/.test(essenceOf(contentType));

/** Every string in a JSON value, or value of these types, as text, with the names and positions on the way to it. */
export function findStrings(
  value: unknown,
  types: readonly string[] = ['string'],
  path: string[] = [],
): { path: string[]; value: string }[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) => findStrings(item, types, [...path, key]));
  return types.includes(typeof value) ? [{ path, value: asText(value) }] : [];
}

/** JSON with its members in one order, so that equal claims have equal texts. */
export function canonical(value: unknown): string {
  const sorted = (inner: object) => Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify(value, (_, inner: unknown) => (isObject(inner) ? sorted(inner) : inner));
}

/** A copy of a JSON value, in which `change` replaces parts, or leaves members out, and `renamed` their names. */
export function mapJson<T>(
  value: T,
  change: (part: unknown, path: string[]) => unknown,
  renamed = (name: string, _path: string[]): string => name,
  path: string[] = [],
): T {
  const changed = change(value, path);
  if (changed !== value || typeof value !== 'object' || value === null) return changed as T;
  const below = (name: string, item: unknown): unknown => mapJson(item, change, renamed, [...path, name]);
  if (Array.isArray(value)) return value.map((item, at) => below(String(at), item)) as T;
  const entries = Object.entries(value).map(([name, item]) => [renamed(name, path), below(name, item)]);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

/** What is not seen, or looks like something else: formats, separators, combining marks and byte order marks. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\p{M}\u00a0\u0080-\u009f]/gu;

/** A unit of UTF-16 as JSON escapes it. */
export const escapeOf = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const MAX_SHOWN = 160;

/** How a value is shown in a message: its JSON, with what is invisible escaped, cut where it is long. */
export const show = (value: unknown): string =>
  showJson(value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value));

/** The same for a body: JSON as it was sent, on one line, and any other text in quotes. */
export function showSent(body: string): string {
  const isJson = typeof parseJson(body) === 'object';
  const oneLine = () =>
    body
      .split('\n')
      .map((line) => line.trim())
      .join(' ');
  return isJson ? showJson(oneLine().trim()) : show(body);
}

function showJson(json: string): string {
  const text = json.slice(0, MAX_SHOWN + 1).replace(INVISIBLE, (sign) => sign.split('').map(escapeOf).join(''));
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 3)}…` : text;
}
