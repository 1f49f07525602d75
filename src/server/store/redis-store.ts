import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { MockRequest } from '../../core/message.ts';
import { ConfigError } from '../../core/spec/config-error.ts';
import { StoreUnavailable, type WorldStore } from '../../core/world/world-store.ts';
import { mainName, type Worlds } from '../../core/world/worlds.ts';
import { addressOf } from './address.ts';
import { type Addressed, addressedBy, readAhead } from './addressed.ts';
import { Options, type OwnOptions } from './fingerprint.ts';
import { type Job, Jobs } from './job.ts';
import { Lane, Lanes } from './lane.ts';
import { RedisLink } from './link.ts';
import { SharedJournals } from './shared-journals.ts';
import { SharedWorlds } from './shared-worlds.ts';
import { Images } from './world-state.ts';

const mostJobs = 256;
/**
 * Keeps all worlds in Redis, for any number of replicas.
 *
 * Why each world is linearizable: requests run one after the other on the image of one commit, exclusively (`Lane.acquire`). No
 * answer leaves before the script has found that the world in Redis is still at that commit and, in the same step, has appended
 * their changes. So they take effect, in order, when the script runs, which is between their arrival and their answers, and they
 * have read the state of that moment. If the world has moved on, they are undone, the commits since then are applied, and they
 * run again. A replica that lost so hears of later commits when they are published, and loses less; whether it heard of
 * all, the script finds. A commit whose reply was lost has an id, by which the next call finds it: it is neither lost nor applied
 * twice. If its outcome stays unknown, its requests get a 503.
 *
 * A request about several worlds (forking or deleting a sandbox) takes the turns of all of them, in the order of their names, and commits world by world, the ones it only reads first: each world stays linearizable, their combination need not.
 */
export class RedisStore implements WorldStore {
  /** Runs that lost against another replica. */
  conflicts = 0;
  readonly place: string;
  private readonly lanes: Lanes;
  private readonly jobs = new Jobs();
  private turn: Promise<void> | undefined;
  readonly shared: SharedWorlds;
  private readonly journals: SharedJournals;

  private constructor(
    private readonly worlds: Worlds,
    private readonly link: RedisLink,
    replica: string,
    private readonly options: Options,
  ) {
    this.place = options.address.shown;
    const images = new Images(worlds.main.origin, worlds.seeds);
    this.lanes = new Lanes((name) => new Lane(name, worlds, images), worlds);
    this.shared = new SharedWorlds(worlds, images, link, replica, options, (name) => this.lanes.drop(name));
    this.journals = new SharedJournals(
      link,
      this.shared,
      () => this.lanes.all().filter((lane) => lane.world?.journal.isWatched),
      // A request finds out the outcome.
      (lane) => void this.change(() => {}, lane.name).catch(() => {}),
    );
    this.journals.attach(this.lanes.of(mainName), worlds.main);
    worlds.onChange(({ world, change }) => {
      const lane = this.lanes.of(world);
      if ((change === 'made' || change === 'whole') && lane.world) this.journals.attach(lane, lane.world);
      lane.note(change);
    });
  }

  /** Connects the worlds to a Redis, which keeps unused sandboxes for a time; throws ConfigError if it is away, or replicas there have other options. */
  static async attach(address: string, worlds: Worlds, own: OwnOptions) {
    const parsed = addressOf(address);
    const link = await RedisLink.connect(parsed, worlds.services.log);
    try {
      const options = new Options(link, parsed, worlds, own);
      await options.tell();
      const problem = await options.problem();
      if (problem !== undefined) throw new ConfigError([problem]);
      const replica = randomBytes(4).toString('hex');
      const store = new RedisStore(worlds, link, replica, options);
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

  async serve<T>(request: MockRequest, run: () => Promise<T>, discard?: (outcome: T) => void): Promise<T> {
    this.refuseWhileAway();
    const addressed = addressedBy(request, await readAhead(request, this.worlds));
    // Deletes all sandboxes, which may take seconds: it needs no world, and no other request waits for it.
    return addressed.isApart ? run() : this.enqueue(addressed, run, discard);
  }

  change<T>(work: () => T, name = mainName): Promise<T> {
    return this.enqueue({ world: name, others: [], counts: false }, async () => work());
  }

  /** Why requests cannot be answered now; undefined if they can. */
  private async ready(): Promise<string | undefined> {
    if (!this.link.isReady) return this.link.problem;
    const look = this.shared.assertWritable().then(() => this.options.problem());
    return look.catch((error: Error) => error.message);
  }

  tellLost(name: string): boolean {
    return this.shared.lost.delete(name);
  }

  async close(): Promise<void> {
    this.jobs.close();
    this.journals.close();
    await this.link.close();
  }

  private refuseWhileAway(): void {
    if (!this.link.isReady) throw new StoreUnavailable(this.link.problem);
  }

  private enqueue<T>(addressed: Addressed, run: () => Promise<T>, discard?: (outcome: T) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const job = this.jobs.add(addressed, run, { resolve, reject, discard });
      const isAlone = addressed.others.length > 0;
      if (isAlone) return void this.runAlone(job);
      const lane = this.lanes.of(addressed.world);
      if (lane.waiting.push(job) === 1) void this.runWaiting(lane);
    });
  }

