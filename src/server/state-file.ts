import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '../core/spec/config-error.ts';
import type { Worlds } from '../core/world/worlds.ts';
import { isWorldsState, restoreWorlds, worldsState } from './worlds-state.ts';

const quietMilliseconds = 200;

/** Keeps the worlds in a file: loaded at start, saved shortly after each change and at the end. */
export class StateFile {
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly file: string,
    private readonly worlds: Worlds,
  ) {}

  /**
   * Loads the file into the worlds, where there is one, and saves from now on.
   * @throws ConfigError when the file is broken or of another seed: it is left as it is; and when it cannot be written
   */
  static async attach(file: string, worlds: Worlds): Promise<StateFile> {
    const isThere = isStateThere(file);
    if (isThere) await load(file, worlds);
    // A link stays one: it is its target that is replaced.
    const state = new StateFile(isThere ? realpathSync(file) : file, worlds);
    state.write();
    worlds.onChange(() => state.saveSoon());
    return state;
  }

  /**
   * Saves now. Without it a process that dies loses what happened since the last quiet moment.
   * @throws ConfigError when it cannot be saved: the last good state is still there
   */
  save(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.write();
  }

  /** As save(); the server goes on where there is no room. */
  private saveOrLog(): void {
    try {
      this.save();
    } catch (error) {
      this.worlds.services.log('error', (error as Error).message);
    }
  }

  private saveSoon(): void {
    this.timer ??= setTimeout(() => this.saveOrLog(), quietMilliseconds).unref();
  }

  /** Written beside the file and renamed, so that there is always a whole one. */
  private write(): void {
    const temporary = `${this.file}.${process.pid}.tmp`;
    try {
      const descriptor = openSync(temporary, 'w', 0o600);
      try {
        writeFileSync(descriptor, JSON.stringify(worldsState(this.worlds)));
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(temporary, this.file);
    } catch (error) {
      removeIfThere(temporary);
      throw new ConfigError([`${this.file}: the state cannot be saved: ${whyNotSaved(error, this.file)}`]);
    }
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

function removeIfThere(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // What went wrong before is what has to be told.
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
      return `no room is left at ${folder} (${code}); make some, or name a file elsewhere`;
    default:
      return reasonOf(error);
  }
}

/** An error in one line: Node quotes what it could not parse, line ends and all. */
const reasonOf = (error: unknown): string => (error as Error).message.trim().replaceAll(/\s+/g, ' ');

/** @throws ConfigError */
async function load(file: string, worlds: Worlds): Promise<void> {
  const broken = (reason: string) =>
    new ConfigError([`${file}: ${reason}; the file was left as it is: mend it, or move it away to begin anew`]);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
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
