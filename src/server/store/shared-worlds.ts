import { setTimeout as sleep } from 'node:timers/promises';
import { asNumber, asText } from '../../../contract-tests/values/json.ts';
import type { Journalled } from '../../core/world/journal.ts';
import type { WorldImage, WorldState } from '../../core/world/state.ts';
import { StoreUnavailable } from '../../core/world/world-store.ts';
import { mainName, type SandboxIndex, type SandboxSummary, type Worlds } from '../../core/world/worlds.ts';
import { CommitBatch, type Reply } from './commit-batch.ts';
import type { Options } from './fingerprint.ts';
import type { Commit, Lane } from './lane.ts';
import type { RedisLink } from './link.ts';
import { deleteScript, firstCall, listScript, nothing, unlistScript } from './scripts.ts';
import { type Images, ours, worldState } from './world-state.ts';

/** How long to look for the outcome of a commit, in milliseconds. */
const askFor = 1500;
/** Number of losses after which a replica asks to write alone for two round trips: it is far, or others write without a pause. */
const lossesUntilLease = 2;
/** Interval, in milliseconds, of refreshing the time to live of a used world; at most a third of it. */
const mostRefresh = 60_000;
/** How long the making of a new sandbox may take after it is listed, in milliseconds. */
const mostMaking = 5000;
/** How long a replica may take to remove a sandbox from the list that it has deleted, in milliseconds. */
const unlistingTime = 100;
/** Number of sandboxes that are deleted at once. */
const portion = 1000;

/** The worlds in Redis: read and committed one by one, and the list of sandboxes. */
export class SharedWorlds implements SandboxIndex {
  /** Validations included. */
  commits = 0;
  /** Names of worlds that were in use and are gone from the store, until an answer says so. */
  readonly lost = new Set<string>();
  /** What new sandboxes start from: as the main world, unless that was restarted with other options. */
  private startingFrom: WorldImage;
  /** The names of sandboxes by expiry, and in alphabetical order: in one slot of a cluster. */
  private readonly listKeys: readonly [string, string];
  /** Refresh interval and time to live of a used world, in milliseconds. */
  private readonly refreshEvery: number;
  private readonly lifeMs: number;
  /** Redis's clock minus that of this machine, in milliseconds, within the duration of a call. */
  private clockOffset: number | undefined;
  private tripMs = 0;
  private readonly together: CommitBatch;

  /** `drop` forgets a deleted sandbox here. */
  constructor(
    private readonly worlds: Worlds,
    private readonly images: Images,
    private readonly link: RedisLink,
    private readonly replica: string,
    private readonly options: Options,
    private readonly drop: (name: string) => void,
  ) {
    const { address, own } = options;
    const { idleMs } = own;
    this.refreshEvery = Math.min(mostRefresh, idleMs / 3);
    // The last use may be that much later than the last refresh.
    this.lifeMs = Math.ceil(idleMs + this.refreshEvery);
    this.listKeys = [`${address.prefix}{sandboxes}:expiry`, `${address.prefix}{sandboxes}:names`];
    this.startingFrom = images.start;
    this.together = new CommitBatch(link, worlds.services);
    worlds.startImage = () => this.startingFrom;
    worlds.sharedCount = 0;
    worlds.services.now = () => this.now();
    worlds.index = this;
  }

  /** @returns whether the store has it */
  async load(lane: Lane): Promise<boolean> {
    const reply = await this.run(lane, { kind: 'read', payload: '', summary: '' });
    this.follow(lane, reply[0] === 'ok' ? ['absent'] : reply);
    return lane.version > 0;
  }

  private follow(lane: Lane, reply: Reply): void {
    ours(this.keysOf(lane.name)[0], () => lane.follow(reply));
  }

  /** @throws StoreUnavailable if the store keeps no changes, for want of memory for instance */
  async assertWritable(): Promise<void> {
    const key = `${this.options.address.prefix}{/}:ready`;
    await this.link.call(key, ['SET', key, this.replica, 'PX', '60000']);
  }

