import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { operations } from '../../../control/control-types.ts';
import { Load } from '../ui/load.tsx';
import { control, unwrap } from './client.ts';
import { useLoad } from './load.ts';

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

const Context = createContext<ControlDocument | undefined>(undefined);

let document: Promise<ControlDocument> | undefined;

/** Fetched once: it does not change. */
async function loadDocument(): Promise<ControlDocument> {
  document ??= unwrap(control.GET('/openapi.json')) as Promise<unknown> as Promise<ControlDocument>;
  try {
    return await document;
  } catch (error) {
    document = undefined;
    throw error;
  }
}

/** Loads the document before the views below, whose forms are built from it. */
export function DocumentProvider({ children }: { readonly children: ComponentChildren }) {
  const document = useLoad(loadDocument);
  return <Load of={document}>{(loaded) => <Context.Provider value={loaded}>{children}</Context.Provider>}</Load>;
}

export function useDocument(): ControlDocument {
  const document = useContext(Context);
  if (!document) throw new Error('useDocument requires a DocumentProvider');
  return document;
}

/** A node with its `$ref` resolved; members beside the `$ref` take precedence. */
export function dereference<T extends { readonly $ref?: string }>(document: ControlDocument, node: T): T {
  if (node.$ref === undefined) return node;
  const names = node.$ref.replace(/^#\//, '').split('/');
  const target = names.reduce<unknown>((parent, name) => (parent as Record<string, unknown>)[name], document);
  return { ...dereference(document, target as T), ...node };
}

function operationOf(document: ControlDocument, name: OperationName): Operation {
  const operation = Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .find(({ operationId }) => operationId === name);
  if (!operation) throw new Error(`The control plane's document has no operation ${name}.`);
  return operation;
}

/** Schema of an operation's request body. */
export function bodySchema(document: ControlDocument, name: OperationName): Schema {
  const schema = operationOf(document, name).requestBody?.content['application/json'].schema ?? {};
  return dereference(document, schema);
}

/** An operation's query parameters, as the schema of one object. */
export function querySchema(document: ControlDocument, name: OperationName): Schema {
  const parameters = (operationOf(document, name).parameters ?? []).map((each) => dereference(document, each));
  return { properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])) };
}
