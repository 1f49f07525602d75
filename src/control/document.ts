import { control } from '../core/generated/data.js';
import type { ApiDocument, JsonObject } from '../core/spec/document.ts';
import { dereferenced as dereferencedIn } from '../core/validation/schemas.ts';
import type { operations } from './control-types.ts';

/** An operation of the control plane. */
export type ControlOperation = keyof operations;

/** spec/control.yaml. Its structure is that of a resolved document of the API, with other operations. */
export const controlDocument = (): ApiDocument => control as unknown as ApiDocument;

/** The target of a `$ref` of the document; any other element is returned as it is. */
export const dereferenced = (element: JsonObject): JsonObject => dereferencedIn(element, controlDocument());