  async countSandboxes(): Promise<void> {
    const [key] = this.listKeys;
    this.worlds.sharedCount = asNumber(await this.link.call(key, ['ZCOUNT', key, String(this.now()), '+inf']));
  }

  async findStart(): Promise<void> {
    const [key] = this.keysOf(mainName);
    const text = await this.link.call(key, ['HGET', key, 'o']);
    const saved = () => this.images.of(JSON.parse(asText(text)) as WorldState);
    this.startingFrom = text === null ? this.images.start : ours(key, saved);
  }

  /** Sandboxes as the list has them; of each, only what is shown is read. */
  async page(after: string, limit: number): Promise<SandboxSummary[]> {
    const found: SandboxSummary[] = [];
    for (let from = after; found.length < limit; ) {
      const names = await this.names(from, limit - found.length);
      const [last] = names.slice(-1);
      if (last === undefined) break;
      from = last;
      found.push(...(await Promise.all(names.map((name) => this.summary(name)))).flat());
    }
    return found;
  }

  /** None if it has expired. */
  private async summary(name: string): Promise<SandboxSummary[]> {
    const [key] = this.keysOf(name);
    const [text, last, cleared] = (await this.link.call(key, ['HMGET', key, 's', 'jt', 'jc'])) as (string | null)[];
    if (text == null) return [];
    const [profile, seed, changes] = ours(key, () => JSON.parse(text) as [string, number, number]);
    return [{ name, profile, seed, changes, requests: Number(last) - Number(cleared) }];
  }

  private async names(after: string, limit: number): Promise<string[]> {
    const [, key] = this.listKeys;
    const range = ['ZRANGEBYLEX', key, after === '' ? '-' : `(${after}`, '+', 'LIMIT', '0', String(limit)];
    return (await this.link.call(key, range)) as string[];
  }

  /** Deletes all sandboxes that there are now, in portions: requests go on meanwhile. The journal tells of many. */
  async deleteAll(): Promise<void> {
    const [key] = this.listKeys;
    const [seconds, microseconds] = (await this.link.call(key, ['TIME'])) as [string, string];
    const since = Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
    const names = await this.names('', -1);
    await asBegun(this.deleteThese(names, since));
    if (names.length > portion) this.worlds.main.journal.end(0, deletionOf(names.length, since, this.now()));
  }

  private async deleteThese(names: readonly string[], since: number): Promise<void> {
    for (let at = 0; at < names.length; at += portion) {
      const some = names.slice(at, at + portion);
      // Unlisted first: one that is made again meanwhile stays in the list.
      await this.unlist(some, since);
      // In a cluster, a script has keys of one slot only.
      const together = this.link.isCluster ? some.map((name) => [name]) : [some];
      const keys = together.map((each) => each.flatMap((name) => this.keysOf(name)));
      await Promise.all(keys.map((each) => this.link.run(deleteScript, each, [since])));
      for (const name of some) this.drop(name);
    }
    await this.countSandboxes();
  }

  /** Whether it must be kept from expiring. */
  isDue({ name, version, refreshedAt }: Lane): boolean {
    return name !== mainName && (version === 0 || Date.now() - refreshedAt > this.refreshEvery);
  }

