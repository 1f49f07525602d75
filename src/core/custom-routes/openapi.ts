import { isObject, type JsonObject } from '../spec/document.ts';
import { invalidRequest } from '../validation/refusal.ts';
import { type RouteName, statusOf } from './compile.ts';
import { contractsOf, type OperationContract } from './openapi-contract.ts';
import { dereferencedIn, normalized, referenceProblems } from './openapi-references.ts';
import type { Route, RouteAnswer, RouteAuth, RouteTurn } from './route.ts';

/** A custom OpenAPI document: 3.0 or 3.1, in one file. */
export type OpenApiDocument = { readonly openapi: string; readonly paths?: object };

/** Whether a value is an OpenAPI document. */
export const isOpenApi = (value: unknown): boolean => isObject(value) && ('openapi' in value || 'swagger' in value);

interface OpenApiProblem {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

interface OpenApiRoutes {
  readonly routes: readonly Route[];
  readonly problems: readonly OpenApiProblem[];
  /** Examples that violate their schema; they are served nevertheless. */
  readonly notes: readonly OpenApiProblem[];
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const auths: readonly unknown[] = ['none', 'required', 'administrator'];

/**
 * The operations of a document as routes: each validates its request, and answers with an example or with a value that its schema
 * allows. `x-mock-auth` and `x-mock-override` of an operation are `auth` and `override` of a route.
 * @param nameOf the name of the operation at a path, by its method in lower case
 */
export async function openApiRoutes(
  sent: OpenApiDocument,
  nameOf: (path: string, method: string) => RouteName,
): Promise<OpenApiRoutes> {
  const problems = documentProblems(sent as unknown as JsonObject);
  if (problems.length > 0) return { routes: [], problems, notes: [] };
  const document = normalized(sent as unknown as JsonObject);
  const of = dereferencedIn(document);
  const compile = await contractsOf(document);
  const routes: Route[] = [];
  const notes: OpenApiProblem[] = [];
  for (const [path, sentItem] of Object.entries(document.paths as JsonObject)) {
    const item = of(sentItem);
    for (const method of methods) {
      if (!isObject(item[method])) continue;
      const at = ['paths', path, method];
      const operation = of(item[method]);
      try {
        const contract = compile(operation, (item.parameters ?? []) as JsonObject[]);
        notes.push(...contract.notes.map((text) => ({ path: at, text })));
        routes.push(routeOf(path, method, operation, contract, nameOf(path, method)));
      } catch (error) {
        problems.push({ path: at, text: `cannot be used: ${(error as Error).message}` });
      }
    }
  }
  return { routes, problems, notes };
}

function documentProblems(document: JsonObject): OpenApiProblem[] {
  const version = String(document.openapi ?? document.swagger);
  if (!/^3\.[01]\./.test(version))
    return [
      {
        path: ['openapi' in document ? 'openapi' : 'swagger'],
        text: `OpenAPI ${version} is not supported; allowed: 3.0, 3.1`,
      },
    ];
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
      : [{ path: [...path, 'x-mock-auth'], text: `x-mock-auth must be one of ${auths.join(', ')}` }];
  });
  return [...ofOperations, ...referenceProblems(document)];
}

function routeOf(
  path: string,
  method: string,
  operation: JsonObject,
  contract: OperationContract,
  { key, source }: RouteName,
): Route {
  return {
    key,
    source,
    method: method.toUpperCase(),
    path,
    auth: (operation['x-mock-auth'] ?? 'none') as RouteAuth,
    override: operation['x-mock-override'] === true,
    times: undefined,
    when: undefined,
    isTotal: true,
    differences: () => [],
    answer: (turn) => answer(contract, turn),
    operation: contract.listed,
  };
}

/** @throws ApiError validation, for a request that the document does not allow */
async function answer(contract: OperationContract, turn: RouteTurn): Promise<RouteAnswer> {
  const findings = contract.findings(turn.request);
  if (findings.length > 0) throw invalidRequest(findings, undefined, turn.answers);
  const { mediaType, value, problem } = await contract.answerFor(turn);
  if (problem !== undefined)
    throw new Error(`no value that fits its schema could be made (${problem}); give the response an example`);
  const made = { status: contract.status, ...(value !== undefined && { body: value }) };
  return {
    ...made,
    status: statusOf(made),
    ...(mediaType && value !== undefined && { headers: { 'Content-Type': mediaType } }),
  };
}
