import { readFileSync } from 'node:fs';
import { ConfigError } from '../core/spec/config-error.ts';
import { packageFile } from '../server/files/package-root.ts';

/** What only the contract suite needs: who only wants the mock installs none of it. */
const suitePackages = ['fast-check', 'supertest', 'vitest'] as const;

/**
 * Makes sure that what the contract suite needs is installed.
 * @throws ConfigError with the command that installs what is missing
 */
export function requireSuitePackages(): void {
  const missing = suitePackages.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const { peerDependencies } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  const wanted = missing.map((name) => `${name}@${peerDependencies[name]}`).join(' ');
  throw new ConfigError([
    `the contract suite needs ${missing.join(', ')}, which the mock alone does not; run: npm install --save-dev ${wanted}`,
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