  /** @returns false if another replica was first; its changes are then known */
  async commit(lane: Lane): Promise<boolean> {
    const commit = lane.take();
    this.commits += 1;
    const id = `${this.replica}.${this.commits.toString(36)}`;
    const isSandbox = lane.name !== mainName && commit.kind !== 'delete' && lane.world !== undefined;
    const isDue = isSandbox && this.isDue(lane);
    const timeToLive = isDue || (isSandbox && commit.kind === 'whole') ? String(this.lifeMs) : nothing;
    // A new one is counted before it is made; more of them than allowed are never in the store.
    const isNew = isDue && lane.version === 0;
    const listed = isNew ? await this.list(lane, this.worlds.limit) : undefined;
    if (listed?.fits === false) {
      lane.rollBack();
      return false;
    }
    const listing = listed ?? (isDue ? this.list(lane).catch(() => undefined) : undefined);
    const reply = await this.runUntilKnown(lane, commit, id, timeToLive);
    const list = await listing;
    if (list && reply[0] !== 'absent') lane.refreshedAt = Date.now();
    if (reply[0] === 'lost') throw new StoreUnavailable('the connection was lost while it was kept', true);
    if (reply[0] !== 'ok') {
      lane.rollBack();
      if (reply[0] === 'leased') {
        await sleep(Math.min(asNumber(reply[2]), 20));
        return false;
      }
      const isLost = reply[0] === 'absent' && lane.version > 0 && (await this.isLost(lane.name, list));
      this.tellLoss(lane, reply, isLost);
      // Otherwise it is loaded before the next run.
      if (lane.isLoaded) this.follow(lane, reply);
      // Others write here as well: from now on their commits come unasked.
      const [channel] = this.keysOf(lane.name);
      if (commit.kind !== 'read') lane.hear((heard) => this.link.listen(channel, heard));
      if (reply[0] === 'absent') {
        // Redis may have lost everything: the next replica to start shall know the options of this one.
        await this.options.tell();
        lane.unload();
      }
      return false;
    }
    const [, now, version, isLong] = reply;
    // Another replica served it, and no request deleted it.
    if (listed && listed.before > 0 && listed.before < asNumber(now) + this.lifeMs - mostMaking)
      this.note(lane.name, shown(lane.name), true);
    lane.committed(asNumber(version), commit.kind === 'read' ? lane.id : id);
    if (commit.kind === 'delete') {
      lane.refreshedAt = 0;
      await asBegun(this.unlist([lane.name], asNumber(now)));
    }
    if (isLong === 1) this.compact(lane);
    return true;
  }

  /** Says what the store no longer has of what it acknowledged, as after a failover to a replica that lagged behind. */
  private tellLoss({ name, version, generation }: Lane, reply: Reply, isLost: boolean): void {
    const [outcome, , found, , theirs, , lacks] = reply;
    const isGone = outcome === 'absent' || theirs !== generation;
    // A sandbox that is gone otherwise was deleted.
    if (isGone ? !isLost && (name !== mainName || version === 0) : lacks !== 1) return;
    const lost = isGone ? version : version - asNumber(found);
    // Others may have made as many since.
    this.note(name, `${lost > 0 ? lost : 'some'} changes of ${shown(name)} that it had acknowledged`, isGone);
  }

  /** Whether a world that is gone was neither deleted nor left to expire: both end its place in the list. */
  private async isLost(name: string, listed: Listed | undefined): Promise<boolean> {
    if (name === mainName) return true;
    // Who deletes it may just be about to remove it from the list, or to make it again.
    await sleep(unlistingTime);
    const [key] = this.listKeys;
    const [world] = this.keysOf(name);
    const expiry = listed?.before ?? asNumber(await this.link.call(key, ['ZSCORE', key, name]));
    return expiry > this.now() && (await this.link.call(world, ['EXISTS', world])) === 0;
  }

  private note(name: string, what: string, isGone: boolean): void {
    if (isGone && this.lost.size < portion) this.lost.add(name);
    const end = isGone ? ': it is gone, and made new' : '';
    this.worlds.services.log('error', `the store has lost ${what}${end}`);
  }

  /** @throws StoreUnavailable if the outcome stays unknown */
  private async runUntilKnown(lane: Lane, commit: Commit, id: string, timeToLive: string): Promise<Reply> {
    const until = performance.now() + askFor;
    for (let again = false; ; again = true) {
      try {
        const reply = await this.run(lane, commit, id, timeToLive, again);
        if (!again || reply[0] !== 'leased') return reply;
        // The first one may be on its way still, and arrive when the other replica no longer writes alone.
        throw new StoreUnavailable('another replica writes alone', true);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        // A failed read has changed nothing.
        if (commit.kind === 'read') throw new StoreUnavailable(error.message);
        if (!error.isUncertain && !again) throw error;
        if (performance.now() > until) throw new StoreUnavailable(error.message, true);
        await sleep(20);
      }
    }
  }

