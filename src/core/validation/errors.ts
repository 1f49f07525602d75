import type { ErrorObject } from 'ajv';

export type { ErrorObject };

/** The path of a validation error; for missing and unknown properties it includes the property. */
export function errorPath(error: ErrorObject): string[] {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const own = error.params.additionalProperty ?? error.params.missingProperty;
  return own === undefined ? path : [...path, String(own)];
}

/** The message of a validation error, with the allowed values of an enum. */
export function errorText(error: ErrorObject): string {
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`;
  if (['additionalProperties', 'false schema'].includes(error.keyword)) return 'is unknown';
  if (error.keyword === 'required') return 'is missing';
  return error.message ?? error.keyword;
}
