import { memberOf, setMember } from '../../contract-tests/values/json.ts';
import { apiFor } from '../core/api.ts';
import type { JsonObject } from '../core/spec/json.ts';
import { checkedRecord, type FieldProblem, InvalidRecord } from '../core/world/edit.ts';
import type { AnyRecord, Resource } from '../core/world/resources.ts';
import type { World } from '../core/world/world.ts';
import { dereferenced } from './document.ts';
import { allowedBy } from './explain.ts';
import { invalid, invalidField, type RefusalDetail } from './refusal.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A record with `changes`, checked but not stored; throws Refusal naming the fields, the allowed values and examples. */
export async function editedRecord(
  world: World,
  resource: Resource,
  before: AnyRecord | undefined,
  changes: Fields,
): Promise<AnyRecord> {
  const sent = merged(before, changes);
  const api = await apiFor(world.answers);
  try {
    return checkedRecord(world, api, resource, before, sent);
  } catch (error) {
    if (error instanceof InvalidRecord) throw invalid(error.problems.map((problem) => detailOf(problem, resource)));
    throw error;
  }
}

/** A record with changed fields: `null` removes one, and claims of a user are merged one by one. */
export function merged(before: Fields | undefined, changes: Fields): AnyRecord {
  const record: Record<string, unknown> = { ...before };
  for (const [field, value] of Object.entries(changes)) {
    if (field === 'id' && before && value !== before.id)
      throw invalidField(field, 'cannot be changed; delete the record and add another one', { example: before.id });
    if (value === null) delete record[field];
    else if (field === 'sso' && typeof value === 'object') record[field] = { ...(before?.sso as object), ...value };
    else setMember(record, field, value);
  }
  return record as AnyRecord;
}

/** A problem with the values that its schema allows, and an example. */
function detailOf(problem: FieldProblem, resource: Resource): RefusalDetail {
  if (problem.allowed !== undefined) return problem;
  const schema = dereferenced({ $ref: `#/components/schemas/${resource.schema}` });
  const properties = schema.properties as Record<string, JsonObject>;
  const [name = ''] = problem.field.split('.');
  const property = memberOf(properties, name);
  const example = memberOf(schema.example as Fields | undefined, name);
  return {
    allowed: property ? allowedBy(property) : `fields ${Object.keys(properties).join(', ')}`,
    ...(example !== undefined && { example }),
    ...problem,
  };
}
