import { type ApiDocument, isObject, type JsonObject, operationsOf } from '../spec/document.ts';
import type { Json } from '../spec/gaps.ts';
import type { SchemaSet } from './compile.ts';

// Names of compiled schemas. They are property names of a generated module.
export const parametersOf = (operation: string): string => `${operation}_parameters`;
export const bodyOf = (operation: string): string => `${operation}_body`;
export const answerOf = (operation: string): string => `${operation}_answer`;
export const errorAnswer = 'error_answer';
export const recordOf = (schema: string): string => `${schema}_record`;

/** Schemas of the API's records, by which the control plane checks what it stores. */
export const recordSchemas = ['User', 'Recording', 'TenantApiKey'] as const;

export interface SchemaOptions {
  /** Whether query parameters that the document does not name are let through. Default: no. */
  readonly takesUnknownQuery?: boolean;
  /** Names of components that are compiled by themselves, too. */
  readonly named?: readonly string[];
}

/** What a `$ref` of the document points to; anything else is itself. */
export function dereferenced(element: JsonObject, document: ApiDocument): JsonObject {
  if (typeof element.$ref !== 'string') return element;
  const { $ref, ...own } = element;
  const target = ($ref as string)
    .split('/')
    .slice(1)
    .reduce<unknown>((value, part) => (value as JsonObject)[part], document);
  return { ...dereferenced(target as JsonObject, document), ...own };
}

/** A parameter of an operation, its own or its path's. */
export function parametersIn(document: ApiDocument, path: string, own: readonly JsonObject[] = []): JsonObject[] {
  return [...own, ...(document.paths[path]?.parameters ?? [])].map((one) => dereferenced(one, document));
}

/**
 * Every schema that a document holds requests and answers against: of each operation its parameters, its body and its
 * one success; and, where the document has one, the error.
 */
export function schemasOf(
  document: ApiDocument,
  { takesUnknownQuery = false, named = recordSchemas }: SchemaOptions = {},
): SchemaSet {
  const parameters: Record<string, JsonObject> = {};
  const bodies: Record<string, JsonObject> = {};
  for (const { path, operation } of operationsOf(document)) {
    const { operationId: id, requestBody, responses } = operation;
    parameters[parametersOf(id)] = parameterSchema(
      parametersIn(document, path, operation.parameters),
      takesUnknownQuery,
    );
    const body = requestBody?.content['application/json']?.schema;
    if (body) bodies[bodyOf(id)] = inPlace('body', body);
    const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
    const answer = success && jsonSchemaOf(dereferenced(success as unknown as JsonObject, document));
    if (answer) bodies[answerOf(id)] = answer;
  }
  for (const name of named) bodies[recordOf(name)] = { $ref: `#/components/schemas/${name}` };
  const error = document.components.responses.Error;
  const schema = error && jsonSchemaOf(error as unknown as JsonObject);
  if (schema) bodies[errorAnswer] = schema;
  return { parameters, bodies };
}

/** Wrapped, so that a finding's path begins with the place in the request. */
const inPlace = (place: string, schema: JsonObject): JsonObject => ({
  type: 'object',
  properties: { [place]: schema },
  required: [place],
});

function parameterSchema(parameters: readonly JsonObject[], takesUnknownQuery: boolean): JsonObject {
  const of = (place: string, isOpen: boolean): JsonObject => {
    const found = parameters.filter((parameter) => parameter.in === place);
    return {
      type: 'object',
      properties: Object.fromEntries(found.map(({ name, schema = {} }) => [String(name), valueSchema(schema, isOpen)])),
      // No parameter is an object: `provider[a]=b` is a wrong provider, not an unknown parameter.
      patternProperties: Object.fromEntries(found.map(({ name }) => [`^${String(name)}\\[`, false])),
      required: found.filter(({ required }) => required === true).map(({ name }) => String(name)),
      additionalProperties: isOpen,
    };
  };
  const places = { query: of('query', takesUnknownQuery), params: of('path', true), headers: of('header', true) };
  return { type: 'object', properties: places };
}

/** Where parameters must be known, they must also say something, as express-openapi-validator has it. */
const valueSchema = (schema: Json, isOpen: boolean): Json =>
  isOpen ? schema : { allOf: [schema], not: { const: '' } };

/** The schema of an answer's JSON, whatever its media type is called. */
function jsonSchemaOf({ content }: JsonObject): JsonObject | undefined {
  const [media] = Object.values((content ?? {}) as JsonObject);
  return isObject(media) && isObject(media.schema) ? media.schema : undefined;
}
