import { join } from 'node:path';
import { packageRoot } from '../../../contract-tests/spec-data.ts';

export { packageVersion } from '../../../contract-tests/spec-data.ts';

/** Absolute path of a file that ships with the package, e.g. `packageFile('spec', 'gaps.yaml')`. */
export const packageFile = (...parts: string[]): string => join(packageRoot, ...parts);
