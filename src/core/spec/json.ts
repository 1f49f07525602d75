import { memberOf } from '../../../contract-tests/values/json.ts';
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type JsonObject = { [key: string]: Json };

/** A type whose members, at any depth, cannot be changed. */
export type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Immutable<T[Name]> }
    : T;

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

/** The value at a reference within a document: `#/components/schemas/Thing`. */
export function targetOf(document: object, reference: string): Json | undefined {
  const [, ...names] = reference.split('/');
  const decoded = names.map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
  return memberAt(document, decoded) as Json | undefined;
}

/** References of a document of a user may lead round in circles. */
const mostSteps = 20;

/** The target of a `$ref`, with its sibling members; other elements are returned unchanged. */
export function dereferenced(element: JsonObject, document: object): JsonObject {
  let found = element;
  for (let step = 0; typeof found.$ref === 'string' && step < mostSteps; step += 1) {
    const { $ref, ...own } = found;
    const target = targetOf(document, $ref as string);
    found = { ...(isObject(target) && target), ...own };
  }
  return found;
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
  names.reduce((at, name) => (typeof at === 'object' ? memberOf(at as JsonObject | null, name) : undefined), value);
