import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UsageError } from '../errors.ts';
import { parseEntry, type RecordedEntry } from './recorded.ts';
import { EntrySplitter, NotHar } from './split-entries.ts';

export interface Progress {
  entries: number;
  /** Bytes of the file, compressed where it is. */
  read: number;
  size: number;
}

const GZIP = '1f8b';
const ZIP = '504b';

/**
 * The exchanges of a HAR 1.2 file, plain or gzip'd, one by one in the memory of one: what was answered from a cache or
 * not at all is left out. Throws UsageError that names the file, the entry and what is wrong with it.
 */
export async function* readHar(
  file: string,
  onProgress: (progress: Progress) => void = () => {},
): AsyncGenerator<RecordedEntry> {
  const splitter = new EntrySplitter();
  try {
    const { size, start } = await lookAt(file);
    const source = createReadStream(file, { highWaterMark: 1024 * 1024 });
    const stream: Readable = start === GZIP ? source.pipe(createGunzip()) : source;
    // An error of the file does not pass through a pipe by itself.
    source.on('error', (error) => stream.destroy(error));
    for await (const chunk of stream) {
      for (const entry of splitter.push(chunk as Buffer)) {
        const recorded = parseEntry(entry);
        if (recorded) yield recorded;
      }
      onProgress({ entries: splitter.count, read: source.bytesRead, size });
    }
    splitter.end();
  } catch (error) {
    throw new UsageError(`${file}: ${reasonOf(error, splitter.count)}`);
  }
}

async function lookAt(file: string): Promise<{ size: number; start: string }> {
  const handle = await open(file);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new NotHar('it is not a file');
    if (stat.size === 0) throw new NotHar('the file is empty');
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    const start = buffer.toString('hex');
    if (start === ZIP) throw new NotHar('it is a ZIP archive; unpack it, and name the .har file that is in it');
    return { size: stat.size, start };
  } finally {
    await handle.close();
  }
}

function reasonOf(error: unknown, entries: number): string {
  if (error instanceof NotHar) return `not a readable HAR: ${error.message}.`;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file.';
  if (code === 'EACCES' || code === 'EPERM') return 'it may not be read.';
  if (code?.startsWith('Z_')) return `its gzip is damaged or truncated after entry ${entries} (${message}).`;
  if (code !== undefined) return `it cannot be read (${code}).`;
  throw error;
}
