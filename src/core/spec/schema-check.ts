import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';

// ajv-formats is CommonJS: under ES modules its function is one level down.
const addFormats = addFormatsModule.default;

/** A JSON Schema 2020-12 validator with all formats; unknown keywords (x-source, x-gap) are let through. */
export function newAjv(options: { allErrors?: boolean } = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, ...options });
  addFormats(ajv, { mode: 'full' });
  return ajv;
}

export type { ErrorObject, ValidateFunction };

/** The place that a validation error is about, as path parts; for missing and unknown properties their own. */
export function errorPath(error: ErrorObject): string[] {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const own = error.params.additionalProperty ?? error.params.missingProperty;
  return own === undefined ? path : [...path, String(own)];
}

/** What is wrong, with the allowed values where there are some. */
export function errorText(error: ErrorObject): string {
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`;
  if (error.keyword === 'additionalProperties') return 'is not known here';
  if (error.keyword === 'required') return 'is missing';
  return error.message ?? error.keyword;
}
