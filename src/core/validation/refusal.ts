import type { ErrorObject } from 'ajv';
import { asText, hasMember, memberOf } from '../../../contract-tests/values/json.ts';
import { apiError } from '../operations/api-error.ts';
import type { Answers } from '../profiles/answers.ts';
import {
  type ApiDocument,
  apiTemplate,
  isObject,
  type JsonObject,
  type OperationId,
  operationsOf,
} from '../spec/document.ts';
import type { GapId, Json } from '../spec/gaps.ts';
import { parametersIn } from './schemas.ts';

/** The path of a validation error; for missing and unknown properties it includes the property. */
export function errorPath(error: ErrorObject): string[] {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const own = error.params.additionalProperty ?? error.params.missingProperty;
  return own === undefined ? path : [...path, asText(own)];
}

/** The message of a validation error, with the allowed values of an enum. */
export function errorText(error: ErrorObject): string {
  if (error.keyword === 'enum')
    return `must be one of ${(error.params.allowedValues as unknown[]).map(asText).join(', ')}`;
  if (['additionalProperties', 'false schema'].includes(error.keyword)) return 'is unknown';
  if (error.keyword === 'required') return 'is missing';
  return error.message ?? error.keyword;
}

export type Finding = Readonly<ReturnType<typeof findingsOf>[number]>;

/** The errors with their paths: `/body/title`, `/query/limit`; the body itself is `/body`. */
export const findingsOf = (errors: readonly ErrorObject[] | null | undefined) =>
  (errors ?? []).map((error) => ({
    path: `/${errorPath(error).join('/')}`,
    message: errorText(error),
    keyword: error.keyword,
  }));

/** Maximum number of findings in a refusal: more are usually one repeated mistake. */
export const maxDetails = 20;

