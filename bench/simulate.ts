// Replicas on Redis as queues, to tell what machines hold that are not here: a discrete-event simulation without randomness.

import { percentile } from './report.ts';

/** What a request costs, in milliseconds, as `--scale` measures it on this machine. */
export interface Costs {
  /** CPU time of a replica for a request, and of the load generator. */
  readonly replica: number;
  readonly load: number;
  /** CPU time of Redis for a commit of one sandbox: its part of a script, and of those of the journal. */
  readonly commit: number;
}

export interface Deployment {
  readonly replicas: number;
  readonly shards: number;
  /** Concurrent clients, and the sandboxes that they share out: each is served by one replica and kept by one shard. */
  readonly clients: number;
  readonly sandboxes: number;
  /** Milliseconds there and back between a replica and Redis. */
  readonly roundTrip: number;
  /** Milliseconds for which Redis waits for its disk each time that it has run what waited. */
  readonly sync?: number;
  /** Cores that all of them share, the load generator as well; undefined: each process has its own. */
  readonly sharedCores?: number;
}

/** Events in the order of their times. */
class Clock {
  now = 0;
  private readonly events: { readonly time: number; readonly happen: () => void }[] = [];

  after(delay: number, happen: () => void): void {
    const time = this.now + delay;
    // The next one is the last of the list.
    const later = this.events.findLastIndex((event) => event.time > time) + 1;
    this.events.splice(later, 0, { time, happen });
  }

  runUntil(end: number): void {
    for (let next = this.events.pop(); next && next.time <= end; next = this.events.pop()) {
      this.now = next.time;
      next.happen();
    }
  }
}

/** Something that does at most so many things at once, in the order in which they come. */
class Queue {
  busyTime = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** @param work calls `release` when it is done */
  acquire(work: (release: () => void) => void): void {
    const start = (): void => {
      this.free -= 1;
      work(() => {
        this.free += 1;
        this.waiting.shift()?.();
      });
    };
    if (this.free > 0) start();
    else this.waiting.push(start);
  }
}

/** What comes while a batch is on its way goes together into the next one. @param send calls `done` when a batch of that size is back */
function inBatches(send: (size: number, done: () => void) => void): (done: () => void) => void {
  const way = new Queue(1);
  const waiting: (() => void)[] = [];
  return (done) => {
    if (waiting.push(done) > 1) return;
    way.acquire((release) => {
      const batch = waiting.splice(0);
      send(batch.length, () => {
        for (const each of batch) each();
        release();
      });
    });
  };
}

/** Simulates some seconds of updates, each client with one request at a time, after as long a warm-up. */
export function simulate(costs: Costs, deployment: Deployment, seconds = 1) {
  const { replicas, shards, clients, sandboxes, roundTrip, sync = 0, sharedCores } = deployment;
  const clock = new Clock();
  const machine = new Queue(sharedCores ?? Number.POSITIVE_INFINITY);
  const load = new Queue(1);
  const served = Array.from({ length: replicas }, () => new Queue(1));
  const kept = Array.from({ length: shards }, () => new Queue(1));
  const compute = (process: Queue, duration: number, done: () => void): void =>
    process.acquire((release) =>
      machine.acquire((releaseCore) => {
        clock.after(duration, () => {
          process.busyTime += duration;
          releaseCore();
          release();
          done();
        });
      }),
    );

  let [commits, requests] = [0, 0];
  /** Redis runs all that waits, then syncs once; it is busy meanwhile. */
  const stored = kept.map((shard) =>
    inBatches((size, done) => compute(shard, size * costs.commit, () => clock.after(sync, done))),
  );
  /** One commit of a sandbox at a time. */
  const lanes = Array.from({ length: sandboxes }, (_, sandbox) => {
    const store = stored[sandbox % shards];
    return inBatches((_size, done) =>
      clock.after(roundTrip / 2, () => {
        commits += 1;
        store?.(() => clock.after(roundTrip / 2, done));
      }),
    );
  });

  const times: number[] = [];
  const warmUp = seconds * 1000;
  const send = (client: number): void => {
    const sandbox = client % sandboxes;
    const from = clock.now;
    const replica = served[sandbox % replicas] as Queue;
    const answered = (): void => {
      requests += 1;
      if (clock.now >= warmUp) times.push(clock.now - from);
      send(client);
    };
    compute(load, sharedCores === undefined ? 0 : costs.load, () =>
      compute(replica, costs.replica, () => lanes[sandbox]?.(answered)),
    );
  };
  for (let client = 0; client < clients; client += 1) send(client);
  clock.runUntil(2 * warmUp);
  /** Share of its time that the busiest one computes. */
  const use = (processes: readonly Queue[]): number =>
    Math.max(...processes.map(({ busyTime }) => busyTime / clock.now));
  return {
    perSecond: times.length / seconds,
    p99: percentile(times, 0.99),
    /** Each request needs so many. */
    commits: commits / requests,
    replicaUse: use(served),
    redisUse: use(kept),
  };
}
