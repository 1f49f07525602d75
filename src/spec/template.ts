import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { JsonObject } from './document.ts';
import { packageFile } from './package-root.ts';

let template: JsonObject | undefined;

/** spec/openapi.yaml as it is written, with the keywords that resolve() applies. Never change it: copy. */
export function apiTemplate(): JsonObject {
  template ??= parse(readFileSync(packageFile('spec', 'openapi.yaml'), 'utf8')) as JsonObject;
  return template;
}
