import { setTimeout as sleep } from 'node:timers/promises';
import type { WorldImage } from '../../core/world/image.ts';
import type { WorldState } from '../../core/world/state.ts';
import { StoreUnavailable } from '../../core/world/world-store.ts';
import { mainName, type Worlds } from '../../core/world/worlds.ts';
import type { Commit, Lane } from './lane.ts';
import type { RedisLink } from './link.ts';
import { commitScript } from './scripts.ts';
import type { Images } from './world-state.ts';

/** How long to look for the outcome of a commit, in milliseconds. */
const askFor = 1500;
/** Number of entries after which a whole state replaces them. */
const compactAfter = 200;
/** Interval, in milliseconds, of refreshing the time to live of a used world; at most a third of it. */
const mostRefresh = 60_000;

/** The worlds in Redis: read and committed one by one, and the list of sandboxes. */
export class SharedWorlds {
  /** Number of commits and validations. */
  roundTrips = 0;
  private commits = 0;
  /** What new sandboxes start from: as the main world, unless that was restarted with other options. */
  private startingFrom: WorldImage;
  private readonly list: string;
  /** Refresh interval and time to live of a used world, in milliseconds. */
  private readonly refreshEvery: number;
  private readonly lifeMs: number;

  /**
   * @param start what the main world started from
   * @param idleMs how long an unused sandbox is kept
   */
  constructor(
    private readonly worlds: Worlds,
    private readonly images: Images,
    private readonly start: WorldImage,
    private readonly link: RedisLink,
    private readonly prefix: string,
    private readonly replica: string,
    idleMs: number,
  ) {
    this.refreshEvery = Math.min(mostRefresh, idleMs / 3);
    // The last use may be that much later than the last refresh.
    this.lifeMs = Math.ceil(idleMs + this.refreshEvery);
    this.list = `${prefix}sandboxes`;
    this.startingFrom = start;
    worlds.startImage = () => this.startingFrom;
    worlds.sharedCount = 0;
  }

  /** @returns whether the store has it */
  async load(lane: Lane): Promise<boolean> {
    const reply = await this.send(lane, { kind: 'read', payload: '', origin: '' });
    lane.follow(reply[0] === 'ok' ? ['absent'] : reply);
    return lane.version > 0;
  }

  async countSandboxes(): Promise<void> {
    this.worlds.sharedCount = Number(
      await this.link.call(this.list, ['ZCOUNT', this.list, String(Date.now()), '+inf']),
    );
  }

  async findStart(): Promise<void> {
    const [key] = this.keysOf(mainName);
    const text = await this.link.call(key, ['HGET', key, 'o']);
    this.startingFrom = text === null ? this.start : this.images.of(JSON.parse(String(text)) as WorldState);
  }

  /** Names of the existing sandboxes. */
  async names(): Promise<string[]> {
    await this.link.call(this.list, ['ZREMRANGEBYSCORE', this.list, '-inf', `(${Date.now()}`]);
    return (await this.link.call(this.list, ['ZRANGE', this.list, '0', '-1'])) as string[];
  }

  /** @returns false if another replica was first; its changes are then known */
  async commit(lane: Lane): Promise<boolean> {
    const commit = lane.take();
    this.commits += 1;
    const id = `${this.replica}.${this.commits.toString(36)}`;
    this.roundTrips += 1;
    const isListed = lane.name !== mainName && commit.kind !== 'delete' && lane.world !== undefined;
    const isDue = isListed && (lane.version === 0 || Date.now() - lane.refreshedAt > this.refreshEvery);
    const timeToLive = isDue || (isListed && commit.kind === 'whole') ? String(this.lifeMs) : '';
    const [reply, isRegistered] = await Promise.all([
      this.timed(() => this.sendUntilKnown(lane, commit, id, timeToLive)),
      isDue && this.register(lane),
    ]);
    if (reply[0] === 'lost') throw new StoreUnavailable('the connection was lost while it was kept', true);
    if (reply[0] !== 'ok') {
      lane.rollBack();
      // Otherwise it is loaded before the next run.
      if (lane.isLoaded) lane.follow(reply);
      if (reply[0] === 'absent') lane.unload();
      return false;
    }
    if (isRegistered) lane.refreshedAt = Date.now();
    const [, version, entries] = reply;
    lane.committed(Number(version), commit.kind === 'read' ? lane.id : id);
    if (commit.kind === 'delete') await this.unregister(lane);
    if (Number(entries) >= compactAfter) this.compact(lane);
    return true;
  }

  private async timed<T>(trip: () => Promise<T>): Promise<T> {
    const { metrics } = this.worlds.services;
    if (!metrics) return trip();
    const from = performance.now();
    const tell = (outcome: 'ok' | 'failed') => metrics.storeRoundTrip((performance.now() - from) / 1000, outcome);
    return trip().then(
      (result) => {
        tell('ok');
        return result;
      },
      (error: unknown) => {
        tell('failed');
        throw error;
      },
    );
  }

  /** @throws StoreUnavailable if the outcome stays unknown */
  private async sendUntilKnown(
    lane: Lane,
    commit: Commit,
    id: string,
    timeToLive: string,
  ): Promise<readonly unknown[]> {
    const until = performance.now() + askFor;
    for (let again = false; ; again = true) {
      try {
        return await this.send(lane, commit, id, timeToLive, again);
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

  private send(
    lane: Lane,
    { kind, payload, origin }: Commit,
    id = '',
    timeToLive = '',
    again = false,
  ): Promise<readonly unknown[]> {
    const words = [lane.version, lane.id, id, kind, payload, timeToLive, again ? lane.generation : 'first', origin];
    return this.link.run(commitScript, this.keysOf(lane.name), words);
  }

  /**
   * Extends the listing of a sandbox.
   * @returns false if the next request has to do it
   */
  private async register(lane: Lane): Promise<boolean> {
    const now = Date.now();
    try {
      await this.link.call(this.list, ['ZADD', this.list, String(now + this.lifeMs), lane.name]);
      // Removes expired ones here, in case no client ever lists sandboxes.
      await this.link.call(this.list, ['ZREMRANGEBYSCORE', this.list, '-inf', `(${now}`]);
      return true;
    } catch {
      return false;
    }
  }

  private async unregister(lane: Lane): Promise<void> {
    lane.refreshedAt = 0;
    await this.link.call(this.list, ['ZREM', this.list, lane.name]);
  }

  /** Replaces a world's entries by its state; if another replica was first, by that one's. Not awaited. */
  private compact(lane: Lane): void {
    if (lane.isCompacting) return;
    lane.isCompacting = true;
    const words = [lane.version, lane.id, '', 'compact', lane.state(), '', 'first', ''];
    const end = (): void => {
      lane.isCompacting = false;
    };
    this.link.run(commitScript, this.keysOf(lane.name), words).then(end, end);
  }

  /** In one slot of a cluster. No sandbox can have the name of the main world. */
  keysOf(name: string): readonly [string, string] {
    const tag = `${this.prefix}{${name === mainName ? '/' : `~${name}`}}`;
    return [`${tag}:world`, `${tag}:journal`];
  }

  timeToLive(name: string): string {
    return name === mainName ? '' : String(this.lifeMs);
  }
}
