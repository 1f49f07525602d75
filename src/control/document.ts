import { control } from '../core/generated/control-data.js';
import { control as validators } from '../core/generated/control-validators.js';
import { type FindRoute, routeTable } from '../core/routes.ts';
import { type ApiDocument, type JsonObject, type OperationObject, operationsOf } from '../core/spec/document.ts';
import { dereferenced as dereferencedIn, isObject } from '../core/spec/json.ts';
import type { CompiledValidator } from '../core/validation/compile.ts';
import { answerOf, bodyOf, parametersOf } from '../core/validation/schemas.ts';
import type { operations } from './control-types.ts';
import { refusedStatuses } from './refusal.ts';

export type ControlOperation = keyof operations;

/** spec/control.yaml. Its structure is that of a resolved document of the API, with other operations. */
export const controlDocument = (): ApiDocument => control as unknown as ApiDocument;

/** The target of a `$ref` of the document; other elements are returned unchanged. */
export const dereferenced = (element: JsonObject): JsonObject => dereferencedIn(element, controlDocument());

/** The document with the base URL of its control plane, and single statuses for 4XX, which many tools do not understand. */
export function servedDocument(server: string): JsonObject {
  const { paths, ...document } = controlDocument();
  return {
    ...(document as unknown as JsonObject),
    servers: [{ url: server }],
    paths: spelledOut(paths as unknown as JsonObject),
  };
}

function spelledOut(element: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(element).flatMap(([key, value]) => {
      if (key === '4XX') return refusedStatuses.map((status) => [String(status), value]);
      return [[key, isObject(value) ? spelledOut(value) : value]];
    }),
  );
}

export interface ControlPlan {
  readonly id: ControlOperation;
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
  readonly success: number;
  /** Validators of `{ query, params, headers }`, of `{ body }`, and of a JSON response. */
  readonly parameters: CompiledValidator | undefined;
  readonly body: CompiledValidator | undefined;
  readonly answer: CompiledValidator | undefined;
}

let find: FindRoute<ControlPlan> | undefined;

/** Finds an operation by method and path below /_mock. */
export const findControl: FindRoute<ControlPlan> = (method, path) => {
  find ??= routeTable(plans());
  return find(method, path);
};

const plans = (): ControlPlan[] =>
  operationsOf(controlDocument()).map(({ path, method, operation }) => {
    const id: string = operation.operationId;
    return {
      id: id as ControlOperation,
      method: method.toUpperCase(),
      path,
      operation,
      success: Number(Object.keys(operation.responses).find((status) => status.startsWith('2'))),
      parameters: validators[parametersOf(id)],
      body: validators[bodyOf(id)],
      answer: validators[answerOf(id)],
    };
  });
