import { readSpec } from '../spec-data.ts';
import { isObject, memberOf } from '../values/json.ts';
import { RECORD_NAMES, type RecordName } from './records.ts';

/** Where answers hold a record: the names of members that lead to it, `[]` for each element of a list. */
export interface Place {
  record: RecordName;
  at: readonly string[];
}

const openapi = readSpec('openapi') as {
  paths: Record<string, Record<string, { operationId?: string; responses?: Record<string, unknown> }>>;
};

/** The records that successes of an operation hold, by the schema of its answer; what a gap says of the shape is left out. */
export function recordsReturnedBy(operationId: string): Place[] {
  const operations = Object.values(openapi.paths).flatMap((item) => Object.values(item));
  const { responses = {} } = operations.find((operation) => operation.operationId === operationId) ?? {};
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return placesIn(valueAt(success, ['content', 'application/json', 'schema']), []);
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (isObject(at) ? memberOf(at, name) : undefined), value);

function placesIn(schema: unknown, at: readonly string[]): Place[] {
  if (!isObject(schema) || 'x-shape' in schema) return [];
  if (typeof schema.$ref === 'string') {
    const path = schema.$ref.split('/').slice(1);
    const record = RECORD_NAMES.find((name) => name === path.at(-1));
    return [...(record ? [{ record, at }] : []), ...placesIn(valueAt(openapi, path), at)];
  }
  const members = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  return [
    ...placesIn(schema.items, [...at, '[]']),
    ...members.flatMap(([name, member]) => placesIn(member, [...at, name])),
  ];
}

/** The values at a place of an answer. */
export const valuesAt = (json: unknown, at: readonly string[]): unknown[] =>
  at.reduce<unknown[]>(
    (found, name) =>
      name === '[]'
        ? found.flatMap((value) => (Array.isArray(value) ? value : []))
        : found.flatMap((value) => (isObject(value) ? [memberOf(value, name)] : [])),
    [json],
  );
