import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A new folder for the tests of a file, removed after them. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'contract-tests-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
