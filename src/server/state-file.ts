import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { MockRequest } from '../core/message.ts';
import { ConfigError } from '../core/spec/config-error.ts';
import type { World } from '../core/world/world.ts';
import type { WorldsChange } from '../core/world/world-change.ts';
import type { WorldStore } from '../core/world/world-store.ts';
import type { Worlds } from '../core/world/worlds.ts';
import { ChangeLog, replay } from './change-log.ts';
import { StateLock } from './state-lock.ts';
import { removeLeftOvers, writeInSlices, writeNow } from './state-write.ts';
import { isCount } from './store/world-changes.ts';
import { isWorldsState, restoreWorlds, worldsState } from './worlds-state.ts';

const quietMilliseconds = 200;
/** After a state that could not be saved. */
const retryMilliseconds = 1000;

/** Persists the worlds in a file: loaded at start, saved shortly after each change and at the end. */
export class StateFile implements WorldStore {
  private timer: NodeJS.Timeout | undefined;
  /** Counts the saves: one that was overtaken is dropped. */
  private latest = 0;
  private isWriting = false;
  private hasChanged = false;
  private isClosed = false;
  /** Something changed that only the whole state tells. */
  private needsWhole = false;
  private isToRetry = false;
  private log: ChangeLog | undefined;
  /** Logs that the saved state needs, or one that is being written will. */
  private logs: string[] = [];

  private constructor(
    private readonly file: string,
    private readonly worlds: Worlds,
    private readonly lock: StateLock,
    readonly place: string,
  ) {}

  /**
   * Loads the file, if it exists, into the worlds, and saves every later change.
   * @throws ConfigError if the file is invalid or of another seed (it is not changed), in use by another server, or cannot
   * be written
   */
  static async attach(file: string, worlds: Worlds): Promise<StateFile> {
    // A symbolic link is kept: its target is replaced.
    const target = stateExists(file) ? realpathSync(file) : file;
    const lock = lockOf(target);
    try {
      // Checked again: the server that has just released it may have created it.
      if (stateExists(target)) await load(target, worlds, file);
      removeLeftOvers(target);
      const state = new StateFile(target, worlds, lock, file);
      state.save();
      worlds.onChange((change) => state.note(change));
      worlds.services.store = state;
      return state;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /**
   * Saves now. Changes are otherwise logged before they are acknowledged, and saved after a short delay.
   * @throws ConfigError if it cannot be saved; the previous state is kept then
   */
  save(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.latest += 1;
    this.hasChanged = false;
    this.guarded(() => {
      const { id } = this.nextLog();
      writeNow(this.file, worldsState(this.worlds, id));
      this.needsWhole = false;
      this.keepOnly(id);
    });
  }

  private note(change: WorldsChange): void {
    if (this.isClosed) return;
    // It begins anew with the process.
    if (isCount(change.change)) return;
    if (change.change === 'whole') this.needsWhole = true;
    else this.log?.add(change);
    this.saveSoon();
  }

  async serve<T>(request: MockRequest, run: (request: MockRequest) => Promise<T>): Promise<T> {
    const outcome = await run(request);
    this.settle();
    return outcome;
  }

  async change<T>(work: (main: World) => T): Promise<T> {
    const outcome = work(this.worlds.main);
    this.settle();
    return outcome;
  }

  /** Before an answer leaves: what it acknowledges survives the process. */
  private settle(): void {
    if (this.isClosed || this.isToRetry) return;
    try {
      if (this.needsWhole) this.save();
      else this.guarded(() => this.log?.flush());
    } catch (error) {
      this.needsWhole = true;
      this.retryLater();
      this.worlds.services.log('error', (error as Error).message);
    }
  }

  private retryLater(): void {
    this.isToRetry = true;
    const retry = (): void => {
      this.isToRetry = false;
      this.settle();
    };
    setTimeout(retry, retryMilliseconds).unref();
  }

  /** What changes from now on is in a log of its own: what is saved now holds the rest. */
  private nextLog(): ChangeLog {
    const next = new ChangeLog(this.file, this.worlds);
    try {
      // What waits to be written is in what is saved, and for the case that it cannot be saved, in the log before.
      this.log?.continueIn(next.id);
    } catch {
      // Until all is saved, nothing that is in the new log counts.
      this.needsWhole = true;
    }
    this.log = next;
    this.logs.push(next.id);
    return next;
  }

  /** The state that was saved needs this log and those that continue it. */
  private keepOnly(id: string): void {
    this.logs = this.logs.slice(this.logs.indexOf(id));
    ChangeLog.removeOthers(this.file, this.logs);
  }

  /**
   * Saves and releases the file.
   * @throws ConfigError if it cannot be saved
   */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    try {
      this.save();
      // It holds everything.
      this.log?.close();
      ChangeLog.removeOthers(this.file, []);
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

  /** As save(), in slices between requests; at once where the logs alone do not lead to the present state. Logs a failure. */
  private async saveInSlices(): Promise<void> {
    this.timer = undefined;
    if (this.needsWhole) return this.settle();
    this.isWriting = true;
    this.hasChanged = false;
    this.latest += 1;
    const { latest } = this;
    try {
      await this.guarded(async () => {
        const { id } = this.nextLog();
        await writeInSlices(this.file, worldsState(this.worlds, id), () => this.latest === latest);
        if (this.latest === latest) this.keepOnly(id);
      });
    } catch (error) {
      this.worlds.services.log('error', (error as Error).message);
    }
    this.isWriting = false;
    if (this.hasChanged) this.saveSoon();
  }

  private guarded<T>(write: () => T): T {
    const failed = (error: unknown): never => {
      throw new ConfigError([`${this.file}: the state cannot be saved: ${saveProblem(error, this.file)}`]);
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
    throw new ConfigError([`${file}: the state cannot be saved: ${saveProblem(error, file)}`]);
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
    case 'EFBIG':
      return `no space left in ${folder} (${code}); free some or use a file elsewhere`;
    default:
      return reasonOf(error);
  }
}

/** An error's message in one line: Node quotes unparsable input with its line breaks. */
const reasonOf = (error: unknown): string => (error as Error).message.trim().replaceAll(/\s+/g, ' ');

/**
 * @param named the path as the user wrote it
 * @throws ConfigError
 */
async function load(file: string, worlds: Worlds, named: string): Promise<void> {
  const invalid = (reason: string) =>
    new ConfigError([
      `${named}: ${reason}; the file was not changed: repair it, or move it away to start with a new state`,
    ]);
  let value: unknown;
  try {
    // Editors may put a byte order mark before it.
    value = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw invalid(`the state cannot be read: ${reasonOf(error)}`);
  }
  if (!isWorldsState(value)) throw invalid('this is not a state of this version of platform-mock');
  const { seed } = worlds.main.origin;
  if (value.seed !== seed) throw invalid(`the state belongs to seed ${value.seed}, not to ${seed}`);
  try {
    const savedAnswers = restoreWorlds(value, worlds);
    replay(file, value.log, worlds, savedAnswers);
  } catch (error) {
    throw invalid(`the state cannot be restored: ${reasonOf(error)}`);
  }
}
