import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The YAML parser, loaded on first use: serving compiled data does not need it. */
export const yamlLibrary = (): typeof import('yaml') => require('yaml') as typeof import('yaml');
