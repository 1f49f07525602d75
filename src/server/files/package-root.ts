import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Finds the package's folder by walking up, as this file runs from `src/` and from `dist/src/`. */
function findPackage(): { root: string; version: string } {
  for (let root = dirname(fileURLToPath(import.meta.url)); ; root = dirname(root)) {
    const file = join(root, 'package.json');
    const { name, version = '' } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    if (name === 'platform-mock') return { root, version };
    if (root === dirname(root)) throw new Error('The package platform-mock is not installed completely.');
  }
}

const found = findPackage();

export const packageVersion: string = found.version;

/** Absolute path of a file that ships with the package, e.g. `packageFile('spec', 'gaps.yaml')`. */
export const packageFile = (...parts: string[]): string => join(found.root, ...parts);
