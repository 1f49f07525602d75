import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * New Unix sockets, or named pipes on Windows, for connections between processes of one user.
 * @returns their paths, and what removes them
 */
export function socketPaths(count: number): { readonly paths: readonly string[]; remove(): void } {
  const pathsIn = (place: string): string[] => Array.from({ length: count }, (_, at) => join(place, String(at)));
  if (process.platform === 'win32')
    return { paths: pathsIn(`\\\\.\\pipe\\platform-mock-${randomBytes(12).toString('hex')}`), remove: () => {} };
  // Nobody else may enter it.
  const folder = mkdtempSync(join(tmpdir(), 'platform-mock-'));
  return { paths: pathsIn(folder), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
