import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '../core/spec/config-error.ts';
import type { Worlds } from '../core/world/worlds.ts';
import { StateLock } from './state-lock.ts';
import { removeLeftOvers, writeInSlices, writeNow } from './state-write.ts';
import { isWorldsState, restoreWorlds, worldsState } from './worlds-state.ts';

const quietMilliseconds = 200;

/** Keeps the worlds in a file: loaded at start, saved shortly after each change and at the end. */
export class StateFile {
  private timer: NodeJS.Timeout | undefined;
  /** Counts the saves: one that was overtaken is dropped. */
  private latest = 0;
  private isWriting = false;
  private hasChanged = false;
  private isClosed = false;

  private constructor(
    private readonly file: string,
    private readonly worlds: Worlds,
    private readonly lock: StateLock,
  ) {}

  /**
   * Loads the file into the worlds, where there is one, and saves from now on.
   * @throws ConfigError when the file is broken or of another seed: it is left as it is; when another server uses it;
   * and when it cannot be written
   */
  static async attach(file: string, worlds: Worlds): Promise<StateFile> {
    // A link stays one: it is its target that is replaced.
    const target = isStateThere(file) ? realpathSync(file) : file;
    const lock = lockOf(target);
    try {
      // Anew: the server that has just let it go may have made it.
      if (isStateThere(target)) await load(target, worlds, file);
      removeLeftOvers(target);
      const state = new StateFile(target, worlds, lock);
      state.save();
      worlds.onChange(() => state.saveSoon());
      return state;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /**
   * Saves now. Without it a process that dies loses what happened in the last moments.
   * @throws ConfigError when it cannot be saved: the last good state is still there
   */
  save(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.latest += 1;
    this.hasChanged = false;
    this.guarded(() => writeNow(this.file, worldsState(this.worlds)));
  }

  /**
   * Saves, and lets another server have the file.
   * @throws ConfigError when it cannot be saved
   */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    try {
      this.save();
    } finally {
      this.lock.release();
    }
  }

  /** What changes while it is saved is saved next. */
  private saveSoon(): void {
    if (this.isClosed) return;
    this.hasChanged = true;
    if (!this.isWriting) this.timer ??= setTimeout(() => void this.saveInSlices(), quietMilliseconds).unref();
  }

  /** As save(), between the requests; the server goes on where there is no room. */
  private async saveInSlices(): Promise<void> {
    this.timer = undefined;
    this.isWriting = true;
    this.hasChanged = false;
    this.latest += 1;
    const { latest } = this;
    try {
      await this.guarded(() => writeInSlices(this.file, worldsState(this.worlds), () => this.latest === latest));
    } catch (error) {
      this.worlds.services.log('error', (error as Error).message);
    }
    this.isWriting = false;
    if (this.hasChanged) this.saveSoon();
  }

  private guarded<T>(write: () => T): T {
    const failed = (error: unknown): never => {
      throw new ConfigError([`${this.file}: the state cannot be saved: ${whyNotSaved(error, this.file)}`]);
    };
    try {
      if (!this.lock.isHeld) throw new Error('another server took its lock, or somebody removed it');
      const result = write();
      return result instanceof Promise ? (result.catch(failed) as T) : result;
    } catch (error) {
      return failed(error);
    }
  }
}

/** @throws ConfigError */
function lockOf(file: string): StateLock {
  try {
    return StateLock.take(file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError([`${file}: the state cannot be saved: ${whyNotSaved(error, file)}`]);
  }
}

/**
 * Whether there is a file to load.
 * @throws ConfigError where something else stands in its place: reading a device never ends, and renaming replaces it
 */
function isStateThere(file: string): boolean {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined || found.isFile()) return found !== undefined;
    const what = found.isDirectory() ? 'a folder' : 'not a regular file';
    throw new ConfigError([`${file}: this is ${what}; the state needs a file, e.g. ./state.json`]);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    // Some versions of Node throw it, others give undefined; saving says it better.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw new ConfigError([`${file}: the state cannot be read: ${reasonOf(error)}`]);
  }
}

function whyNotSaved(error: unknown, file: string): string {
  const folder = dirname(file);
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `there is no folder ${folder} (${code}); make it, or name another file`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `the folder ${folder} may not be written (${code}); allow it, or name another file`;
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return `no room is left at ${folder} (${code}); make some, or name a file elsewhere`;
    default:
      return reasonOf(error);
  }
}

/** An error in one line: Node quotes what it could not parse, line ends and all. */
const reasonOf = (error: unknown): string => (error as Error).message.trim().replaceAll(/\s+/g, ' ');

/**
 * @param named as the user wrote it
 * @throws ConfigError
 */
async function load(file: string, worlds: Worlds, named: string): Promise<void> {
  const broken = (reason: string) =>
    new ConfigError([`${named}: ${reason}; the file was left as it is: mend it, or move it away to begin anew`]);
  let value: unknown;
  try {
    // Editors may put a byte order mark before it.
    value = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw broken(`the state cannot be read: ${reasonOf(error)}`);
  }
  if (!isWorldsState(value)) throw broken('this is not a state of this version of platform-mock');
  const { seed } = worlds.main.origin;
  if (value.seed !== seed) throw broken(`the state belongs to seed ${value.seed}, not to ${seed}`);
  try {
    restoreWorlds(value, worlds);
  } catch (error) {
    throw broken(`the state cannot be restored: ${reasonOf(error)}`);
  }
}
