import type { ErrorObject } from 'ajv';

export type { ErrorObject };

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
