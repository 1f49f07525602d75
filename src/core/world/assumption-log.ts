import type { Ended } from './world.ts';

/** The file in which each mock that a command starts tells `vary` what its responses rested on. */
const variable = 'PLATFORM_MOCK_ASSUMPTIONS';

/**
 * Writes each assumption that decided a response to the file of the environment, once for an operation, and each operation that was
 * called: lines of a gap or nothing, a tab, and an operation or nothing. Undefined without such a file, and in browsers.
 */
export function assumptionLog(): ((exchange: Ended) => void) | undefined {
  const file = globalThis.process?.env?.[variable];
  const files = file === undefined ? undefined : globalThis.process.getBuiltinModule?.('node:fs');
  if (file === undefined || !files) return undefined;
  const told = new Set<string>();
  return ({ operation = '', assumptions }) => {
    const lines = ['', ...assumptions].map((gap) => `${gap}\t${operation}\n`).filter((line) => !told.has(line));
    if (lines.length === 0) return;
    for (const line of lines) told.add(line);
    files.appendFileSync(file, lines.join(''));
  };
}
