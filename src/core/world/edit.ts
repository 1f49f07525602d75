import { asText, memberOf } from '../../../contract-tests/values/json.ts';
import type { Api } from '../api.ts';
import { records } from '../generated/validators.js';
import type { components } from '../spec/control-types.ts';
import { memberAt } from '../spec/json.ts';
import type { CompiledValidator } from '../validation/compile.ts';
import { errorPath, errorText, maxDetails } from '../validation/refusal.ts';
import { recordOf } from '../validation/schemas.ts';
import { type AnyRecord, type Resource, tableOf, visibleRecord } from './resources.ts';
import type { TableName } from './store.ts';
import type { World } from './world.ts';

/** Its allowed values are there if they are not those of its schema. */
export type FieldProblem = NonNullable<components['schemas']['Error']['error']['details']>[number];

/** A record that must not be stored. */
export class InvalidRecord extends Error {
  override readonly name = 'InvalidRecord';

  constructor(
    { schema }: Resource,
    { id }: AnyRecord,
    readonly problems: readonly FieldProblem[],
  ) {
    super(`${schema} ${id}: ${problems.map(({ field, message }) => `${field}: ${message}`).join('; ')}`);
  }
}

/** A record as it is stored in the place of `before`, times in UTC. Throws InvalidRecord also for what the API could not return. */
export function checkedRecord(
  world: World,
  api: Api,
  resource: Resource,
  before: AnyRecord | undefined,
  sent: AnyRecord,
): AnyRecord {
  const refuse = (problems: readonly FieldProblem[]): void => {
    if (problems.length > 0) throw new InvalidRecord(resource, sent, problems);
  };
  const { schema, inSpec } = resource;
  refuse(problemsOf(memberOf(records, recordOf(schema)), visibleRecord(sent)));
  const times = Object.entries(sent).filter(([field, value]) => field.endsWith('_at') && typeof value === 'string');
  refuse(times.filter(([, value]) => !isoOf(value)).map(([field]) => ({ ...outOfRange, field })));
  const record = { ...sent, ...Object.fromEntries(times.map(([field, value]) => [field, isoOf(value)])) };
  refuse([...danglingReferences(world, resource, record), ...duplicates(world, resource, before, record)]);
  if (!inSpec) return record;
  const presented = inSpec.present(record, world.answers);
  refuse(problemsOf(api.validators(recordOf(inSpec.schema)), presented, 'would violate the spec: '));
  return record;
}

function problemsOf(validate: CompiledValidator | undefined, value: unknown, prefix = ''): FieldProblem[] {
  if (!validate || validate(value)) return [];
  return (validate.errors ?? []).slice(0, maxDetails).map((error) => {
    const values = error.params.allowedValues as readonly string[] | undefined;
    return {
      field: errorPath(error).join('.') || 'body',
      message: `${prefix}${errorText(error)}`,
      ...(values && { allowed: values.join(', '), example: values[0] }),
    };
  });
}

const outOfRange = { message: 'is not a time in the years 0 to 9999', example: '2030-01-01T00:00:00.000Z' };

/** Undefined for leap seconds, which JavaScript does not parse, and years with more than four digits: UTC may have them. */
function isoOf(time: unknown): string | undefined {
  const parsed = Date.parse(asText(time));
  const iso = Number.isNaN(parsed) ? '' : new Date(parsed).toISOString();
  return /^\d{4}-/.test(iso) ? iso : undefined;
}

const danglingReferences = (world: World, { references = {} }: Resource, record: AnyRecord): FieldProblem[] =>
  Object.entries(references).flatMap(([field, table]) =>
    world.store[table].get(asText(memberOf(record, field)))
      ? []
      : [unknownId(world, table, field, memberOf(record, field))],
  );

const maxIds = 5;

/** The problem of a field whose value is not the id of a record, with some valid ids. */
export function unknownId({ store }: World, table: TableName, field: string, id: unknown): FieldProblem {
  const some: string[] = [];
  for (const known of store[table].ids()) if (some.push(known) === maxIds) break;
  return {
    field,
    message: `${table} has no record with the id ${JSON.stringify(id)}`,
    allowed: `an id of ${table}: ${some.join(', ')}${some.length === maxIds ? ', …' : ''}`,
    example: some[0] ?? '',
  };
}

function duplicates(world: World, resource: Resource, before: AnyRecord | undefined, record: AnyRecord) {
  return Object.entries(resource.unique ?? {}).flatMap(([index, path]) => {
    const value = memberAt(record, path.split('.'));
    if (value === memberAt(before, path.split('.'))) return [];
    const key = index === 'email' ? asText(value).toLowerCase() : asText(value);
    const other = tableOf(world, resource)
      .lookup(index, key)
      .find(({ id }) => id !== record.id);
    return other ? [{ field: path, message: `is already used by ${other.id}`, allowed: 'a unique value' }] : [];
  });
}
