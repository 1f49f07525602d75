import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { logError } from './log.ts';
import { ConfigError } from './spec/config-error.ts';
import { isObject } from './spec/document.ts';
import type { World, WorldState } from './world/world.ts';

const schemaVersion = 1;
const quietMilliseconds = 200;

/** Keeps a world in a file: loaded at start, saved shortly after each change and at the end. */
export class StateFile {
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly file: string,
    private readonly world: World,
  ) {}

  /**
   * Loads the file into the world, where there is one, and saves from now on.
   * @throws ConfigError when the file is broken or of another seed: it is left as it is
   */
  static attach(file: string, world: World): StateFile {
    if (existsSync(file)) world.restore(readState(file, world.seed));
    const state = new StateFile(file, world);
    state.write();
    world.onChange(() => state.saveSoon());
    return state;
  }

  /** Saves now. Without it a process that dies loses what happened since the last quiet moment. */
  saveNow(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    try {
      this.write();
    } catch (error) {
      logError(`${this.file}: the state could not be saved: ${(error as Error).message}`);
    }
  }

  private saveSoon(): void {
    this.timer ??= setTimeout(() => this.saveNow(), quietMilliseconds).unref();
  }

  /** Written beside the file and renamed, so that there is always a whole one. */
  private write(): void {
    const temporary = `${this.file}.${process.pid}.tmp`;
    try {
      const descriptor = openSync(temporary, 'w', 0o600);
      try {
        writeSync(descriptor, JSON.stringify({ schemaVersion, ...this.world.toJSON() }));
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(temporary, this.file);
    } catch (error) {
      throw new ConfigError([`${this.file}: the state cannot be saved: ${(error as Error).message}`]);
    }
  }
}

function readState(file: string, seed: number): WorldState {
  const broken = (reason: string) => new ConfigError([`${file}: ${reason}; the file was left as it is`]);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw broken(`the state cannot be read: ${(error as Error).message}`);
  }
  if (
    !isObject(value) ||
    value.schemaVersion !== schemaVersion ||
    !isObject(value.changes) ||
    !isObject(value.counters)
  ) {
    throw broken('this is no state of this version of platform-mock');
  }
  if (value.seed !== seed) throw broken(`the state belongs to seed ${String(value.seed)}, not to ${seed}`);
  return value as unknown as WorldState;
}
