export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type JsonObject = { [key: string]: Json };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The shape of a body: JSON in which `${name}` is replaced by a value (head of spec/gaps.yaml). */
export interface Shape {
  readonly template: Json;
  readonly mediaType?: string;
}

/** The shape of error bodies; kinds and statuses, and operations, may have their own. */
export interface ErrorShape extends Shape {
  readonly cases?: readonly (Shape & {
    readonly for?: readonly (string | number)[];
    /** Operations, by their operationId. */
    readonly at?: readonly string[];
  })[];
}

/** A copy of a list or object without what `change` omits (undefined); other values stay. */
export function mapMembers(value: Json, change: (member: Json, key: string) => Json | undefined): Json {
  if (Array.isArray(value)) return value.map((item) => change(item, '')).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, change(member, key)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined)) as JsonObject;
}

/** All objects within a value, each with its path. */
export function* objectsIn(
  value: unknown,
  path: readonly (string | number)[] = [],
): Generator<{ readonly object: JsonObject; readonly path: readonly (string | number)[] }> {
  if (isObject(value)) yield { object: value, path };
  if (typeof value === 'object' && value !== null)
    for (const [key, member] of Array.isArray(value) ? value.entries() : Object.entries(value))
      yield* objectsIn(member, [...path, key]);
}

/** A text as JSON, or itself where it is none. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The member of a value at a path of names and indexes; undefined if it is missing. */
export const memberAt = (value: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>((at, name) => {
    const hasMember = typeof at === 'object' && at !== null && Object.hasOwn(at, name);
    return hasMember ? (at as Record<string, unknown>)[name] : undefined;
  }, value);
