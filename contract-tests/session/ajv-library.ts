import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The validator of JSON schemas, loaded on first use: most commands do without. */
export const ajvLibrary = (): typeof import('ajv') => require('ajv') as typeof import('ajv');
