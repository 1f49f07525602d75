import { asNumber, asText } from '../../../contract-tests/values/json.ts';
import type { World } from '../../core/world/world.ts';
import type { WorldChange } from '../../core/world/world-change.ts';
import { mainName, type Worlds } from '../../core/world/worlds.ts';
import type { Job } from './job.ts';
import { applyChange, Changes, type WrittenChange } from './world-changes.ts';
import {
  type Images,
  imageState,
  type Moment,
  momentOf,
  restoreMoment,
  type SavedWorld,
  worldState,
} from './world-state.ts';

export interface Commit {
  readonly kind: 'read' | 'append' | 'whole' | 'delete' | 'compact';
  readonly payload: string;
  /** What a list says of it: profile, seed and number of changes, as JSON; '' where the store has it. */
  readonly summary: string;
}

/** Maximum number of commits between two images: one costs as much as a commit, and the next change copies the table. */
const mostReplayed = 16;

/** Number of commits heard of without use after which no more are heard. */
const mostHeard = 64;

/** One world in this process: what is known of it in the store, and whose turn it is to change it. */
export class Lane {
  /** Its last known commit: 0 and '' if the store has none. */
  version = 0;
  id = '';
  /** Differs after a sandbox of that name was deleted and made again. */
  generation = '';
  isLoaded = false;
  /** Whether its state is one of the store since the present requests came. */
  isFresh = false;
  /** How often the present requests lost against other replicas. */
  losses = 0;
  /** Number of changes that requests have made, committed or not. */
  noted = 0;
  /** When its time to live was refreshed, in milliseconds since 1970. */
  refreshedAt = 0;
  isCompacting = false;
  /** Since it was last looked for worlds that may be forgotten. */
  isUsed = false;
  readonly waiting: Job[] = [];
  private changes = new Changes();
  /** The world some commits ago, and the changes since then that are committed. */
  private base: Moment | undefined;
  private since: (readonly WrittenChange[])[] = [];
  /** What becomes of these with the pending commit. */
  private next: { readonly base: Moment } | readonly WrittenChange[] | undefined;
  /** What a list says of it, as the store has it, and with the pending commit. */
  private summary = '';
  private nextSummary = '';
  /** Commits of others, as published: `<id of the commit before> <id> <changes>`. */
  private heard: string[] = [];
  /** Undefined where none are heard. */
  private endHearing: (() => void) | undefined;
  /** Whether present changes to the world are those of other replicas. */
  isFollowing = false;
  isHeld = false;
  private readonly claims: (() => void)[] = [];

  constructor(
    readonly name: string,
    private readonly worlds: Worlds,
    private readonly images: Images,
  ) {}

  get world(): World | undefined {
    return this.worlds.find(this.name);
  }

  /** Waits for exclusive use of this world, until `release`. Nothing to wait for if it is idle. */
  acquire(): Promise<void> | undefined {
    if (this.isHeld) return new Promise((claim) => this.claims.push(claim));
    this.isHeld = true;
    return undefined;
  }

  release(): void {
    const claim = this.claims.shift();
    if (claim) claim();
    else this.isHeld = false;
  }

  note(change: WorldChange | 'made' | 'deleted'): void {
    if (this.isFollowing) return;
    this.noted += 1;
    if (change !== 'made' && change !== 'deleted') this.changes.add(change);
  }

  /** Whether it differs from the store. */
  get hasChanged(): boolean {
    return (this.world === undefined) !== (this.version === 0) || !this.changes.isEmpty;
  }

  /** Takes the changes since the last commit. Later changes belong to the next one. */
  take(): Commit {
    const { world, changes } = this;
    const nothing = { payload: '', summary: '' };
    if (!world) return { kind: this.version === 0 ? 'read' : 'delete', ...nothing };
    if (this.version > 0 && changes.isEmpty) return { kind: 'read', ...nothing };
    const written = this.version === 0 ? 'whole' : changes.of(world);
    const isReplayable = written !== 'whole' && changes.isReplayable && this.since.length < mostReplayed;
    this.next = isReplayable ? written : { base: momentOf(world) };
    this.changes = new Changes();
    const summary = summaryOf(world);
    this.nextSummary = summary;
    if (written !== 'whole')
      return { kind: 'append', payload: JSON.stringify(written), summary: summary === this.summary ? '' : summary };
    // And what new sandboxes start from, which may have changed.
    const origin = this.name === mainName ? `\n${imageState(world.origin)}` : '';
    return { kind: 'whole', payload: worldState(world, world.counts) + origin, summary };
  }

  committed(version: number, id: string): void {
    if (this.version === 0 || version === 0) this.generation = version === 0 ? '' : id;
    this.version = version;
    this.id = version === 0 ? '' : id;
    this.summary = this.nextSummary;
    if (this.next && 'base' in this.next) this.startFrom(this.next.base);
    else if (this.next) this.since.push(this.next);
    this.next = undefined;
  }

  /** Hears of the commits of others, until it is not used for some of them. `listen` gives what ends it. */
  hear(listen: (heard: (message: string) => void) => () => void): void {
    this.endHearing ??= listen((message) => {
      if (this.heard.push(message) > mostHeard) this.deafen();
    });
  }

