import { type Api, apiFor } from '../core/api.ts';
import type { CompiledValidator } from '../core/validation/compile.ts';
import { type ErrorObject, errorPath, errorText } from '../core/validation/errors.ts';
import { recordOf } from '../core/validation/schemas.ts';
import { type AnyRecord, type Resource, tableOf } from '../core/world/resources.ts';
import type { TableName } from '../core/world/store.ts';
import type { World } from '../core/world/world.ts';
import { dereferenced } from './document.ts';
import { allowedBy } from './explain.ts';
import { recordValidator } from './plans.ts';
import { invalid, maxDetails, type RefusalDetail } from './refusal.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A record without its hidden fields. */
export const visibleRecord = (record: AnyRecord, { hidden }: Resource): AnyRecord =>
  Object.fromEntries(Object.entries(record).filter(([field]) => !hidden.includes(field))) as AnyRecord;

/** A record with `changes`, checked but not stored; throws Refusal naming the fields, the allowed values and examples. */
export async function editedRecord(
  world: World,
  resource: Resource,
  before: AnyRecord | undefined,
  changes: Fields,
): Promise<AnyRecord> {
  const sent = merged(before, changes);
  refuse(shapeProblems(recordValidator(resource.schema), visibleRecord(sent, resource), resource));
  const record = normalizeTimes(sent);
  refuse([...danglingReferences(world, resource, record), ...duplicates(world, resource, before, record)]);
  refuse(specProblems(await apiFor(world.answers), world, resource, record));
  return record;
}

function refuse(details: readonly RefusalDetail[]): void {
  if (details.length > 0) throw invalid(details);
}

/** A record with changed fields: `null` removes one, and claims of a user are merged one by one. */
export function merged(before: Fields | undefined, changes: Fields): AnyRecord {
  const record: Record<string, unknown> = { ...before };
  for (const [field, value] of Object.entries(changes)) {
    if (field === 'id' && before && value !== before.id)
      refuse([{ field, message: 'cannot be changed; delete the record and add another one', example: before.id }]);
    if (value === null) delete record[field];
    else if (field === 'sso' && typeof value === 'object') record[field] = { ...(before?.sso as object), ...value };
    else record[field] = value;
  }
  return record as AnyRecord;
}

/** Converts times to the store's format: UTC with milliseconds. */
function normalizeTimes(record: AnyRecord): AnyRecord {
  const times = Object.entries(record).filter(
    (member): member is [string, string] => member[0].endsWith('_at') && typeof member[1] === 'string',
  );
  return { ...record, ...Object.fromEntries(times.map(([field, value]) => [field, utc(field, value)])) };
}

function utc(field: string, value: string): string {
  const time = Date.parse(value);
  const iso = Number.isNaN(time) ? '' : new Date(time).toISOString();
  // A UTC offset may exceed the four-digit years; JavaScript does not parse leap seconds.
  if (!/^\d{4}-/.test(iso))
    refuse([{ field, message: 'is not a time in the years 0 to 9999', example: '2030-01-01T00:00:00.000Z' }]);
  return iso;
}

function shapeProblems(validate: CompiledValidator, record: AnyRecord, resource: Resource): RefusalDetail[] {
  if (validate(record)) return [];
  const schema = dereferenced({ $ref: `#/components/schemas/${resource.schema}` });
  const properties = schema.properties as Record<string, never>;
  const example = schema.example as Fields | undefined;
  return (validate.errors ?? []).slice(0, maxDetails).map((error) => {
    const [field = 'body'] = errorPath(error);
    const property = properties[field];
    return {
      field: errorPath(error).join('.') || 'body',
      message: errorText(error),
      allowed: property ? allowedBy(property) : `fields ${Object.keys(properties).join(', ')}`,
      ...(example?.[field] !== undefined && { example: example[field] }),
    };
  });
}

function danglingReferences(world: World, { references }: Resource, record: AnyRecord): RefusalDetail[] {
  return Object.entries(references).flatMap(([field, table]) =>
    world.store[table].get(String(record[field])) ? [] : [unknownId(world, table, field, record[field])],
  );
}

const maxIds = 5;

/** The error of a field whose value is not the id of a record, with some valid ids. */
export function unknownId({ store }: World, table: TableName, field: string, id: unknown): RefusalDetail {
  const some: string[] = [];
  for (const known of store[table].ids()) if (some.push(known) === maxIds) break;
  return {
    field,
    message: `${table} has no record with the id ${JSON.stringify(id)}`,
    allowed: `an id of ${table}: ${some.join(', ')}${some.length === maxIds ? ', …' : ''}`,
    example: some[0] ?? '',
  };
}

function duplicates(
  world: World,
  resource: Resource,
  before: AnyRecord | undefined,
  record: AnyRecord,
): RefusalDetail[] {
  const at = (of: AnyRecord | undefined, path: string): unknown =>
    path.split('.').reduce<unknown>((value, part) => (value as Fields | undefined)?.[part], of);
  return Object.entries(resource.unique).flatMap(([index, path]) => {
    const value = at(record, path);
    if (value === at(before, path)) return [];
    const key = index === 'email' ? String(value).toLowerCase() : String(value);
    const [other] = tableOf(world, resource)
      .lookup(index, key)
      .filter(({ id }) => id !== record.id);
    return other ? [{ field: path, message: `is already used by ${other.id}`, allowed: 'a unique value' }] : [];
  });
}

/** Violations of the resolved spec by the record as the API would return it. */
function specProblems({ validators }: Api, world: World, { inSpec }: Resource, record: AnyRecord): RefusalDetail[] {
  const validate = inSpec && validators(recordOf(inSpec.schema));
  if (!validate || validate(inSpec.present(record, world.answers))) return [];
  return (validate.errors ?? []).slice(0, maxDetails).map(specDetail);
}

function specDetail(error: ErrorObject): RefusalDetail {
  const values = error.params.allowedValues as readonly string[] | undefined;
  return {
    field: errorPath(error).join('.') || 'body',
    message: `would violate the spec: ${errorText(error)}`,
    ...(values && { allowed: values.join(', '), example: values[0] }),
  };
}
