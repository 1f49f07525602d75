import type { Answered } from './world.ts';

/** The file in which each mock that a command starts tells `vary` what its responses rested on. */
const variable = 'PLATFORM_MOCK_ASSUMPTIONS';

/**
 * Writes the assumptions that decided a response together, and its operation, to the file of the environment, the same ones once:
 * gaps with commas, a tab, and an operation or nothing. Undefined without such a file, and in browsers.
 */
export function assumptionLog(): ((exchange: Answered) => void) | undefined {
  const file = globalThis.process?.env?.[variable];
  const files = file === undefined ? undefined : globalThis.process.getBuiltinModule?.('node:fs');
  if (file === undefined || !files) return undefined;
  const told = new Set<string>();
  return ({ operation = '', assumptions }) => {
    const line = `${assumptions.toSorted().join()}\t${operation}\n`;
    if (told.has(line)) return;
    told.add(line);
    files.appendFileSync(file, line);
  };
}
