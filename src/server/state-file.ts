import { realpathSync, statSync } from 'node:fs';
import type { MockRequest } from '../core/message.ts';
import { ConfigError } from '../core/spec/config-error.ts';
import { isPossible } from '../core/world/clock.ts';
import type { Seeds } from '../core/world/seeds.ts';
import { rebased, type WorldImage } from '../core/world/state.ts';
import { World } from '../core/world/world.ts';
import type { WorldsChange } from '../core/world/world-change.ts';
import { StoreUnavailable, type WorldStore } from '../core/world/world-store.ts';
import { mainName, type Worlds } from '../core/world/worlds.ts';
import { FileLock } from './file-lock.ts';
import { readLog, StateLog } from './state-log.ts';
import { applyChange, Changes, isCount, type WrittenChange } from './store/world-changes.ts';
import { Images, type Moment, momentOf, restoreMoment, type SavedWorld, worldState } from './store/world-state.ts';

const version = 8;
/** Milliseconds until changes outside requests are written, and everything written is synced to disk. */
const restAfter = 200;

interface Head {
  readonly version: number;
  readonly seed: number;
  /** Minimum number of lines that follow: one for each world. */
  readonly worlds: number;
}

/** A line about a world; with neither state nor changes the world was deleted. */
interface Entry {
  readonly world: string;
  readonly whole?: SavedWorld;
  readonly changes?: readonly WrittenChange[];
}

