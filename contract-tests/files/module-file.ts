import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../errors.ts';
import { asText } from '../values/json.ts';

export const MODULE_FILES: readonly string[] = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'];

/** The default export of a module, else all its exports. @throws UsageError where it cannot be loaded */
export async function importModule(file: string): Promise<unknown> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new UsageError(`${file}: ${found ? 'this is no file' : 'there is no such file'}.`);
  try {
    const { createJiti } = await import('jiti');
    // Afresh each time, with what it imports: the file may have changed.
    const jiti = createJiti(import.meta.url, { moduleCache: false, fsCache: false });
    return await jiti.import(resolve(file), { default: true });
  } catch (error) {
    throw new UsageError(`${file}: cannot be loaded: ${reasonOf(error, file)}.`);
  }
}

function reasonOf(error: unknown, file: string): string {
  const { message, stack = '' } = error instanceof Error ? error : new Error(asText(error));
  const [, after = ''] = stack.split(`${pathToFileURL(resolve(file)).pathname}:`);
  // Not the column, which is that of the JavaScript made of it.
  const [, line] = /^(\d+):/.exec(after) ?? [];
  const [first = ''] = message.replace(/^ParseError: /, '').split('\n');
  return line === undefined || /:\d+/.test(first) ? first.trim() : `${first.trim()} (line ${line})`;
}
