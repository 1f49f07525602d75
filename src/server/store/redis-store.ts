import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { MockRequest } from '../../core/message.ts';
import { ConfigError } from '../../core/spec/config-error.ts';
import type { WorldImage } from '../../core/world/image.ts';
import type { World } from '../../core/world/world.ts';
import { StoreUnavailable, type WorldStore } from '../../core/world/world-store.ts';
import { mainName, type Worlds } from '../../core/world/worlds.ts';
import { addressOf } from './address.ts';
import { type Addressed, addressedBy, readAhead } from './addressed.ts';
import { differencesOf, fingerprintOf } from './fingerprint.ts';
import { type Commit, Lane } from './lane.ts';
import { RedisLink } from './link.ts';
import { commitScript } from './scripts.ts';
import { SharedJournals } from './shared-journals.ts';
import { Images } from './world-state.ts';

/** Requests that run together. */
const mostJobs = 256;
/** Runs of a request, each after somebody else was first. */
const mostAttempts = 40;
/** How long it is tried to find out what became of a commit, in milliseconds. */
const askFor = 1500;
/** Entries after which they are replaced by the state that they lead to. */
const compactAfter = 200;
/** Worlds that are kept here although nobody uses them now. */
const mostLanes = 5000;
/** How often the time to live of a world that is used is refreshed, in milliseconds. */
const refreshEvery = 60_000;

export interface RedisStoreOptions {
  /** How long a sandbox is kept that nobody uses, in milliseconds. Default: a day. */
  readonly idleMs?: number | undefined;
}

/** A request, or several, that run on worlds as they are in the store. */
interface Job {
  readonly addressed: Addressed;
  /** Runs it; its outcome counts once `done` is called. */
  attempt(): Promise<void>;
  done(): void;
  fail(error: unknown): void;
}

/** Counts for operators. */
export interface StoreCounts {
  /** Commits and validations. */
  roundTrips: number;
  /** Runs that others were faster than. */
  conflicts: number;
  /** Requests that were answered with 503. */
  refused: number;
}

/**
 * Keeps all worlds in Redis, for any number of replicas.
 *
 * Why each world is linearizable: requests run on the image of one commit, one after the other, where nobody else changes it
 * (`Lane.acquire`). No answer leaves before the script has found that the world in Redis is still at that commit, and in the
 * same step has appended what they changed. So they take effect, in their order, at the moment in which the script runs, which
 * lies between their arrival and their answers; and what they read is what was there at that moment. Where the world has moved
 * on, they are undone, what was committed since is applied, and they run again. A commit whose reply was lost has an id, which
 * the next call with it finds: it is neither lost nor applied twice. If that cannot be found out, its requests get a 503.
 *
 * A request about several worlds (listing, forking, deleting sandboxes) takes the turns of all of them, in the order of their
 * names. It is committed world by world, those that it only reads first: each world stays linearizable, all together need not.
 */
export class RedisStore implements WorldStore {
  readonly counts: StoreCounts = { roundTrips: 0, conflicts: 0, refused: 0 };
  private readonly lanes = new Map<string, Lane>();
  private readonly waiting = new Map<Lane, Job[]>();
  private readonly images: Images;
  private readonly start: WorldImage;
  private readonly journals: SharedJournals;
  private commits = 0;

  private constructor(
    readonly place: string,
    private readonly worlds: Worlds,
    private readonly link: RedisLink,
    private readonly prefix: string,
    private readonly replica: string,
    private readonly idleMs: number,
  ) {
    this.start = worlds.main.origin;
    this.images = new Images(this.start, worlds.seeds);
    this.journals = new SharedJournals(
      link,
      (name) => this.keysOf(name),
      (name) => this.timeToLive(name),
      () => [...this.lanes.values()].filter((lane) => lane.world?.journal.isWatched),
      // A request finds out what became of it.
      (lane) => void this.change(() => {}, lane.name).catch(() => {}),
    );
    this.journals.attach(this.laneOf(mainName), worlds.main);
    worlds.startImage = () => this.startingFrom;
    worlds.sharedCount = 0;
    worlds.onChange(({ world, change }) => {
      const lane = this.lanes.get(world) ?? this.laneOf(world);
      if ((change === 'made' || change === 'whole') && lane.world) this.journals.attach(lane, lane.world);
      lane.note(change);
    });
    this.startingFrom = this.start;
  }

