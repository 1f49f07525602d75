// What somebody who installs the package gets with it.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from './server/files/package-root.ts';

interface Locked {
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (name: string) => JSON.parse(readFileSync(packageFile(name), 'utf8'));
const { packages } = read('package-lock.json') as { packages: Readonly<Record<string, Locked>> };
/** The tree that an install of the package brings: dependencies, and theirs. Optional peers come with who names them. */
const production = Object.entries(packages).filter(([name, { dev }]) => name !== '' && dev !== true);

test('no package of the production tree runs a script on install', () => {
  expect(production.length).toBeGreaterThan(Object.keys(read('package.json').dependencies).length);
  expect(production.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name)).toEqual([]);
  expect(production.map(([name]) => name)).not.toContain('node_modules/@scarf/scarf');
});

test('the files of the docs page ship with the package, with their licences', () => {
  for (const name of [
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'swagger-ui.css',
    'LICENSE',
    'NOTICE',
  ])
    expect(existsSync(packageFile('dist', 'dashboard', 'swagger-ui', name)), name).toBe(true);
});