/** What a request sent. */
interface Sent {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export function invalidRequest(
  findings: readonly Finding[],
  operation: OperationId | undefined,
  answers: Answers,
  sent?: Sent,
) {
  const told = findings.slice(0, maxDetails);
  const details = told.map(({ path, message }) => ({
    field: fieldOf(path).slice(0, 200),
    message: message.slice(0, 500),
  }));
  const gaps = new Set(
    told.flatMap(({ path, keyword }) => (operation ? gapsBehind(operation, path, keyword, sent) : [])),
  );
  const fields = [...new Set(details.map((detail) => detail.field))].join(', ');
  return apiError(answers, 'validation', `The request is not valid: ${fields}.`, {
    details,
    gaps: [...gaps],
    operation,
  });
}

/** `/body/title` -> `title`; the body itself is `body`; a value of a parameter is the parameter. */
function fieldOf(path: string): string {
  const [, place = '', ...parts] = path.split('/');
  return parts.slice(0, place === 'query' ? 1 : undefined).join('.') || place || 'request';
}

/** The gaps whose answers make a request invalid: the x-gap of the schema at the path (`/body/title`) or its nearest ancestor, if not documented. */
export function gapsBehind(operation: string, path: string, keyword: string, sent?: Sent): readonly GapId[] {
  const [, place = '', ...parts] = path.split('/');
  const target = operationById(operation);
  if (!target) return [];
  // Unknown under the answers in force, although the document has it under others.
  if (place === 'query' && keyword === 'additionalProperties' && parts.length === 1) return ['unknown-query'];
  if (place === 'body' && keyword === 'additionalProperties' && parts.length === 1) return ['unknown-field'];
  if (place !== 'body') {
    const parameter = target.parameters.find((one) => one.in === place && one.name === parts[0]);
    if (!parameter) return place === 'query' ? ['unknown-query'] : [];
    const ofForm = filterGap(parts[0], sent?.query);
    if (ofForm) return [ofForm];
    const schema = isObject(parameter.schema) ? schemasAt(parameter.schema) : [];
    return gapsOf([[parameter, ...schema]], keyword, []);
  }
  const body = target.operation.requestBody;
  if (!isObject(body)) return [];
  const media = (body.content as JsonObject)['application/json'] as JsonObject;
  // A missing property is an error of the object that lacks it.
  const owner = keyword === 'required' ? parts.slice(0, -1) : parts;
  const { places, rest } = descend(media.schema as JsonObject, owner);
  const gaps = gapsOf([[body], ...places], keyword, rest);
  // Null has its own gap.
  const isNull = valueAt(sent?.body, parts) === null;
  return keyword === 'type' && gaps.length > 1 ? gaps.filter((gap) => (gap === 'null-field') === isNull) : gaps;
}

/** The gap of a filter that is empty, or sent more than once. */
function filterGap(name: string | undefined, query: Sent['query'] = {}): GapId | undefined {
  if (name !== 'provider' && name !== 'status') return undefined;
  const values = [memberOf(query, name)].flat();
  if (values.length > 1) return `repeated-${name}-filter`;
  return values[0] === '' ? `empty-${name}-filter` : undefined;
}

const valueAt = (value: unknown, parts: readonly string[]): unknown =>
  parts.reduce((at, part) => memberOf(at as Readonly<Record<string, unknown>> | undefined, part), value);

/** An operation as spec/openapi.yaml has it. */
export function operationById(id: string) {
  const document = apiTemplate() as unknown as ApiDocument;
  const found = operationsOf(document).find(({ operation }) => operation.operationId === id);
  if (!found) return undefined;
  const { operation, path } = found;
  return { operation, parameters: parametersIn(document, path, operation.parameters) };
}

const listOf = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** All schemas of one place: a schema, the target of its reference, and its allOf. */
function schemasAt(schema: JsonObject): JsonObject[] {
  const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(asText(schema.$ref)) ?? [];
  const { schemas } = apiTemplate().components as { schemas: Record<string, JsonObject> };
  const target = name === undefined ? undefined : memberOf(schemas, name);
  return [schema, ...(target ? schemasAt(target) : []), ...listOf(schema.allOf).flatMap(schemasAt)];
}

/** The schemas along a path, and the rest of the path that no schema describes. */
function descend(schema: JsonObject, parts: readonly string[]): { places: JsonObject[][]; rest: readonly string[] } {
  const place = schemasAt(schema);
  const [part, ...more] = parts;
  if (part === undefined) return { places: [place], rest: [] };
  const next = place
    .map(({ properties, items }) => (isObject(properties) ? memberOf(properties, part) : items))
    .find(isObject);
  if (!next) return { places: [place], rest: parts };
  const below = descend(next, more);
  return { places: [place, ...below.places], rest: below.rest };
}

/** The gaps of the innermost place with a citation; of several gaps, those whose answers change the keyword. */
function gapsOf(places: readonly JsonObject[][], keyword: string, rest: readonly string[]): readonly GapId[] {
  const place = places.findLast((one) => one.some((element) => 'x-gap' in element || 'x-source' in element));
  const element = place?.find((one) => 'x-gap' in one);
  const gaps = [element?.['x-gap'] ?? []].flat() as GapId[];
  if (gaps.length < 2) return gaps;
  const keywords = rest.length > 0 ? ['properties', 'additionalProperties'] : [keyword];
  const changing = gaps.filter((gap) => keywords.some((one) => isChangedBy(element, gap, one)));
  // Else those that make the element what it is.
  const { 'x-cases': cases } = element ?? {};
  return changing.length > 0 ? changing : gaps.filter((gap) => !isObject(cases) || !hasMember(cases, gap));
}

function isChangedBy(element: JsonObject | undefined, gap: GapId, keyword: string): boolean {
  const { 'x-cases': cases, 'x-set': set } = element ?? {};
  if (isObject(set) && memberOf(set, keyword) === gap) return true;
  const patches = isObject(cases) && isObject(cases[gap]) ? Object.values(cases[gap]) : [];
  return patches.some((patch) => isObject(patch) && hasMember(patch, keyword));
}