  /** @throws StoreUnavailable, also if a replica with other options made the world */
  private async run(
    lane: Lane,
    { kind, payload, summary }: Commit,
    id = nothing,
    timeToLive = nothing,
    again = false,
  ): Promise<Reply> {
    const sentAt = Date.now();
    const lease = lane.losses < lossesUntilLease ? nothing : Math.min(2 * this.tripMs + 50, 1500);
    const known = again ? lane.generation || nothing : firstCall;
    const head = `${kind} ${lane.version} ${lane.id || nothing} ${id} ${timeToLive} ${known} ${this.options.hash} ${lease} ${summary}`;
    const keys = this.keysOf(lane.name);
    const needed = kind === 'delete' || timeToLive !== nothing ? keys : keys.slice(0, 1);
    const reply = await this.together.run(needed, `${head}\n${payload}`);
    const now = asNumber(reply[1]);
    const [least, most] = [now - Date.now(), now - sentAt];
    this.tripMs = most - least;
    this.clockOffset = Math.min(Math.max(this.clockOffset ?? least, least), most);
    if (reply[0] === 'other')
      throw new StoreUnavailable((await this.options.problem()) ?? 'a mock with other options made this world');
    return reply;
  }

  private now(): number {
    return Date.now() + (this.clockOffset ?? 0);
  }

  /** Lists a sandbox for its time to live, unless there are too many. */
  private async list(lane: Lane, limit = Number.POSITIVE_INFINITY): Promise<Listed> {
    const words = [lane.name, this.lifeMs, limit === Number.POSITIVE_INFINITY ? 'inf' : limit];
    const [count, before] = await this.link.run(listScript, this.listKeys, words);
    const fits = asNumber(count) >= 0;
    this.worlds.sharedCount = fits ? asNumber(count) : limit;
    return { fits, before: asNumber(before) };
  }

  /** @param since when they were deleted */
  private async unlist(names: readonly string[], since: number): Promise<void> {
    await this.link.run(unlistScript, this.listKeys, [since + this.lifeMs, ...names]);
  }

  /** Replaces a world's entries by its state; if another replica was first, by that one's. Not awaited. */
  private compact(lane: Lane): void {
    const { world } = lane;
    if (!world || lane.isCompacting) return;
    lane.isCompacting = true;
    const end = (): void => {
      lane.isCompacting = false;
    };
    this.run(lane, { kind: 'compact', payload: worldState(world, world.counts), summary: '' }).then(end, end);
  }

  /** In one slot of a cluster. No sandbox can have the name of the main world. */
  keysOf(name: string): readonly [string, string] {
    const tag = `${this.options.address.prefix}{${name === mainName ? '/' : `~${name}`}}`;
    return [`${tag}:world`, `${tag}:journal`];
  }
}

const shown = (name: string): string => (name === mainName ? 'the main world' : `the sandbox ${name}`);

interface Listed {
  readonly fits: boolean;
  /** When it would have expired, in milliseconds since 1970; 0 if it was not listed. */
  readonly before: number;
}

/** Work of a request that has changed something before: if this fails, that remains. */
const asBegun = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof StoreUnavailable ? new StoreUnavailable(error.message, true) : error;
  });

/** The journal's entry of the request that deleted that many sandboxes, with the times of the store. */
function deletionOf(count: number, begin: number, end: number): Journalled {
  return {
    number: 0,
    startedAt: begin,
    worldTime: begin,
    milliseconds: end - begin,
    sentBytes: undefined,
    answeredText: undefined,
    outline: () => ({
      isDropped: false,
      method: 'DELETE',
      url: '/_mock/sandboxes',
      rawHeaders: [],
      isJson: false,
      answered: { status: 204, headers: {} },
      basis: 'control',
      isProtected: false,
      isValid: true,
      forced: false,
      gaps: [],
      faults: [],
      changes: [{ resource: 'sandboxes', id: `${count} of them`, change: 'deleted' }],
    }),
  };
}