  /** What new sandboxes start from: as the main world did, unless that was restarted with other options. */
  private startingFrom: WorldImage;

  /**
   * Connects the worlds to a Redis.
   * @throws ConfigError where it cannot be reached, or other replicas there have other options
   */
  static async attach(address: string, worlds: Worlds, { idleMs = 24 * 3600_000 }: RedisStoreOptions = {}) {
    const parsed = addressOf(address);
    const link = await RedisLink.connect(parsed, worlds.services.log);
    try {
      const { prefix } = parsed;
      const ours = fingerprintOf(worlds.main.origin, worlds);
      const key = `${prefix}options`;
      await link.call(key, ['SET', key, JSON.stringify(ours), 'NX']);
      const differing = differencesOf(ours, String(await link.call(key, ['GET', key])));
      if (differing.length > 0)
        throw new ConfigError([
          `the store ${parsed.shown} belongs to a mock with other options (${differing.join(', ')}): start all replicas with the same ones, or use another prefix: ?prefix=NAME:`,
        ]);
      const replica = randomBytes(6).toString('hex');
      const store = new RedisStore(parsed.shown, worlds, link, prefix, replica, idleMs);
      await store.change(() => {});
      worlds.services.replica = replica;
      worlds.services.store = store;
      worlds.services.ready = () => store.ready();
      return store;
    } catch (error) {
      await link.close();
      throw error instanceof StoreUnavailable
        ? new ConfigError([`the store ${parsed.shown}: ${error.message}`])
        : error;
    }
  }

  async serve<T>(
    request: MockRequest,
    run: (request: MockRequest) => Promise<T>,
    discard?: (outcome: T) => void,
  ): Promise<T> {
    try {
      this.refuseWhileAway();
      const { sent, bytes } = await readAhead(request, this.worlds);
      return await this.enqueue(addressedBy(sent, bytes), () => run(sent), discard);
    } catch (error) {
      if (error instanceof StoreUnavailable) this.counts.refused += 1;
      throw error;
    }
  }

  change<T>(work: (world: World) => T, name = mainName): Promise<T> {
    return this.enqueue({ world: name, others: [], counts: false }, async () =>
      work(this.worlds.find(name) ?? this.worlds.main),
    );
  }

  /** Why requests cannot be answered at present; undefined where they can. */
  private async ready(): Promise<string | undefined> {
    if (!this.link.isReady) return this.link.problem;
    const key = `${this.prefix}options`;
    return this.link.call(key, ['EXISTS', key]).then(
      () => undefined,
      (error: Error) => error.message,
    );
  }

  async close(): Promise<void> {
    this.journals.close();
    await this.link.close();
  }

  private refuseWhileAway(): void {
    if (!this.link.isReady) throw new StoreUnavailable(this.link.problem);
  }

