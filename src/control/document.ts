import { control } from '../core/generated/data.js';
import type { ApiDocument, JsonObject } from '../core/spec/document.ts';
import { dereferenced as dereferencedIn } from '../core/validation/schemas.ts';
import type { operations } from './control-types.ts';

/** An operation of the control plane. */
export type ControlOperation = keyof operations;

/** spec/control.yaml. It is made of the same parts as a resolved document of the API, but for its operations. */
export const controlDocument = (): ApiDocument => control as unknown as ApiDocument;

/** What a `$ref` of the document points to; anything else is itself. */
export const dereferenced = (element: JsonObject): JsonObject => dereferencedIn(element, controlDocument());
