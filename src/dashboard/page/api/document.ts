import type { operations } from '../../../control/control-types.ts';
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

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

/** The control plane's own OpenAPI document. */
export interface ControlDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export type OperationName = keyof operations;

/** Type of an operation's request body. */
export type BodyOf<O extends OperationName> = operations[O] extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

/** Type of an operation's query parameters. */
export type QueryOf<O extends OperationName> = NonNullable<operations[O]['parameters']['query']>;

let loaded: ControlDocument | undefined;

/** Fetches the document, once: it does not change. Forms are built from it, so it has to be there before them. */
export async function loadDocument(): Promise<ControlDocument> {
  loaded ??= (await unwrap(control.GET('/openapi.json'))) as unknown as ControlDocument;
  return loaded;
}

function controlDocument(): ControlDocument {
  if (!loaded) throw new Error("The control plane's document is not loaded.");
  return loaded;
}

/** A node with its `$ref` resolved; members beside the `$ref` take precedence. */
export function dereference<T extends { readonly $ref?: string }>(node: T): T {
  if (node.$ref === undefined) return node;
  const names = node.$ref.replace(/^#\//, '').split('/');
  const target = names.reduce<unknown>((parent, name) => (parent as Record<string, unknown>)[name], controlDocument());
  return { ...dereference(target as T), ...node };
}

/** What an operation takes: its request body or, as the schema of one object, its query parameters. */
export function inputSchema(name: OperationName): Schema {
  const operation = Object.values(controlDocument().paths)
    .flatMap((path) => Object.values(path))
    .find(({ operationId }) => operationId === name);
  if (!operation) throw new Error(`The control plane's document has no operation ${name}.`);
  const { requestBody, parameters = [] } = operation;
  if (requestBody) return dereference(requestBody.content['application/json'].schema);
  return {
    properties: Object.fromEntries(parameters.map(dereference<Parameter>).map((each) => [each.name, each.schema])),
  };
}

/** A schema by its name. */
export const namedSchema = (name: string): Schema => controlDocument().components.schemas[name] ?? {};
