import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { logError } from './log.ts';
import { ConfigError } from './spec/config-error.ts';
import type { Worlds } from './world/worlds.ts';
import { adoptWorlds, isWorldsState, worldsState } from './world/worlds-state.ts';

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
   * @throws ConfigError when the file is broken or of another seed: it is left as it is
   */
  static async attach(file: string, worlds: Worlds): Promise<StateFile> {
    if (existsSync(file)) await load(file, worlds);
    const state = new StateFile(file, worlds);
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
      logError((error as Error).message);
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
      rmSync(temporary, { force: true });
      throw new ConfigError([`${this.file}: the state cannot be saved: ${(error as Error).message}`]);
    }
  }
}

/** @throws ConfigError */
async function load(file: string, worlds: Worlds): Promise<void> {
  const broken = (reason: string) => new ConfigError([`${file}: ${reason}; the file was left as it is`]);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw broken(`the state cannot be read: ${(error as Error).message}`);
  }
  if (!isWorldsState(value)) throw broken('this is no state of this version of platform-mock');
  const { seed } = worlds.main.origin;
  if (value.seed !== seed) throw broken(`the state belongs to seed ${value.seed}, not to ${seed}`);
  try {
    await adoptWorlds(value, worlds);
  } catch (error) {
    throw broken(`the state cannot be taken up: ${(error as Error).message}`);
  }
}
