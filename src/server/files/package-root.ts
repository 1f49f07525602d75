import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface PackageFile {
  readonly name: string;
  readonly version: string;
}

const readPackage = (folder: string): PackageFile | undefined => {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as PackageFile) : undefined;
};

/** Finds the package's folder by walking up, as this file runs from `src/` and from `dist/src/`. */
function findPackage(): { root: string; version: string } {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = readPackage(folder);
    if (found?.name === 'platform-mock') return { root: folder, version: found.version };
    if (folder === dirname(folder)) throw new Error('The package platform-mock is not installed completely.');
  }
}

const found = findPackage();

/** Version of this package, as package.json states it. */
export const packageVersion: string = found.version;

/** Absolute path of a file that ships with the package, e.g. `packageFile('spec', 'gaps.yaml')`. */
export const packageFile = (...parts: string[]): string => join(found.root, ...parts);