/** Keeps the worlds in a file: a line for each, then one for the changes of each answer, before it leaves; or these are undone. */
export class StateFile implements WorldStore {
  private log: StateLog;
  private readonly pending = new Map<string, Changes>();
  /** Why writing fails; undefined while it works. */
  private problem: string | undefined;
  /** The worlds as in the file, while writing fails. */
  private kept: ReadonlyMap<string, Moment> | undefined;
  private losses = 0;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly file: string,
    readonly place: string,
    private readonly worlds: Worlds,
    private readonly lock: FileLock,
  ) {
    this.log = this.newLog();
  }

  /** Loads the file, if it exists, and keeps every later change; throws ConfigError if it cannot be used, and leaves it as it is. */
  static async attach(file: string, worlds: Worlds): Promise<StateFile> {
    let lock: FileLock | undefined;
    try {
      // A symbolic link stays: its target is replaced.
      const target = stateExists(file) ? realpathSync(file) : file;
      lock = FileLock.take(target, 'state');
      // Checked again: the server that released the lock may have created the file.
      if (stateExists(target)) load(target, worlds, file);
      const state = new StateFile(target, file, worlds, lock);
      worlds.onChange((change) => state.note(change));
      worlds.services.store = state;
      worlds.services.ready = async () => state.check();
      return state;
    } catch (error) {
      lock?.release();
      throw error instanceof ConfigError ? error : unsaved(file, reasonOf(error));
    }
  }

  async serve<T>(_request: MockRequest, run: () => Promise<T>, discard?: (outcome: T) => void): Promise<T> {
    const { losses } = this;
    const outcome = await run();
    try {
      this.settle(losses);
    } catch (error) {
      discard?.(outcome);
      throw error;
    }
    return outcome;
  }

  async change<T>(work: () => T): Promise<T> {
    const outcome = work();
    this.settle();
    return outcome;
  }

  /** Writes changes made outside requests, and waits for the disk; throws ConfigError if that fails, and undoes them. */
  save(): void {
    try {
      if (this.pending.size > 0) this.settle();
      else this.write();
      this.log.sync();
    } catch (error) {
      throw unsaved(this.place, this.problem ?? reasonOf(error));
    }
  }

  /** Saves and releases the file; throws ConfigError if it cannot be saved. */
  close(): void {
    if (this.isClosed) return;
    try {
      this.save();
    } finally {
      this.isClosed = true;
      clearTimeout(this.timer);
      this.log.close();
      this.lock.release();
    }
  }

  private note({ world, change }: WorldsChange): void {
    // Counters start at 0 with the process.
    if (this.isClosed || isCount(change)) return;
    const changes = this.pending.get(world) ?? new Changes();
    this.pending.set(world, changes);
    changes.add(change === 'made' || change === 'deleted' ? 'whole' : change);
    this.timer ??= setTimeout(() => this.rest(), restAfter).unref();
  }

  private rest(): void {
    this.timer = undefined;
    try {
      this.settle();
    } catch {
      return;
    }
    if (this.log.isLong) this.rewrite();
    this.log.syncSoon(() => this.rewrite());
  }

  // `losses`: changes undone when the request arrived; its answer may rest on one that was undone since.
  /** Before an answer leaves: writes everything that it may show, or undoes it and throws StoreUnavailable. */
  private settle(losses = this.losses): void {
    if (this.isClosed || (this.pending.size === 0 && losses === this.losses)) return;
    try {
      if (losses === this.losses) {
        this.write();
        return;
      }
    } catch {
      // `problem` says why.
    }
    // Otherwise other requests may have written part of it.
    let isUncertain = this.pending.size === 0;
    try {
      if (this.pending.size > 0) this.takeBack();
    } catch (error) {
      isUncertain = true;
      this.worlds.services.log('error', `${this.place}: changes cannot be taken back: ${reasonOf(error)}`);
    }
    throw new StoreUnavailable(this.whyNot ?? 'changes of others could not be saved meanwhile', isUncertain);
  }

  /** Writes pending changes, or checks whether writing works again. */
  private write(): void {
    try {
      if (!this.lock.isHeld) throw new Error('its lock was removed, or another server took it');
      if (this.log.isGone) this.replaceLog();
      else if (this.pending.size === 0) this.log.probe();
      else this.log.append(`[${[...this.pending].map(([name, changes]) => this.entryOf(name, changes)).join(',')}]`);
    } catch (error) {
      const reason = reasonOf(error);
      if (this.problem !== reason) this.worlds.services.log('error', unsaved(this.place, reason).message);
      this.problem = reason;
      throw error;
    }
    if (this.problem !== undefined) this.worlds.services.log('info', `${this.place}: the state can be saved again`);
    this.problem = undefined;
    this.kept = undefined;
    this.pending.clear();
  }

  private entryOf(name: string, changes: Changes): string {
    const world = this.worlds.find(name);
    const written = world && changes.of(world);
    return world && written === 'whole' ? wholeEntry(name, world) : JSON.stringify({ world: name, changes: written });
  }

  private takeBack(): void {
    this.kept ??= replay(this.log.read(), this.worlds);
    for (const name of this.pending.keys()) bring(this.worlds, name, this.kept.get(name));
    this.pending.clear();
    this.losses += 1;
  }

  /** Why requests that change something cannot be answered; undefined if they can. */
  private check(): string | undefined {
    try {
      if (this.problem !== undefined && !this.isClosed) this.write();
    } catch {
      // As before.
    }
    return this.whyNot;
  }

  private get whyNot(): string | undefined {
    return this.problem && `the state cannot be saved: ${this.problem}`;
  }

  /** Writes all worlds to a new file. If that fails, the present file stays in use. */
  private rewrite(): void {
    try {
      if (this.lock.isHeld) this.replaceLog();
    } catch (error) {
      this.log.expectGrowth();
      this.worlds.services.log('error', `${this.place}: the file cannot be rewritten: ${reasonOf(error)}`);
    }
  }

  private replaceLog(): void {
    const log = this.newLog();
    this.log.close();
    this.log = log;
    this.pending.clear();
    this.kept = undefined;
  }

  private newLog(): StateLog {
    const { worlds } = this;
    const all: [string, World][] = [[mainName, worlds.main], ...worlds.named()];
    const head: Head = { version, seed: worlds.seed, worlds: all.length };
    const lines = function* () {
      yield JSON.stringify(head);
      for (const [name, world] of all) yield `[${wholeEntry(name, world)}]`;
    };
    return StateLog.create(this.file, lines());
  }
}

const wholeEntry = (name: string, world: World): string =>
  `{"world":${JSON.stringify(name)},"whole":${worldState(world)}}`;

/** The worlds of a file. */
function replay(lines: readonly unknown[], { main, services, seeds }: Worlds): ReadonlyMap<string, Moment> {
  const images = new Images(main.origin, seeds);
  const worlds = new Map<string, World>();
  for (const { world: name, whole, changes } of (lines.slice(1) as readonly (readonly Entry[])[]).flat()) {
    const world = worlds.get(name) ?? new World(main.origin, services);
    if (whole) images.restore(world, whole);
    else if (changes && !worlds.has(name)) throw new Error(`it changes the sandbox ${name}, which is not there`);
    for (const change of changes ?? []) applyChange(world, change, seeds);
    if (whole ?? changes) worlds.set(name, world);
    else worlds.delete(name);
  }
  return new Map([...worlds].map(([name, world]) => [name, momentOf(world)]));
}

