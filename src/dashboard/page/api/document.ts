// The control plane's own OpenAPI document, from which the forms are built.
import { memberOf } from '../../../../contract-tests/values/json.ts';
import type { operations } from '../../../core/spec/control-types.ts';
import { dereferenced, type JsonObject } from '../../../core/spec/json.ts';
import { control, unwrap } from './client.ts';

/** The part of JSON Schema that spec/control.yaml uses for what is entered in forms. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly $ref?: string; readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

interface ControlDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export type OperationName = keyof operations;

export type BodyOf<O extends OperationName> =
  Required<operations[O]> extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : never;

export type QueryOf<O extends OperationName> = NonNullable<operations[O]['parameters']['query']>;

let loaded: ControlDocument = { paths: {}, components: { schemas: {} } };

/** Fetches the document, once: it does not change. It must be there before the forms. */
export async function loadDocument(): Promise<ControlDocument> {
  if (Object.keys(loaded.paths).length === 0)
    loaded = (await unwrap(control.GET('/openapi.json'))) as unknown as ControlDocument;
  return loaded;
}

/** A node with its `$ref` resolved; members next to the `$ref` take precedence. */
export const dereference = <T extends object>(node: T) => dereferenced(node as JsonObject, loaded) as unknown as T;

/** What an operation takes: its request body or, as the schema of one object, its query parameters. */
export function inputSchema(name: OperationName): Schema {
  const operation = Object.values(loaded.paths)
    .flatMap((path) => Object.values(path))
    .find(({ operationId }) => operationId === name);
  if (!operation) throw new Error(`The control plane's document has no operation ${name}.`);
  const { requestBody, parameters = [] } = operation;
  if (requestBody) return dereference(requestBody.content['application/json'].schema);
  return { properties: Object.fromEntries(parameters.map(dereference).map((each) => [each.name, each.schema])) };
}

export const namedSchema = (name: string): Schema => memberOf(loaded.components.schemas, name) ?? {};
