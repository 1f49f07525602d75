import { asText, memberOf } from '../../../contract-tests/values/json.ts';
import { problemWith } from '../api.ts';
import { sha256Number } from '../crypto.ts';
import { pathMatcher } from '../routes.ts';
import { dereferenced, isObject, type Json, type JsonObject, mapMembers, objectsIn, targetOf } from '../spec/json.ts';
import type { CompiledValidator } from '../validation/compile.ts';
import { findingsOf, invalidRequest } from '../validation/refusal.ts';
import type { RouteName } from './compile.ts';
import { invented } from './invented.ts';
import type { Route, RouteAnswer, RouteAuth, RouteProblem, RouteRequest } from './route.ts';

/** A custom OpenAPI document: 3.0 or 3.1, in one file. */
export type OpenApiDocument = { readonly openapi: string; readonly paths?: object };

export const isOpenApi = (value: unknown): boolean => isObject(value) && ('openapi' in value || 'swagger' in value);

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const auths: readonly unknown[] = ['none', 'required', 'administrator'];

/** A document's operations as routes, which validate requests and answer with an example or a value by the schema. `nameOf` takes methods in lower case. */
export async function openApiRoutes(sent: OpenApiDocument, nameOf: (path: string, method: string) => RouteName) {
  const problems = documentProblems(sent as unknown as JsonObject);
  if (problems.length > 0) return { routes: [], problems, notes: [] };
  const document = normalized(sent as unknown as JsonObject);
  const of: Dereference = (element) => (isObject(element) ? dereferenced(element, document) : {});
  const compile = await compilerFor(document);
  const routes: Route[] = [];
  /** Examples that violate their schema; they are served nevertheless. */
  const notes: RouteProblem[] = [];
  for (const [path, sentItem] of Object.entries(document.paths as JsonObject)) {
    const item = of(sentItem);
    for (const method of methods) {
      if (!isObject(item[method])) continue;
      const at = ['paths', path, method];
      const inherited = (item.parameters ?? []) as JsonObject[];
      try {
        const { note, ...answering } = contractOf(of(item[method]), inherited, of, compile);
        if (note !== undefined)
          notes.push({ path: at, text: `the example of its answer does not fit its schema: ${note}` });
        const place = { ...nameOf(path, method), method: method.toUpperCase(), path, paramsOf: pathMatcher(path) };
        const always = { times: undefined, when: undefined, isTotal: true };
        routes.push({ ...place, ...always, ...answering });
      } catch (error) {
        problems.push({ path: at, text: `cannot be used: ${(error as Error).message}` });
      }
    }
  }
  return { routes, problems, notes };
}

function documentProblems(document: JsonObject): RouteProblem[] {
  const version = asText(document.openapi ?? document.swagger);
  const member = 'openapi' in document ? 'openapi' : 'swagger';
  if (!/^3\.[01]\./.test(version))
    return [{ path: [member], text: `OpenAPI ${version} is not supported; allowed: 3.0, 3.1` }];
  if (!isObject(document.paths)) return [{ path: ['paths'], text: 'paths is missing: the operations to serve' }];
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.map((method) => ({ path: ['paths', path, method], operation: isObject(item) ? item[method] : undefined })),
  );
  const ofOperations = operations.flatMap(({ path, operation }) => {
    if (!isObject(operation)) return operation === undefined ? [] : [{ path, text: 'must be an operation' }];
    if (!isObject(operation.responses)) return [{ path: [...path, 'responses'], text: 'responses is missing' }];
    const { 'x-mock-auth': auth = 'none' } = operation;
    return auths.includes(auth)
      ? []
      : [{ path: [...path, 'x-mock-auth'], text: `x-mock-auth must be one of ${auths.map(asText).join(', ')}` }];
  });
  return [...ofOperations, ...referenceProblems(document)];
}

/** References that are unresolved, or lead out of the document. */
function referenceProblems(document: JsonObject): RouteProblem[] {
  const problemOf = ($ref: string): string | undefined => {
    if (!$ref.startsWith('#/')) return 'is in another file, which is not read: bundle them into one';
    if (targetOf(document, $ref) === undefined) return 'leads nowhere';
    const isRound = dereferenced({ $ref }, document).$ref !== undefined;
    return isRound ? 'leads back to itself, through references alone' : undefined;
  };
  return Array.from(objectsIn(document)).flatMap(({ object: { $ref }, path }) => {
    const problem = typeof $ref === 'string' ? problemOf($ref) : undefined;
    return problem === undefined ? [] : [{ path: [...path, '$ref'], text: `${asText($ref)} ${problem}` }];
  });
}

/** A copy as JSON Schema: OpenAPI 3.0 writes `exclusiveMinimum: true` with `minimum`, and `nullable: true`. */
function normalized<T extends Json>(value: T): T {
  const copy = mapMembers(value, normalized);
  if (!isObject(copy)) return copy as T;
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof copy[exclusive] !== 'boolean') continue;
    if (copy[exclusive]) {
      copy[exclusive] = copy[bound] ?? 0;
      delete copy[bound];
    } else delete copy[exclusive];
  }
  return orNull(copy) as T;
}

