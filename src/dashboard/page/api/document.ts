// The control plane's own OpenAPI document: calls, forms and tables are made from it.
import { memberOf } from '../../../../contract-tests/values/json.ts';
import type { operations } from '../../../core/spec/control-types.ts';
import { dereferenced, type JsonObject } from '../../../core/spec/json.ts';
import { control, unwrap } from './client.ts';

/** The part of JSON Schema that spec/control.yaml uses for what is entered and shown. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

type PathItem = Readonly<Record<string, Operation>> & { readonly parameters?: readonly Parameter[] };

interface ControlDocument {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export type OperationName = keyof operations;

type BodyOf<O extends OperationName> =
  Required<operations[O]> extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : unknown;
type QueryOf<O extends OperationName> = NonNullable<operations[O]['parameters']['query']>;
type PathOf<O extends OperationName> = operations[O]['parameters'] extends { path: infer Path } ? Path : unknown;

/** All that an operation takes: parameters and members of the body. */
export type InputOf<O extends OperationName> = PathOf<O> &
  ([QueryOf<O>] extends [never] ? unknown : QueryOf<O>) &
  NonNullable<BodyOf<O>>;
export type OutputOf<O extends OperationName> = {
  [Status in keyof operations[O]['responses'] & (200 | 201)]: operations[O]['responses'][Status] extends {
    content: { 'application/json': infer Body };
  }
    ? Body
    : undefined;
}[keyof operations[O]['responses'] & (200 | 201)];

let loaded: ControlDocument = { paths: {}, components: { schemas: {} } };

/** Fetches the document, once: it does not change. It must be there before the views. */
export async function loadDocument(): Promise<ControlDocument> {
  if (Object.keys(loaded.paths).length === 0)
    loaded = (await unwrap(control.GET('/openapi.json'))) as unknown as ControlDocument;
  return loaded;
}

/** A node with its `$ref` resolved; members next to the `$ref` take precedence. */
export const dereference = <T extends object>(node: T) => dereferenced(node as JsonObject, loaded) as T;

function operationOf(name: OperationName) {
  for (const [path, { parameters: common = [], ...methods }] of Object.entries(loaded.paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.operationId === name) {
        const parameters = [...common, ...(operation.parameters ?? [])].map(dereference);
        return { ...operation, path, method: method.toUpperCase() as 'GET', parameters };
      }
  throw new Error(`The control plane's document has no operation ${name}.`);
}

/** What an operation takes, as the schema of one object: its parameters, and the members of its body. */
export function inputSchema(name: OperationName): Schema {
  const { requestBody, parameters } = operationOf(name);
  const { properties, required = [] } = requestBody ? dereference(requestBody.content['application/json'].schema) : {};
  const named = parameters.map(({ name, description, schema }) => [name, { description, ...dereference(schema) }]);
  const inPath = parameters.flatMap((each) => (each.in === 'path' ? each.name : []));
  return { properties: { ...Object.fromEntries(named), ...properties }, required: [...inPath, ...required] };
}

/** What is said of a call without an answer that succeeded, e.g. `Deleted`. */
export const doneBy = (name: OperationName): string =>
  operationOf(name).responses[204]?.description.replace(/\.$/, '') ?? 'Done';

export const namedSchema = (name: string): Schema => memberOf(loaded.components.schemas, name) ?? {};

/** Calls an operation: what is no parameter is a member of the body. Throws what `control` throws. */
export async function call<O extends OperationName>(operation: O, input: InputOf<O>): Promise<OutputOf<O>> {
  const { path, method, parameters, requestBody } = operationOf(operation);
  const place = (name: string) => parameters.find((each) => each.name === name)?.in ?? 'body';
  const inPlace = (wanted: string) =>
    Object.fromEntries(Object.entries(input as object).filter(([name]) => place(name) === wanted));
  const params = { path: inPlace('path'), query: inPlace('query') };
  // The document says which path takes this method, and what it takes and answers; `operations` is generated from it.
  const send = control[method] as (path: string, init: object) => Promise<{ readonly data: OutputOf<O> }>;
  return unwrap(send(path, { params, ...(requestBody && { body: inPlace('body') }) }));
}
