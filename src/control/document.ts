import { readFileSync } from 'node:fs';
import type { ApiDocument, JsonObject } from '../core/spec/document.ts';
import { packageFile } from '../server/files/package-root.ts';
import type { operations } from './control-types.ts';

/** An operation of the control plane. */
export type ControlOperation = keyof operations;

let document: ApiDocument | undefined;

/**
 * spec/control.yaml, read when the control plane is first used; from its generated twin in JSON, as YAML takes a hundred
 * times as long to read. It is made of the same parts as a resolved document of
 * the API, but for its operations.
 */
export function controlDocument(): ApiDocument {
  document ??= JSON.parse(readFileSync(packageFile('spec', 'control.json'), 'utf8')) as ApiDocument;
  return document;
}

/** What a `$ref` of the document points to; anything else is itself. */
export function dereferenced(element: JsonObject): JsonObject {
  if (typeof element.$ref !== 'string') return element;
  const parts = element.$ref.split('/').slice(1);
  const target = parts.reduce<unknown>((value, part) => (value as JsonObject)[part], controlDocument());
  return {
    ...dereferenced(target as JsonObject),
    ...Object.fromEntries(Object.entries(element).filter(([key]) => key !== '$ref')),
  };
}
