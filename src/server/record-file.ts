import { realpathSync, statSync } from 'node:fs';
import { UsageError } from '../../contract-tests/errors.ts';
import { HarFile } from '../../contract-tests/har/write-har.ts';
import { ConfigError } from '../core/spec/config-error.ts';
import { FileLock } from './file-lock.ts';

type Rest = ConstructorParameters<typeof HarFile> extends [string, ...infer R] ? R : never;

/** A HAR file that no other server writes until it is closed; `rest` as for HarFile. @throws ConfigError if it is in use, or cannot be written */
export function recordTo(file: string, ...rest: Rest): Pick<HarFile, 'add' | 'close'> {
  const lock = lockOf(file);
  try {
    const har = new HarFile(file, ...rest);
    return { add: (passed) => har.add(passed), close: () => har.close().finally(() => lock?.release()) };
  } catch (error) {
    lock?.release();
    throw error instanceof UsageError ? new ConfigError([error.message]) : error;
  }
}

function lockOf(file: string): FileLock | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  // Several may write a device.
  if (found && !found.isFile()) return undefined;
  try {
    return FileLock.take(found ? realpathSync(file) : file, 'recording');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    // The file may be writable in a folder that is not.
    return undefined;
  }
}