/** Restores a world to that moment, and removes it if it did not exist then. */
function bring(worlds: Worlds, name: string, moment: Moment | undefined): void {
  if (!moment) {
    worlds.forget(name);
    return;
  }
  const world = worlds.find(name) ?? worlds.add(name, moment.origin);
  restoreMoment(world, { ...moment, counts: world.counts });
}

/** `named`: the path as the user wrote it, for messages. Throws ConfigError. */
function load(file: string, worlds: Worlds, named: string): void {
  const invalid = (reason: string) =>
    new ConfigError([
      `${named}: ${reason}; the file was not changed: repair it, or move it away to start with a new state`,
    ]);
  let lines: readonly unknown[];
  try {
    lines = readLog(file);
  } catch (error) {
    throw invalid(`the state cannot be read: ${messageOf(error)}`);
  }
  const [head] = lines as [Head?];
  if (head?.version !== version) throw invalid('this is not a state of this version of platform-mock');
  if (head.seed !== worlds.seed) throw invalid(`the state belongs to seed ${head.seed}, not to ${worlds.seed}`);
  if (lines.length <= head.worlds) throw invalid('the state cannot be read: its end is missing');
  try {
    const saved = replay(lines, worlds);
    const main = saved.get(mainName);
    if (!main) throw new Error('it has no main world');
    const follow = presentOptions(main.origin, worlds.main.origin, worlds.seeds);
    for (const [name, { image, origin, snapshots, counts }] of saved) {
      const taken = [...snapshots].map(([id, one]) => [id, { ...one, image: follow(one.image) }] as const);
      bring(worlds, name, { image: follow(image), origin: follow(origin), snapshots: new Map(taken), counts });
    }
  } catch (error) {
    throw invalid(`the state cannot be restored: ${messageOf(error)}`);
  }
}

/** Applies options that changed since the start from `saved` to images whose options were not changed at run time. */
function presentOptions(saved: WorldImage, current: WorldImage, seeds: Seeds): (image: WorldImage) => WorldImage {
  const known = new Map(saved.seed === current.seed ? [[saved, current]] : []);
  const isNew = ({ id }: { readonly id: string }) => ![...saved.arms, ...current.arms].some((arm) => arm.id === id);
  return (image) => {
    if (!isPossible(image.clock)) throw new Error('the clock must be between 1970 and 2999');
    if (saved === current) return image;
    const done = known.get(image);
    if (done) return done;
    const isSameSize = image.seed === current.seed && image.recordings === saved.recordings;
    const recordings = isSameSize ? current.recordings : image.recordings;
    const answers = image.answers.key === saved.answers.key ? current.answers : image.answers;
    const arms = [...current.arms, ...image.arms.filter(isNew)];
    const layer = seeds.layer({ seed: image.seed, answers, recordings });
    const followed = { ...rebased(image, answers, layer), recordings, arms };
    known.set(image, followed);
    return followed;
  };
}

/** Whether there is a file to load; throws ConfigError for a device: reading may never end, and renaming would replace it. */
function stateExists(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile()) return stats !== undefined;
  const what = stats.isDirectory() ? 'a folder' : 'not a regular file';
  throw new ConfigError([`${file}: this is ${what}; the state needs a file, e.g. ./state.json`]);
}

const unsaved = (file: string, reason: string): ConfigError =>
  new ConfigError([`${file}: the state cannot be saved: ${reason}`]);

const reasons = Object.entries({
  'its folder does not exist: create it, or use another file': ['ENOENT', 'ENOTDIR'],
  'its folder is not writable: change its permissions, or use another file': ['EACCES', 'EPERM', 'EROFS'],
  'no space is left: free some, or use a file elsewhere': ['ENOSPC', 'EDQUOT', 'EFBIG'],
});

const messageOf = (error: unknown): string => (error as Error).message.trim().replaceAll(/\s+/g, ' ');

/** Why a file cannot be written, without its path: clients read it. */
function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return messageOf(error);
  const [reason] = reasons.find(([, codes]) => codes.includes(code)) ?? [];
  return reason === undefined ? code : `${reason} (${code})`;
}
