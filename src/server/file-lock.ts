import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { dirname } from 'node:path';
import { ConfigError } from '../core/spec/config-error.ts';

interface Holder {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

const refreshEvery = 5_000;
/** A lock of another machine or container that was not refreshed for so long is stale: its process cannot be checked. */
const staleAfter = 30_000;

/** The locks of this thread, released when the process ends. */
const held = new Set<FileLock>();

function releaseAll(): void {
  for (const lock of [...held]) lock.release();
}

/** Limits a file to one server. The lock is a file with the id of the process, so a killed server can start again at once. */
export class FileLock {
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly file: string,
    private readonly holder: Holder,
  ) {
    if (held.size === 0) process.once('exit', releaseAll);
    held.add(this);
    this.timer = setInterval(() => this.refresh(), refreshEvery).unref();
  }

  /** Locks a file that has `content`, such as the state; throws ConfigError while another server holds it. */
  static take(locked: string, content: string): FileLock {
    const file = `${locked}.lock`;
    const holder = { id: randomUUID(), pid: process.pid, host: hostname(), since: Date.now() };
    if (!create(file, holder)) {
      removeStale(file);
      if (!create(file, holder)) throw inUse(locked, content, file);
    }
    return new FileLock(file, holder);
  }

  /** Whether no other server can have the file; true if its whole folder was removed. */
  get isHeld(): boolean {
    if (!held.has(this)) return false;
    const holder = holderOf(this.file);
    return holder === undefined ? !existsSync(dirname(this.file)) : holder.id === this.holder.id;
  }

  release(): void {
    const { isHeld } = this;
    held.delete(this);
    clearInterval(this.timer);
    if (held.size === 0) process.off('exit', releaseAll);
    if (isHeld) rmSync(this.file, { force: true });
  }

  private refresh(): void {
    try {
      const now = new Date();
      if (this.isHeld) utimesSync(this.file, now, now);
    } catch {
      // Saving reports what is wrong with the folder.
    }
  }
}

/** @returns false if a lock exists */
function create(file: string, holder: Holder): boolean {
  try {
    // Exclusive: fails if anything with that name exists, also a link.
    writeFileSync(file, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // On a full disk, an empty file would look like the lock of a starting server.
    rmSync(file, { force: true });
    throw error;
  }
}

/** Undefined if there is no lock, or it is not yet written. */
function holderOf(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function removeStale(file: string): void {
  const holder = holderOf(file);
  if (isAlive(holder, file)) return;
  // Renamed first: of two servers that find it, one must not remove the other's new lock.
  const aside = `${file}.${randomUUID()}.tmp`;
  try {
    renameSync(file, aside);
    if (holderOf(aside)?.id !== holder?.id) linkSync(aside, file);
    rmSync(aside, { force: true });
  } catch {
    // Another server was faster: the present lock decides.
  }
}

function isAlive(holder: Holder | undefined, file: string): boolean {
  const refreshed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (holder === undefined || holder.host !== hostname()) return Date.now() - refreshed < staleAfter;
  // Of this process, in any thread; or of an earlier one with the same number, as in a container.
  if (holder.pid === process.pid) return holder.since >= Date.now() - process.uptime() * 1000;
  // A process number from before the machine's start means nothing.
  if (holder.since < Date.now() - uptime() * 1000 - 60_000) return false;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is alive and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function inUse(locked: string, content: string, file: string): ConfigError {
  const holder = holderOf(file);
  const who =
    holder === undefined
      ? 'another server'
      : `process ${holder.pid}${holder.host === hostname() ? '' : ` on ${holder.host}`}`;
  return new ConfigError([
    `${locked}: the ${content} is in use by ${who}; stop it, or name another file (if nothing runs there, remove ${file})`,
  ]);
}
