import { open, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** What makes a file no recording that can be read. */
export class NotHar extends Error {}

/** The files of a recording: the HAR, and the bodies that Playwright attaches to it. */
interface RecordingFiles {
  har(): Promise<Readable>;
  /** The bytes of a body; undefined without them. */
  attached(name: string): Promise<Buffer | undefined>;
  close(): void;
}

/** In bytes: a longer body is left out, as if it had not been recorded. */
const LONGEST_ATTACHED = 50 * 1024 * 1024;
/** Playwright names a body by its hash. No other file is read, whatever a HAR names. */
const ATTACHED = /^[0-9a-f]{40}\.\w+$/;

/** A HAR with its bodies in the same folder, or in one ZIP archive with it. Throws NotHar, or an error of the file system. */
export async function openRecording(file: string): Promise<RecordingFiles> {
  await using handle = await open(file);
  const { bytesRead, buffer: start } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  if (bytesRead === 0) throw new NotHar('the file is empty');
  return start.toString('latin1') === 'PK' ? openArchive(file) : openFolder(file);
}

const openFolder = (file: string): RecordingFiles => ({
  har: async () => (await open(file)).createReadStream({ start: 0 }),
  attached: async (name) => {
    const body = join(dirname(file), name);
    const size = ATTACHED.test(name) && (await stat(body).catch(() => undefined))?.size;
    return typeof size === 'number' && size <= LONGEST_ATTACHED ? readFile(body) : undefined;
  },
  close: () => {},
});

async function openArchive(file: string): Promise<RecordingFiles> {
  const { openPromise } = await import('yauzl');
  const archive = await openPromise(file, { autoClose: false }).catch(refuseArchive);
  const streams = new Map<string, { size: number; open: () => Promise<Readable> }>();
  try {
    for await (const entry of archive.eachEntry()) {
      const open = () => archive.openReadStreamPromise(entry).catch(refuseArchive);
      streams.set(entry.fileName, { size: entry.uncompressedSize, open });
    }
  } catch (error) {
    refuseArchive(error);
  }
  const hars = [...streams].filter(([name]) => name.endsWith('.har'));
  return {
    har: async () => {
      const [first, ...others] = hars;
      if (!first || others.length > 0)
        throw new NotHar(`it is a ZIP archive with ${hars.length} .har files; it must hold one`);
      return first[1].open();
    },
    attached: async (name) => {
      const found = streams.get(name);
      return found && found.size <= LONGEST_ATTACHED ? buffer(await found.open()) : undefined;
    },
    close: () => archive.close(),
  };
}

function refuseArchive(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  throw code === undefined ? new NotHar(`its ZIP archive is damaged (${message})`) : error;
}
