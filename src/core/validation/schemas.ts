import { asText, memberOf, setMember } from '../../../contract-tests/values/json.ts';
import { type ApiDocument, isObject, type JsonObject, operationsOf } from '../spec/document.ts';
import { dereferenced, type Json } from '../spec/json.ts';

// Names of compiled schemas. They are property names of a generated module.
export const parametersOf = (operation: string): string => `${operation}_parameters`;
export const bodyOf = (operation: string): string => `${operation}_body`;
export const answerOf = (operation: string): string => `${operation}_answer`;
export const errorAnswer = 'error_answer';
export const recordOf = (schema: string): string => `${schema}_record`;

/** Schemas of the API's records, against which the control plane validates what it stores. */
export const recordSchemas = ['User', 'Recording', 'TenantApiKey'] as const;

/** Schema of a fault's terms in spec/control.yaml. Here, because the build names it before the validators exist. */
export const faultTerms = 'FaultTerms';

/** The schema at a path of names within a schema; undefined if it does not describe the path. */
export const schemaAt = (root: JsonObject, names: readonly string[], document: ApiDocument): JsonObject | undefined =>
  names.reduce<JsonObject | undefined>(
    (parent, name) => {
      const { properties, items, additionalProperties } = parent ?? {};
      const property = (isObject(properties) ? memberOf(properties, name) : undefined) ?? additionalProperties;
      const member = isObject(items) && /^\d+$/.test(name) ? items : property;
      return isObject(member) ? dereferenced(member, document) : undefined;
    },
    dereferenced(root, document),
  );

/** The parameters of an operation: its own and its path's. */
export function parametersIn(document: ApiDocument, path: string, own: readonly JsonObject[] = []): JsonObject[] {
  return [...own, ...(memberOf(document.paths, path)?.parameters ?? [])].map((one) => dereferenced(one, document));
}

/** The schemas of a document: each operation's parameters, request body and success response, the error response, and `named` components. */
export function schemasOf(document: ApiDocument, allowUnknownQuery = false, named: readonly string[] = recordSchemas) {
  const parameters: Record<string, JsonObject> = {};
  const bodies: Record<string, JsonObject> = {};
  for (const { path, operation } of operationsOf(document)) {
    const { operationId: id, requestBody, responses } = operation;
    setMember(
      parameters,
      parametersOf(id),
      parameterSchema(parametersIn(document, path, operation.parameters), allowUnknownQuery),
    );
    const body = requestBody?.content['application/json']?.schema;
    // The path of a finding starts with its place in the request.
    if (body) setMember(bodies, bodyOf(id), { type: 'object', properties: { body }, required: ['body'] });
    const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
    const answer = success && jsonSchemaOf(dereferenced(success as JsonObject, document));
    if (answer) setMember(bodies, answerOf(id), answer);
  }
  for (const name of named) setMember(bodies, recordOf(name), { $ref: `#/components/schemas/${name}` });
  const error = document.components.responses.Error;
  const schema = error && jsonSchemaOf(error as JsonObject);
  if (schema) bodies[errorAnswer] = schema;
  return { parameters, bodies };
}

function parameterSchema(parameters: readonly JsonObject[], allowUnknownQuery: boolean): JsonObject {
  const of = (place: string, isOpen: boolean): JsonObject => {
    const found = parameters.filter((parameter) => parameter.in === place);
    return {
      type: 'object',
      properties: Object.fromEntries(
        found.map(({ name, schema = {}, allowEmptyValue }) => [
          asText(name),
          valueSchema(schema, isOpen || allowEmptyValue === true),
        ]),
      ),
      // No parameter is an object: `provider[a]=b` is an invalid provider, not an unknown parameter.
      patternProperties: Object.fromEntries(found.map(({ name }) => [`^${asText(name)}\\[`, false])),
      required: found.filter(({ required }) => required === true).map(({ name }) => asText(name)),
      additionalProperties: isOpen,
    };
  };
  const places = { query: of('query', allowUnknownQuery), params: of('path', true), headers: of('header', true) };
  return { type: 'object', properties: places };
}

/** Strict parameters must not be empty either unless they say so, as in express-openapi-validator. */
const valueSchema = (schema: Json, mayBeEmpty: boolean): Json =>
  mayBeEmpty ? schema : { allOf: [schema], minLength: 1 };

function jsonSchemaOf({ content }: JsonObject): JsonObject | undefined {
  const [media] = Object.values((content ?? {}) as JsonObject);
  return isObject(media) && isObject(media.schema) ? media.schema : undefined;
}