  deafen(): void {
    this.endHearing?.();
    this.endHearing = undefined;
    this.heard = [];
  }

  /** Applies the commits heard of that follow the known one. Whether there are later ones, only the store knows. */
  catchUp(): void {
    const { heard, world } = this;
    this.heard = [];
    if (heard.length === 0 || !world || this.hasChanged) return;
    this.quietly(() => {
      for (const message of heard) {
        const [before, id = ''] = message.split(' ', 2);
        if (before !== this.id) continue;
        const changes = this.apply(world, message.slice(before.length + 1));
        this.version += 1;
        this.id = id;
        if (this.since.length < mostReplayed) this.since.push(changes);
        else this.startFrom(momentOf(world));
      }
      this.knowSummary(world);
    });
  }

  /** An entry is a commit id and, unless a whole state includes them, its changes. */
  private apply(world: World, entry: string): readonly WrittenChange[] {
    const text = entry.slice(entry.indexOf(' ') + 1);
    const changes = text === '' ? [] : (JSON.parse(text) as readonly WrittenChange[]);
    for (const change of changes) applyChange(world, change, this.worlds.seeds);
    return changes;
  }

  private knowSummary(world: World): void {
    this.summary = summaryOf(world);
    this.nextSummary = this.summary;
  }

  private startFrom(base: Moment | undefined): void {
    this.base = base;
    this.since = [];
  }

  /** Undoes the changes since the known commit. */
  rollBack(): void {
    this.quietly(() => {
      const { base, world } = this;
      this.next = undefined;
      this.nextSummary = this.summary;
      if (!this.isLoaded) return;
      if (this.version === 0 && this.name !== mainName) this.worlds.forget(this.name);
      else if (!world) this.unload();
      else if (base) {
        restoreMoment(world, base);
        for (const changes of this.since) for (const change of changes) applyChange(world, change, this.worlds.seeds);
      }
    });
  }

  unload(): void {
    this.forgetCommit();
    this.isLoaded = false;
  }

  private forgetCommit(): void {
    this.version = 0;
    this.id = '';
    this.generation = '';
    this.startFrom(undefined);
  }

  /**
   * Applies what other replicas have committed.
   * @param reply of the script: `behind` or `absent`, and what the script says of it
   */
  follow([outcome, , version, id, generation, state, , ...entries]: readonly unknown[]): void {
    this.quietly(() => {
      if (outcome === 'absent') return this.followAbsence();
      const world = this.world ?? this.worlds.add(this.name, this.worlds.startImage());
      if (state !== '') this.images.restore(world, JSON.parse(asText(state)) as SavedWorld);
      for (const entry of entries) this.apply(world, asText(entry));
      // Not one that a refused request has just made.
      world.uses = Math.max(world.uses, 2);
      this.version = asNumber(version);
      this.id = asText(id);
      this.generation = asText(generation);
      this.startFrom(momentOf(world));
      this.knowSummary(world);
      this.isLoaded = true;
      this.isFresh = true;
    });
  }

  private followAbsence(): void {
    this.isLoaded = true;
    this.forgetCommit();
    const { world } = this;
    if (this.name !== mainName) this.worlds.forget(this.name);
    else if (world) {
      world.restart(this.images.start);
      this.startFrom(momentOf(world));
    }
  }

  private quietly(work: () => void): void {
    this.isFollowing = true;
    try {
      work();
    } finally {
      this.isFollowing = false;
      this.changes = new Changes();
    }
  }
}

const summaryOf = (world: World): string => JSON.stringify([world.answers.profile, world.seed, world.changeCount]);

/** Maximum number of unused worlds kept in this process. */
const mostLanes = 5000;

/** The worlds known in this process, least recently used first. */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();

  constructor(
    private readonly make: (name: string) => Lane,
    private readonly worlds: Worlds,
  ) {}

  /** The world of that name; marks it as used. */
  of(name: string): Lane {
    const lane = this.lanes.get(name) ?? this.make(name);
    this.lanes.set(name, lane);
    lane.isUsed = true;
    return lane;
  }

  all(): Lane[] {
    return [...this.lanes.values()];
  }

  /** Forgets a deleted world, and the least recently used ones beyond the limit. */
  keepFew(lane: Lane): void {
    if (!lane.world && this.isFree(lane)) this.forget(lane);
    if (this.lanes.size <= mostLanes) return;
    for (const one of this.lanes.values()) {
      if (this.lanes.size <= mostLanes) return;
      if (!this.isFree(one) || one.world?.journal.isWatched) continue;
      // One that was used since it was looked at last is spared once, and comes last.
      if (this.lanes.delete(one.name) && one.isUsed) this.lanes.set(one.name, one);
      else this.forget(one);
      one.isUsed = false;
    }
  }

  /** Forgets a world that was deleted, unless it is in use: then a request finds that out. */
  drop(name: string): void {
    const lane = this.lanes.get(name);
    if (lane && this.isFree(lane)) this.forget(lane);
  }

  private forget(lane: Lane): void {
    lane.deafen();
    this.lanes.delete(lane.name);
    this.worlds.forget(lane.name);
  }

  private isFree(lane: Lane): boolean {
    return lane.name !== mainName && !lane.isHeld && this.lanes.get(lane.name) === lane;
  }
}
