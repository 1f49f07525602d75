import { isObject, memberOf } from './json.ts';

/** Where answers hold a record: the names of members that lead to it, `[]` for each element of a list. */
export interface Place<Name extends string = string> {
  record: Name;
  at: readonly string[];
}

/** The records of these names that successes of each operation hold, by the schemas of an OpenAPI document; what a gap says of the shape is left out. */
export function placesIn<Name extends string>(
  document: unknown,
  names: readonly Name[],
): ReadonlyMap<string, Place<Name>[]> {
  const inSchema = (schema: unknown, at: readonly string[]): Place<Name>[] => {
    if (!isObject(schema) || 'x-shape' in schema) return [];
    if (typeof schema.$ref === 'string') {
      const path = schema.$ref.split('/').slice(1);
      const record = names.find((name) => name === path.at(-1));
      return [...(record ? [{ record, at }] : []), ...inSchema(valueAt(document, path), at)];
    }
    const members = isObject(schema.properties) ? Object.entries(schema.properties) : [];
    return [
      ...inSchema(schema.items, [...at, '[]']),
      ...members.flatMap(([name, member]) => inSchema(member, [...at, name])),
    ];
  };
  const items = Object.values(membersOf(valueAt(document, ['paths'])));
  const operations = items.flatMap((item) => Object.values(membersOf(item)).filter(isObject));
  return new Map(
    operations.flatMap(({ operationId, responses }) => {
      const [, success] = Object.entries(membersOf(responses)).find(([status]) => status.startsWith('2')) ?? [];
      const schema = valueAt(success, ['content', 'application/json', 'schema']);
      return typeof operationId === 'string' ? [[operationId, inSchema(schema, [])]] : [];
    }),
  );
}

const membersOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => memberOf(membersOf(at), name), value);

/** The values at a place of an answer. */
export const valuesAt = (json: unknown, at: readonly string[]): unknown[] =>
  at.reduce<unknown[]>(
    (found, name) =>
      found.flatMap((value): unknown[] => {
        if (name === '[]') return Array.isArray(value) ? value : [];
        return isObject(value) ? [memberOf(value, name)] : [];
      }),
    [json],
  );
