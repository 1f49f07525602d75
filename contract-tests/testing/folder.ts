import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder, which goes with all that the run of the tests left in the folder of temporary files (vitest.config.ts). */
export const testFolder = (): string => mkdtempSync(join(tmpdir(), 'test-'));