  /** Runs the requests that wait for the same world together. */
  private async runWaiting(lane: Lane): Promise<void> {
    await lane.acquire();
    lane.isFresh = false;
    await this.endOfTurn();
    const jobs = lane.waiting.splice(0, mostJobs);
    if (lane.waiting.length > 0) void this.runWaiting(lane);
    try {
      await this.transact([lane], jobs);
    } finally {
      lane.release();
      this.lanes.keepFew(lane);
    }
  }

  /** All that arrives in the same turn of the event loop runs together. */
  private endOfTurn(): Promise<void> {
    this.turn ??= nextTurn().then(() => {
      this.turn = undefined;
    });
    return this.turn;
  }

  private async runAlone(job: Job): Promise<void> {
    const lanes: Lane[] = [];
    try {
      const { world, others } = job.addressed;
      // Always in the same order, to avoid deadlocks.
      for (const name of [...new Set([world, ...others])].sort()) {
        const lane = this.lanes.of(name);
        await lane.acquire();
        lanes.push(lane);
        lane.isFresh = false;
      }
      await this.transact(lanes, [job]);
    } catch (error) {
      job.fail(error);
    } finally {
      for (const lane of lanes) {
        lane.release();
        this.lanes.keepFew(lane);
      }
    }
  }

  /**
   * Runs requests on worlds used exclusively, and answers them once their changes are committed. After a loss, those that changed
   * nothing run first, alone: the state that the script has just returned answers them.
   */
  private async transact(lanes: readonly Lane[], asked: readonly Job[]): Promise<void> {
    let jobs = asked;
    const noted = () => lanes.reduce((sum, lane) => sum + lane.noted, 0);
    try {
      for (let attempt = 1; ; attempt += 1) {
        this.refuseWhileAway();
        jobs = jobs.filter(({ isOver }) => !isOver);
        if (jobs.length === 0) return;
        for (const lane of lanes) {
          lane.losses = attempt - 1;
          lane.catchUp();
        }
        // Most requests need nothing else, and promises of empty lists cost as much as a request.
        if (this.isToPrepare(lanes, jobs)) await this.prepare(lanes, jobs);
        for (const job of jobs) await job.attempt(noted);
        if (await this.commitAll(lanes)) break;
        for (const job of jobs) if (lanes.length === 1) job.lost();
        this.conflicts += 1;
        this.worlds.services.metrics?.storeConflict();
        this.journals.forget(lanes);
        const reads = jobs.filter(({ isRead }) => isRead);
        if (reads.length > 0 && reads.length < jobs.length) {
          await this.transact(lanes, reads);
          jobs = jobs.filter((job) => !reads.includes(job));
        }
        if (attempt > 2) await sleep(Math.random() * Math.min(attempt, 10));
      }
      if (this.journals.isClearing) await this.journals.settle(lanes);
    } catch (error) {
      this.journals.forget(lanes);
      for (const lane of lanes) lane.rollBack();
      for (const job of jobs) job.fail(error);
      return;
    }
    for (const job of jobs) job.done();
  }

  private isToPrepare(lanes: readonly Lane[], jobs: readonly Job[]): boolean {
    return (
      lanes.some(({ isLoaded }) => !isLoaded) ||
      jobs.some(({ addressed: { counts, others, journal } }) => counts || others.length > 0 || journal !== undefined)
    );
  }

  /** Reads what is unknown of the worlds, and of what else the requests read. */
  private async prepare(lanes: readonly Lane[], jobs: readonly Job[]): Promise<void> {
    const unknown = lanes.filter(({ isLoaded }) => !isLoaded);
    const isNew = (await allOf(unknown.map((lane) => this.shared.load(lane)))).includes(false);
    const asks = jobs.map(({ addressed }) => addressed);
    const tasks: Promise<unknown>[] = [];
    if (isNew || asks.some(({ counts }) => counts)) tasks.push(this.shared.countSandboxes());
    if (isNew || asks.some(({ others }) => others.length > 0)) tasks.push(this.shared.findStart());
    for (const lane of lanes) {
      const own = asks.filter(({ world }) => world === lane.name);
      if (own.some(({ journal }) => journal === 'entries')) tasks.push(this.journals.read(lane));
      else if (asks.some(({ journal }) => journal === 'totals')) tasks.push(this.journals.read(lane, 0));
    }
    await allOf(tasks);
  }

  private isToCommit(lane: Lane): boolean {
    return lane.hasChanged || !lane.isFresh || this.shared.isDue(lane);
  }

  /** @returns false if another replica was first; its changes are then known */
  private async commitAll(lanes: readonly Lane[]): Promise<boolean> {
    const [lane] = lanes;
    if (lane && lanes.length === 1) return !this.isToCommit(lane) || this.shared.commit(lane);
    const changed = lanes.filter(({ hasChanged }) => hasChanged);
    const read = lanes.filter((lane) => !changed.includes(lane) && this.isToCommit(lane));
    const areRead = (await allOf(read.map((lane) => this.shared.commit(lane)))).every(Boolean);
    if (areRead) return (await allOf(changed.map((lane) => this.shared.commit(lane)))).every(Boolean);
    for (const lane of changed) lane.rollBack();
    return false;
  }
}

/** Waits for all, also if one fails: nothing of a turn may happen after it. */
async function allOf<T>(tasks: readonly Promise<T>[]): Promise<T[]> {
  const outcomes = await Promise.allSettled(tasks);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
