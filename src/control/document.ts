import { control } from '../core/generated/control-data.js';
import type { operations } from '../core/spec/control-types.ts';
import type { ApiDocument, JsonObject } from '../core/spec/document.ts';
import { dereferenced as dereferencedIn, isObject } from '../core/spec/json.ts';
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
    ...(document as JsonObject),
    servers: [{ url: server }],
    paths: spelledOut(paths as JsonObject),
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
