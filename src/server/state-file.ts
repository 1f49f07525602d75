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

/** Persists the worlds in a file: loaded at start, saved shortly after each change and at the end. */
export class StateFile {
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly file: string,
    private readonly worlds: Worlds,
  ) {}

  /**
   * Loads the file, if it exists, into the worlds, and saves every later change.
   * @throws ConfigError if the file is invalid or of another seed (it is not changed), or cannot be written
   */
  static async attach(file: string, worlds: Worlds): Promise<StateFile> {
    const exists = stateExists(file);
    if (exists) await load(file, worlds);
    // A symbolic link is kept: its target is replaced.
    const state = new StateFile(exists ? realpathSync(file) : file, worlds);
    state.write();
    worlds.onChange(() => state.saveSoon());
    return state;
  }

  /**
   * Saves now. Changes are otherwise saved after a short delay, and lost if the process dies before.
   * @throws ConfigError if it cannot be saved; the previous state is kept then
   */
  save(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.write();
  }

  /** As save(), but logs a failure. */
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

  /** Writes a temporary file and renames it, so that the file is always complete. */
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
      removeIfPresent(temporary);
      throw new ConfigError([`${this.file}: the state cannot be saved: ${saveProblem(error, this.file)}`]);
    }
  }
}

/**
 * Whether there is a file to load.
 * @throws ConfigError if the path is not a regular file: reading a device may never end, and renaming would replace it
 */
function stateExists(file: string): boolean {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined || stats.isFile()) return stats !== undefined;
    const what = stats.isDirectory() ? 'a folder' : 'not a regular file';
    throw new ConfigError([`${file}: this is ${what}; the state needs a file, e.g. ./state.json`]);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    // Some versions of Node throw it, others return undefined. Saving reports it better.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw new ConfigError([`${file}: the state cannot be read: ${reasonOf(error)}`]);
  }
}

function removeIfPresent(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The first error is the one to report.
  }
}

function saveProblem(error: unknown, file: string): string {
  const folder = dirname(file);
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `there is no folder ${folder} (${code}); create it or use another file`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `the folder ${folder} is not writable (${code}); change its permissions or use another file`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `no space left in ${folder} (${code}); free some or use a file elsewhere`;
    default:
      return reasonOf(error);
  }
}

/** An error's message in one line: Node quotes unparsable input with its line breaks. */
const reasonOf = (error: unknown): string => (error as Error).message.trim().replaceAll(/\s+/g, ' ');

/** @throws ConfigError */
async function load(file: string, worlds: Worlds): Promise<void> {
  const invalid = (reason: string) =>
    new ConfigError([
      `${file}: ${reason}; the file was not changed: repair it, or move it away to start with a new state`,
    ]);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw invalid(`the state cannot be read: ${reasonOf(error)}`);
  }
  if (!isWorldsState(value)) throw invalid('this is not a state of this version of platform-mock');
  const { seed } = worlds.main.origin;
  if (value.seed !== seed) throw invalid(`the state belongs to seed ${value.seed}, not to ${seed}`);
  try {
    restoreWorlds(value, worlds);
  } catch (error) {
    throw invalid(`the state cannot be restored: ${reasonOf(error)}`);
  }
}
