import { readFileSync } from 'node:fs';
import { ConfigError } from '../core/spec/config-error.ts';
import { packageFile } from '../server/files/package-root.ts';

/** Packages that only the contract suite needs; the mock alone does not. */
const suitePackages = ['fast-check', 'supertest', 'vitest'] as const;

/**
 * Checks that the packages of the contract suite are installed.
 * @throws ConfigError with the command that installs missing ones
 */
export function requireSuitePackages(): void {
  const missing = suitePackages.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  // The versions that the suite is tested with; others of the peers' ranges do, too.
  const { devDependencies } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  const wanted = missing.map((name) => `${name}@${devDependencies[name]}`).join(' ');
  throw new ConfigError([
    `the contract suite needs ${missing.join(', ')}, which are not installed with the mock; run:  npm install --save-dev ${wanted}`,
  ]);
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
