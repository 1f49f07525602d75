import { sha256Number } from '../crypto.ts';
import { isObject, type JsonObject } from '../spec/document.ts';
import type { Json } from '../spec/gaps.ts';
import type { CompiledValidator } from '../validation/compile.ts';
import { type Finding, findingsOf } from '../validation/refusal.ts';
import { invented } from './invented.ts';
import { dereferencedIn } from './openapi-references.ts';
import type { RouteRequest, RouteTurn } from './route.ts';

export interface OperationContract {
  readonly status: number;
  readonly findings: (request: RouteRequest) => readonly Finding[];
  /** The value to answer with; `problem`: why its schema refuses the invented value. */
  readonly answerFor: (turn: RouteTurn) => Promise<Value>;
  /** Examples that violate their schema. */
  readonly notes: readonly string[];
  /** For the mock's document: without references. */
  readonly listed: JsonObject;
}

interface Value {
  readonly mediaType?: string | undefined;
  readonly value?: unknown;
  readonly problem?: string | undefined;
}

const documentId = 'custom-routes';

/** A function that compiles the operations of a document; `inherited`: the parameters of their path. */
export async function contractsOf(document: JsonObject) {
  const { newAjv } = await import('../validation/ajv.ts');
  const of = dereferencedIn(document);
  // Only schemas have references; `components` contains their targets.
  const ajv = { bodies: newAjv({ allErrors: true }), parameters: newAjv({ allErrors: true, coerceTypes: 'array' }) };
  for (const each of Object.values(ajv)) each.addSchema({ $id: documentId, ...document });
  const absolute = (schema: JsonObject): JsonObject =>
    JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${documentId}#/`)) as JsonObject;
  const compile = (half: keyof typeof ajv, schema: JsonObject): CompiledValidator =>
    ajv[half].compile(absolute(schema));

  return (operation: JsonObject, inherited: readonly JsonObject[]): OperationContract => {
    const parameters = mergedParameters(inherited.map(of), ((operation.parameters ?? []) as JsonObject[]).map(of));
    const validParameters = compile('parameters', parameterSchema(parameters));
    const body = of(operation.requestBody);
    const [, sentMedia] = jsonMedia(body.content);
    const validBody = sentMedia?.schema === undefined ? undefined : compile('bodies', inPlace(sentMedia.schema));
    const { status, response } = successOf(operation, of);
    const [mediaType, media] = jsonMedia(response.content);
    const schema = media?.schema as JsonObject | undefined;
    const validAnswer = schema && compile('bodies', schema);
    const example = media && exampleOf(media, of);
    const problemOf = (value: unknown): string | undefined => {
      if (!validAnswer || validAnswer(value)) return undefined;
      const [error] = validAnswer.errors ?? [];
      return `body${error?.instancePath ?? ''} ${error?.message ?? 'is not valid'}`;
    };
    const refused = example && problemOf(example.value);
    return {
      status,
      notes: refused === undefined ? [] : [`the example of its answer does not fit its schema: ${refused}`],
      findings: ({ params, query, headers, body: sent }) => {
        // The validator coerces parameters in place.
        const places = { params: { ...params }, query: { ...query }, headers: { ...headers } };
        return [
          ...(validParameters(places) ? [] : findingsOf(validParameters.errors)),
          ...bodyFindings(sent, body.required === true, validBody),
        ];
      },
      answerFor: async ({ routeWorld, request }) => {
        if (!media) return {};
        if (example) return { mediaType, value: example.value };
        const faker = await routeWorld.faker();
        // Seeded by the URL, not by the turn: repeated reads are equal.
        faker.seed(sha256Number(`${routeWorld.seed} ${request.method} ${request.url}`));
        const value = invented(schema ?? {}, { faker, of });
        return { mediaType, value, problem: problemOf(value) };
      },
      listed: listedOperation(operation, parameters, status),
    };
  };
}

function bodyFindings(sent: unknown, isRequired: boolean, validate: CompiledValidator | undefined): readonly Finding[] {
  if (sent === undefined)
    return isRequired ? [{ path: '/body', message: 'The body is missing.', keyword: 'required' }] : [];
  return !validate || validate({ body: sent }) ? [] : findingsOf(validate.errors);
}

/** The schema of a body, wrapped so that the path of a finding starts with its place in the request. */
const inPlace = (schema: Json): JsonObject => ({ type: 'object', properties: { body: schema } });

const mergedParameters = (inherited: readonly JsonObject[], own: readonly JsonObject[]): JsonObject[] => {
  const isSame = (one: JsonObject, other: JsonObject): boolean => one.name === other.name && one.in === other.in;
  return [...inherited.filter((one) => !own.some((other) => isSame(one, other))), ...own];
};

function parameterSchema(parameters: readonly JsonObject[]): JsonObject {
  const of = (place: string): JsonObject => {
    const found = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema = {}, required }) => ({
        name: place === 'header' ? String(name).toLowerCase() : String(name),
        schema,
        isRequired: required === true,
      }));
    return {
      type: 'object',
      properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema])),
      required: found.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    };
  };
  return { type: 'object', properties: { query: of('query'), params: of('path'), headers: of('header') } };
}

/** The success answer of a document: the lowest 2xx, or the default one, or the lowest of all. */
function successOf(operation: JsonObject, of: (element: Json | undefined) => JsonObject) {
  const responses = operation.responses as JsonObject;
  const names = Object.keys(responses).sort();
  const name = names.find((one) => one.startsWith('2')) ?? (responses.default ? 'default' : names[0]);
  const status = /^\d{3}$/.test(name ?? '') ? Number(name) : 200;
  return { status, response: of(responses[name ?? '']) };
}

/** The JSON of a content, or else its first media type. */
function jsonMedia(content: Json | undefined): [string, JsonObject] | [undefined, undefined] {
  const all = Object.entries(isObject(content) ? content : {});
  const [type, media] = all.find(([name]) => /json/.test(name)) ?? all[0] ?? [];
  return type !== undefined && isObject(media)
    ? [type.replace('*/*', 'application/json'), media]
    : [undefined, undefined];
}

function exampleOf(media: JsonObject, of: (element: Json | undefined) => JsonObject): { value: Json } | undefined {
  if (media.example !== undefined) return { value: media.example };
  const [first] = isObject(media.examples) ? Object.values(media.examples).map(of) : [];
  return first && 'value' in first ? { value: first.value as Json } : undefined;
}

/** The operation for the mock's document, whose components differ: without schemas that have references. */
function listedOperation(operation: JsonObject, parameters: readonly JsonObject[], status: number): JsonObject {
  const { summary, description } = operation;
  return {
    summary: summary ?? description ?? 'A custom route.',
    parameters: parameters
      .filter((parameter) => parameter.in !== 'path' && parameter.in !== 'cookie')
      .map(({ name, in: place, required = false }) => ({ name, in: place, required, schema: {} }) as JsonObject),
    responses: { [String(status)]: { description: 'As your document says.' } },
  };
}
