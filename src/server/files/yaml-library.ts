import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The YAML parser, loaded when something is to be parsed: serving what was compiled does not need it. */
export const yamlLibrary = (): typeof import('yaml') => require('yaml') as typeof import('yaml');
