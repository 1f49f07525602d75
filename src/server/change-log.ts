import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Answers } from '../core/profiles/answers.ts';
import type { TableName } from '../core/world/store.ts';
import { moveWords } from '../core/world/vocabulary.ts';
import type { WorldsChange } from '../core/world/world-change.ts';
import type { Worlds } from '../core/world/worlds.ts';
import { applyChange, restOf, type WrittenChange } from './store/world-changes.ts';

/** An entry of a log. */
interface Entry {
  /** The sandbox; '' for the main world. */
  readonly world: string;
  readonly change: WrittenChange | 'made' | 'deleted';
}

/** The last line of a log that another one continues. */
interface Continued {
  readonly next: string;
}

const fileOf = (file: string, id: string): string => `${file}.${id}.log`;

/**
 * What changed since a state was saved, one line per answer, written before the answer leaves: whatever kills the process then,
 * the line is in the file. A line that was not completed belongs to an answer that nobody got.
 */
export class ChangeLog {
  readonly id = randomUUID();
  private readonly descriptor: number;
  private entries: Entry[] = [];
  /** The worlds whose rest has changed. */
  private rests = new Set<string>();
  private isBroken = false;

  /** @param file the state file */
  constructor(
    file: string,
    private readonly worlds: Worlds,
  ) {
    this.descriptor = openSync(fileOf(file, this.id), 'wx', 0o600);
  }

  add({ world, change }: WorldsChange): void {
    if (change === 'rest') this.rests.add(world);
    else if (change !== 'whole' && change !== 'counts') this.entries.push({ world, change });
  }

  /** Writes what was added. Not synced to the disk: a power failure may take it. */
  flush(): void {
    const { entries, rests } = this;
    if (entries.length === 0 && rests.size === 0) return;
    this.entries = [];
    this.rests = new Set();
    const restIn = (name: string): Entry[] => {
      const world = this.worlds.find(name);
      return world ? [{ world: name, change: restOf(world) }] : [];
    };
    this.write([...entries, ...[...rests].flatMap(restIn)]);
  }

  /** Writes what was added, and ends it: what changes from now on is in another one. */
  continueIn(next: string): void {
    try {
      this.flush();
      this.write({ next } satisfies Continued);
    } finally {
      this.close();
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private write(line: readonly Entry[] | Continued): void {
    if (this.isBroken) throw new Error('its log could not be continued');
    // Until it is whole: nothing may follow half a line.
    this.isBroken = true;
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.descriptor, bytes, at);
    this.isBroken = false;
  }

  /** Removes all logs of a state file but those of these ids. */
  static removeOthers(file: string, ids: readonly string[]): void {
    const name = basename(file);
    for (const found of readdirSync(dirname(file))) {
      const id = /^\.([0-9a-f-]{36})\.log$/.exec(found.startsWith(name) ? found.slice(name.length) : '')?.[1];
      if (id !== undefined && !ids.includes(id)) rmSync(join(dirname(file), found), { force: true });
    }
  }
}

/**
 * Brings worlds that were restored from a state file to where they were at the last answer.
 * @param savedAnswers those under which a world was saved, where not under its present ones
 * @throws where a log holds what it cannot hold
 */
export function replay(
  file: string,
  first: string | undefined,
  worlds: Worlds,
  savedAnswers: (name: string) => Answers | undefined,
): void {
  for (let id = first; id !== undefined; ) {
    const lines = linesOf(fileOf(file, id));
    id = undefined;
    for (const line of lines) {
      const value = JSON.parse(line) as readonly Entry[] | Continued;
      if ('next' in value) id = value.next;
      else for (const entry of value) apply(entry, worlds, savedAnswers);
    }
  }
}

/** The whole lines of a log; none where it is gone, as after a regular end. */
function linesOf(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    // What follows the last line break is nothing, or a line that was not completed.
    return lines.slice(0, -1);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function apply(
  { world: name, change }: Entry,
  worlds: Worlds,
  savedAnswers: (name: string) => Answers | undefined,
): void {
  if (change === 'made') return void worlds.make(name, worlds.main.origin);
  if (change === 'deleted') return void worlds.delete(name);
  const world = worlds.find(name);
  if (!world) throw new Error(`its log names the sandbox ${name}, which is not there`);
  const saved = savedAnswers(name);
  applyChange(world, change, (table, record) =>
    saved ? moveWords(table as TableName, record, saved, world.answers) : record,
  );
}
