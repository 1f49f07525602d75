import type { JsonObject } from './document.ts';
import { shippedYaml } from '../../server/files/shipped-yaml.ts';

let template: JsonObject | undefined;

/** spec/openapi.yaml as it is written, with the keywords that resolve() applies. Never change it: copy. */
export function apiTemplate(): JsonObject {
  template ??= shippedYaml('spec', 'openapi.yaml') as JsonObject;
  return template;
}