function orNull({ nullable, ...schema }: JsonObject): JsonObject {
  if (typeof nullable !== 'boolean') return nullable === undefined ? schema : { ...schema, nullable };
  if (!nullable) return schema;
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const typed = { ...schema, type: [schema.type, 'null'] };
  return Array.isArray(schema.enum) ? { ...typed, enum: [...schema.enum, null] } : typed;
}

type Dereference = (element: Json | undefined) => JsonObject;
type Compile = (half: 'bodies' | 'parameters', schema: JsonObject) => CompiledValidator;

const documentId = 'custom-routes';

async function compilerFor(document: JsonObject): Promise<Compile> {
  const { newAjv } = await import('../validation/compile.ts');
  // Only schemas have references; `components` contains their targets.
  const ajv = { bodies: newAjv({ allErrors: true }), parameters: newAjv({ allErrors: true, coerceTypes: 'array' }) };
  for (const each of Object.values(ajv)) each.addSchema({ $id: documentId, ...document });
  return (half, schema) =>
    ajv[half].compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${documentId}#/`)));
}

/** What an operation demands of a request, and its answer. `note`: why its example violates its schema. */
function contractOf(operation: JsonObject, inherited: readonly JsonObject[], of: Dereference, compile: Compile) {
  // An operation's own parameter replaces one of its path.
  const all = [...inherited, ...((operation.parameters ?? []) as JsonObject[])].map(of);
  const parameters = [...new Map(all.map((one) => [`${asText(one.in)} ${asText(one.name)}`, one])).values()];
  const validParameters = compile('parameters', parameterSchema(parameters));
  const { content, required } = of(operation.requestBody);
  const [, sentMedia] = jsonMedia(content);
  const validBody = sentMedia?.schema && compile('bodies', { properties: { body: sentMedia.schema } });
  const { status, response } = successOf(operation, of);
  const [mediaType, media] = jsonMedia(response.content);
  const schema = media?.schema as JsonObject | undefined;
  const validAnswer = schema && compile('bodies', schema);
  const problemOf = (value: unknown) => validAnswer && problemWith(value, validAnswer);
  const example = media && exampleOf(media, of);
  const missing = [{ path: '/body', message: 'The body is missing.', keyword: 'required' }];
  const findings = ({ params, query, headers, body }: RouteRequest) => {
    // The validator coerces parameters in place.
    const areValid = validParameters({ params: { ...params }, query: { ...query }, headers: { ...headers } });
    const isValid = body === undefined || !validBody || validBody({ body });
    return [
      ...(areValid ? [] : findingsOf(validParameters.errors)),
      ...(isValid ? [] : findingsOf(validBody.errors)),
      ...(body === undefined && required === true ? missing : []),
    ];
  };
  return {
    auth: (operation['x-mock-auth'] ?? 'none') as RouteAuth,
    override: operation['x-mock-override'] === true,
    note: example && problemOf(example.value),
    operation: listedOperation(operation, parameters, status),
    /** @throws ApiError validation, for a request that the document does not allow */
    answer: async ({ request, answers, world }: Parameters<Route['answer']>[0]): Promise<RouteAnswer> => {
      const found = findings(request);
      if (found.length > 0) throw invalidRequest(found, undefined, answers);
      if (!media) return { status };
      const headers = { 'Content-Type': mediaType };
      if (example) return { status, headers, body: example.value };
      const faker = await world.faker();
      // Seeded by the URL, not by the turn: repeated reads are equal.
      faker.seed(sha256Number(`${world.seed} ${request.method} ${request.url}`));
      const body = invented(schema ?? {}, { faker, of });
      const problem = problemOf(body);
      if (problem === undefined) return { status, headers, body };
      throw new Error(`no value that fits its schema could be made (${problem}); give the response an example`);
    },
  };
}

function parameterSchema(parameters: readonly JsonObject[]): JsonObject {
  const of = (place: string): JsonObject => {
    const found = parameters.filter((parameter) => parameter.in === place);
    const nameOf = ({ name }: JsonObject): string => (place === 'header' ? asText(name).toLowerCase() : asText(name));
    return {
      type: 'object',
      properties: Object.fromEntries(found.map((one) => [nameOf(one), one.schema ?? {}])),
      required: found.filter(({ required }) => required === true).map(nameOf),
    };
  };
  return { type: 'object', properties: { query: of('query'), params: of('path'), headers: of('header') } };
}

/** The success answer of a document: the lowest 2xx, or the default one, or the lowest of all. */
function successOf(operation: JsonObject, of: Dereference) {
  const responses = operation.responses as JsonObject;
  const names = Object.keys(responses).sort();
  const name = names.find((one) => one.startsWith('2')) ?? (responses.default ? 'default' : names[0]);
  const status = /^\d{3}$/.test(name ?? '') ? Number(name) : 200;
  return { status, response: of(memberOf(responses, name ?? '')) };
}

/** The JSON of a content, or else its first media type. */
function jsonMedia(content: Json | undefined): [string, JsonObject] | [undefined, undefined] {
  const all = Object.entries(isObject(content) ? content : {});
  const [type, media] = all.find(([name]) => /json/.test(name)) ?? all[0] ?? [];
  return type !== undefined && isObject(media)
    ? [type.replace('*/*', 'application/json'), media]
    : [undefined, undefined];
}

function exampleOf(media: JsonObject, of: Dereference): { value: Json } | undefined {
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