  private enqueue<T>(addressed: Addressed, run: () => Promise<T>, discard?: (outcome: T) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      let outcome: { readonly value: T } | undefined;
      const undo = (): void => {
        if (outcome) discard?.(outcome.value);
        outcome = undefined;
      };
      const job: Job = {
        addressed,
        attempt: async () => {
          undo();
          outcome = { value: await run() };
        },
        done: () => resolve((outcome as { readonly value: T }).value),
        fail: (error) => {
          undo();
          reject(error);
        },
      };
      const isAlone = addressed.others.length > 0;
      if (isAlone) void this.runAlone(job);
      else this.runSoon(this.laneOf(addressed.world), job);
    });
  }

  /** Runs a request with those that wait for the same world. */
  private runSoon(lane: Lane, job: Job): void {
    const waiting = this.waiting.get(lane);
    if (waiting) waiting.push(job);
    else {
      this.waiting.set(lane, [job]);
      void this.runWaiting(lane);
    }
  }

  private async runWaiting(lane: Lane): Promise<void> {
    const release = await lane.acquire();
    // Those that come in the same turn of the event loop, with them.
    await nextTurn();
    const jobs = this.waiting.get(lane) ?? [];
    this.waiting.delete(lane);
    for (const job of jobs.splice(mostJobs)) this.runSoon(lane, job);
    try {
      await this.transact([lane], jobs);
    } finally {
      release();
      this.keepFew(lane);
    }
  }

  /** Runs a request about several worlds. */
  private async runAlone(job: Job): Promise<void> {
    const releases: (() => void)[] = [];
    const lanes: Lane[] = [];
    try {
      const { world, others } = job.addressed;
      const named = others === 'all' ? [...(await this.names()), ...this.lanes.keys()] : others;
      // Always in the same order: two such requests do not wait for each other.
      for (const name of [...new Set([world, ...named])].sort()) {
        const lane = this.laneOf(name);
        lanes.push(lane);
        releases.push(await lane.acquire());
      }
      await this.transact(lanes, [job]);
    } catch (error) {
      job.fail(error);
    } finally {
      for (const release of releases) release();
      for (const lane of lanes) this.keepFew(lane);
    }
  }

  /** Runs requests on worlds that nobody else here uses meanwhile, and answers them once what they did is committed. */
  private async transact(lanes: readonly Lane[], jobs: readonly Job[]): Promise<void> {
    try {
      for (let attempt = 1; ; attempt += 1) {
        this.refuseWhileAway();
        await this.prepare(lanes, jobs);
        for (const job of jobs) await job.attempt();
        if (await this.commitAll(lanes)) break;
        this.counts.conflicts += 1;
        if (attempt === mostAttempts) throw new StoreUnavailable('others change this world without a pause');
        if (attempt > 2) await sleep(Math.random() * Math.min(attempt, 10));
      }
      await this.journals.settle(lanes);
    } catch (error) {
      this.journals.forget(lanes);
      for (const lane of lanes) lane.rollBack();
      for (const job of jobs) job.fail(error);
      return;
    }
    for (const job of jobs) job.done();
  }

  /** Brings here what is not known yet of the worlds, and of what requests tell beside them. */
  private async prepare(lanes: readonly Lane[], jobs: readonly Job[]): Promise<void> {
    const unknown = lanes.filter(({ isLoaded }) => !isLoaded);
    const isNew = (await Promise.all(unknown.map((lane) => this.load(lane)))).includes(false);
    const asks = jobs.map(({ addressed }) => addressed);
    const tasks: Promise<unknown>[] = [];
    if (isNew || asks.some(({ counts }) => counts)) tasks.push(this.countSandboxes());
    if (isNew || asks.some(({ others }) => others.length > 0)) tasks.push(this.findStart());
    for (const lane of lanes) {
      const own = asks.filter(({ world }) => world === lane.name);
      if (own.some(({ journal }) => journal === 'entries')) tasks.push(this.journals.read(lane));
      else if (asks.some(({ journal }) => journal === 'totals')) tasks.push(this.journals.read(lane, 0));
    }
    await Promise.all(tasks);
  }

  /** @returns whether the store has it */
  private async load(lane: Lane): Promise<boolean> {
    const reply = await this.send(lane, { kind: 'read', payload: '', origin: '' });
    lane.follow(reply[0] === 'ok' ? ['absent'] : reply);
    return lane.version > 0;
  }

  private async countSandboxes(): Promise<void> {
    const key = `${this.prefix}sandboxes`;
    this.worlds.sharedCount = Number(await this.link.call(key, ['ZCOUNT', key, String(Date.now()), '+inf']));
  }

  private async findStart(): Promise<void> {
    const [key] = this.keysOf(mainName);
    const text = await this.link.call(key, ['HGET', key, 'o']);
    this.startingFrom = text === null ? this.start : this.images.ofText(String(text));
  }

  /** Names of the sandboxes that there are. */
  private async names(): Promise<string[]> {
    const key = `${this.prefix}sandboxes`;
    await this.link.call(key, ['ZREMRANGEBYSCORE', key, '-inf', `(${Date.now()}`]);
    return (await this.link.call(key, ['ZRANGE', key, '0', '-1'])) as string[];
  }

  /** @returns false where others were first; what they did is known then */
  private async commitAll(lanes: readonly Lane[]): Promise<boolean> {
    const changed = lanes.filter(({ hasChanged }) => hasChanged);
    const read = lanes.filter((lane) => !changed.includes(lane));
    const areRead = (await Promise.all(read.map((lane) => this.commit(lane)))).every(Boolean);
    if (areRead) return (await Promise.all(changed.map((lane) => this.commit(lane)))).every(Boolean);
    for (const lane of changed) lane.rollBack();
    return false;
  }

  private async commit(lane: Lane): Promise<boolean> {
    const commit = lane.take();
    this.commits += 1;
    const id = `${this.replica}.${this.commits.toString(36)}`;
    this.counts.roundTrips += 1;
    const isListed = lane.name !== mainName && commit.kind !== 'delete' && lane.world !== undefined;
    const isDue = isListed && (lane.version === 0 || Date.now() - lane.refreshedAt > refreshEvery);
    const timeToLive = isDue || (isListed && commit.kind === 'whole') ? String(this.idleMs) : '';
    const [reply] = await Promise.all([
      this.sendUntilKnown(lane, commit, id, timeToLive),
      isDue ? this.register(lane) : undefined,
    ]);
    if (reply[0] !== 'ok') {
      lane.rollBack();
      // Otherwise it is loaded before the next run.
      if (lane.isLoaded) lane.follow(reply);
      if (reply[0] === 'absent') lane.unload();
      return false;
    }
    const [, version, entries] = reply;
    lane.committed(Number(version), commit.kind === 'read' ? lane.id : id);
    if (commit.kind === 'delete') await this.unregister(lane);
    if (Number(entries) >= compactAfter) this.compact(lane);
    return true;
  }

  /** @throws StoreUnavailable where it cannot be found out whether it is committed */
  private async sendUntilKnown(
    lane: Lane,
    commit: Commit,
    id: string,
    timeToLive: string,
  ): Promise<readonly unknown[]> {
    const until = performance.now() + askFor;
    for (let again = false; ; again = true) {
      try {
        const reply = await this.send(lane, commit, id, timeToLive, again);
        if (reply[0] === 'lost') throw new StoreUnavailable('the connection was lost while it was kept', true);
        return reply;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        // A reading that failed has not changed anything.
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
    const words = [lane.version, lane.id, id, kind, payload, timeToLive, again ? '1' : '', origin];
    return this.link.run(commitScript, this.keysOf(lane.name), words);
  }

  /** Has a sandbox listed, and kept for another while. */
  private async register(lane: Lane): Promise<void> {
    const now = Date.now();
    lane.refreshedAt = now;
    const key = `${this.prefix}sandboxes`;
    try {
      await this.link.call(key, ['ZADD', key, String(now + this.idleMs), lane.name]);
    } catch {
      // The next request does it.
      lane.refreshedAt = 0;
    }
  }

  private async unregister(lane: Lane): Promise<void> {
    const key = `${this.prefix}sandboxes`;
    lane.refreshedAt = 0;
    await this.link.call(key, ['ZREM', key, lane.name]);
  }

  /** Replaces the entries of a world by its state; where somebody else was first, by that one. Nobody waits for it. */
  private compact(lane: Lane): void {
    if (lane.isCompacting) return;
    lane.isCompacting = true;
    const words = [lane.version, lane.id, '', 'compact', lane.state(), '', '', ''];
    const end = (): void => {
      lane.isCompacting = false;
    };
    this.link.run(commitScript, this.keysOf(lane.name), words).then(end, end);
  }

  private laneOf(name: string): Lane {
    const known = this.lanes.get(name);
    // Reinserted: the first ones are those that were not used for longest.
    if (known) this.lanes.delete(name);
    const lane = known ?? new Lane(name, this.worlds, this.images, this.start);
    this.lanes.set(name, lane);
    return lane;
  }

  /** Forgets worlds that are not there, and those that were not used for longest where there are many. */
  private keepFew(lane: Lane): void {
    const isFree = (one: Lane): boolean =>
      one.name !== mainName && one.isIdle && !this.waiting.has(one) && this.lanes.get(one.name) === one;
    if (isFree(lane) && !lane.world) this.lanes.delete(lane.name);
    if (this.lanes.size <= mostLanes) return;
    for (const one of this.lanes.values()) {
      if (this.lanes.size <= mostLanes) return;
      if (!isFree(one) || one.world?.journal.isWatched) continue;
      this.lanes.delete(one.name);
      this.worlds.forget(one.name);
    }
  }

  /** In one slot of a cluster. No sandbox is called as the main world is. */
  private keysOf(name: string): readonly [string, string] {
    const tag = `${this.prefix}{${name === mainName ? '/' : `~${name}`}}`;
    return [`${tag}:world`, `${tag}:journal`];
  }

  private timeToLive(name: string): string {
    return name === mainName ? '' : String(this.idleMs);
  }
}
