import { asText } from '../../contract-tests/values/json.ts';
import { isObject, type JsonObject, type OperationObject } from '../core/spec/document.ts';
import { type Json, memberAt } from '../core/spec/json.ts';
import type { Finding } from '../core/validation/refusal.ts';
import { parametersIn, schemaAt } from '../core/validation/schemas.ts';
import { controlDocument, dereferenced } from './document.ts';
import type { ControlPlan } from './plans.ts';
import type { RefusalDetail } from './refusal.ts';

/** A finding as a detail of the refusal: the field, the allowed values and an example. */
export function explain(
  { path, message }: Pick<Finding, 'path' | 'message'>,
  plan: Pick<ControlPlan, 'path' | 'operation'>,
): RefusalDetail {
  const { operation } = plan;
  const [place = '', ...rest] = path.split('/').slice(1);
  const field = rest.join('.') || place || 'request';
  if (place === 'body') return { field, message, ...inBody(rest, operation) };
  const parameters = parametersIn(controlDocument(), plan.path, operation.parameters);
  const parameter = parameters.find(({ name }) => name === rest[0]);
  if (parameter) {
    const schema = parameter.schema as JsonObject;
    return { field, message: inWords(message, schema), ...hintsFor(schema, parameter.example) };
  }
  const names = parameters.filter((one) => one.in === place).map(({ name }) => asText(name));
  return { field, message, allowed: names.length > 0 ? `parameters ${names.join(', ')}` : 'no parameters' };
}

/** Patterns are for machines: omitted if the schema describes the allowed values in words. */
const inWords = (message: string, schema: JsonObject): string =>
  message.startsWith('must match pattern') && dereferenced(schema).description !== undefined
    ? 'is not in the allowed format'
    : message;

function inBody(parts: readonly string[], operation: OperationObject): Partial<RefusalDetail> {
  const content = operation.requestBody?.content['application/json'] as (JsonObject & { example?: Json }) | undefined;
  if (!content) return { allowed: 'no body' };
  const example = content.example;
  const root = content.schema as JsonObject;
  const schema = schemaAt(root, parts, controlDocument());
  if (schema && parts.length > 0) return hintsFor(schema, memberAt(example, parts) as Json | undefined);
  // An unknown member: its parent lists the known ones.
  const parent = schemaAt(root, parts.slice(0, -1), controlDocument()) ?? dereferenced(root);
  const known = Object.keys((parent.properties ?? {}) as JsonObject);
  return { ...(known.length > 0 && { allowed: `fields ${known.join(', ')}` }), example };
}

function hintsFor(schema: JsonObject, example: Json | undefined): Partial<RefusalDetail> {
  const allowed = allowedBy(schema);
  const suggested = example ?? dereferenced(schema).default;
  return { ...(allowed !== '' && { allowed }), ...(suggested !== undefined && { example: suggested }) };
}

/** The values that a schema allows, for messages. */
export function allowedBy(schema: JsonObject): string {
  const { type, enum: values, minimum, maximum, description, format, anyOf, items } = dereferenced(schema);
  if (Array.isArray(values)) return values.map(asText).join(', ');
  if (Array.isArray(anyOf))
    return asText(description ?? anyOf.map((one) => allowedBy(one as JsonObject)).join(', or '));
  const parts = [Array.isArray(type) ? type.map(asText).join(' or ') : type, format];
  if (minimum !== undefined || maximum !== undefined)
    parts.push(`from ${asText(minimum ?? 'any')} to ${asText(maximum ?? 'any')}`);
  if (isObject(items)) parts.push(`of ${allowedBy(items)}`);
  const text = parts
    .filter((part) => part !== undefined)
    .map(asText)
    .join(' ');
  return description === undefined ? text : `${text} (${asText(description)})`;
}
