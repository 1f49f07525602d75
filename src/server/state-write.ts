import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

// A state is written beside its file and renamed, so that there is always a whole one. Pieces come from a generator:
// what is written in the background is made in slices between requests.

/** Characters that are written at once. */
const blockSize = 256 * 1024;
/** Milliseconds that a slice takes. */
const slice = 4;

/** Nobody can know it before, and so put a link there. */
const temporaryBeside = (file: string): string => `${file}.${randomUUID()}.tmp`;

/** Writes a file at once. */
export function writeNow(file: string, pieces: Iterable<string>): void {
  const temporary = temporaryBeside(file);
  try {
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      for (const block of blocksOf(pieces)) writeWhole(descriptor, block);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, file);
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
}

/**
 * Writes a file in slices.
 * @param isCurrent asked before it takes its place: something newer may have been written meanwhile
 */
export async function writeInSlices(file: string, pieces: Iterable<string>, isCurrent: () => boolean): Promise<void> {
  const temporary = temporaryBeside(file);
  let handle: FileHandle | undefined;
  try {
    handle = await open(temporary, 'wx', 0o600);
    let started = performance.now();
    for (const block of blocksOf(yielding(pieces, () => performance.now() - started > slice))) {
      if (block.length > 0) await handle.writeFile(block);
      await nextTurn();
      started = performance.now();
      if (!isCurrent()) break;
    }
    await handle.sync();
    await handle.close();
    handle = undefined;
    // Not awaited: nothing can come between the question and the renaming.
    if (isCurrent()) renameSync(temporary, file);
    else removeIfThere(temporary);
  } catch (error) {
    await handle?.close().catch(() => {});
    removeIfThere(temporary);
    throw error;
  }
}

/** Removes what a server left behind that was killed while it wrote: regular names only, and no link is followed. */
export function removeLeftOvers(file: string): void {
  const [folder, name] = [dirname(file), basename(file)];
  for (const found of readdirSync(folder))
    if (
      found.startsWith(`${name}.`) &&
      /^(\d{1,10}|[0-9a-f-]{36}|lock\.[0-9a-f-]{36})\.tmp$/.test(found.slice(name.length + 1))
    )
      removeIfThere(join(folder, found));
}

function removeIfThere(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // What went wrong before is what has to be told.
  }
}

function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

/** Texts long enough to be worth a write; where `undefined` comes, what there is by then, as a turn is to be given. */
function* blocksOf(pieces: Iterable<string | undefined>): Generator<string> {
  let block: string[] = [];
  let size = 0;
  for (const piece of pieces) {
    if (piece !== undefined) {
      block.push(piece);
      size += piece.length;
    }
    if (size < blockSize && piece !== undefined) continue;
    yield block.join('');
    block = [];
    size = 0;
  }
  yield block.join('');
}

function* yielding(pieces: Iterable<string>, isDue: () => boolean): Generator<string | undefined> {
  for (const piece of pieces) {
    yield piece;
    if (isDue()) yield undefined;
  }
}
