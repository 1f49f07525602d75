import { setTimeout as sleep } from 'node:timers/promises';
import { HinderedPath } from '../../src/testing/hindered-path.ts';
import { RedisServer } from '../../src/testing/redis.ts';
import { type BenchServer, startMock } from '../servers.ts';
import { send } from './served.ts';
import { Tally, WatchedWorld, WatchingClient } from './world-clients.ts';

const replicaCount = 3;
const worldCount = 8;
const clientCount = 16;
/** Fewer acknowledged requests a round say little. */
const leastAcknowledged = 100;

/**
 * In the manner of Jepsen: clients write and read worlds at replicas of `serve --store`, while replicas are killed and started,
 * Redis is killed and started, and the connections between them are cut, slowed, held and refused. What was acknowledged must
 * have an order that explains all answers, in each world; nothing may be lost, made twice, or seen in another world.
 *
 * Redis runs with `appendfsync always`: the setting under which it promises that what it has acknowledged outlives its end.
 * @param rounds in each of which every fault comes once
 * @returns what went wrong
 */
export async function replicaFaults(
  rounds: number,
  random: () => number,
  say: (text: string) => void,
  redisFlags: readonly string[] = ['--appendonly', 'yes', '--appendfsync', 'always'],
): Promise<string[]> {
  await using redis = await RedisServer.start(...redisFlags);
  const replicas: Replica[] = [];
  const tally = new Tally();
  try {
    for (let at = 0; at < replicaCount; at += 1) replicas.push(await Replica.start(redis));
    const worlds = Array.from({ length: worldCount }, (_, at) => new WatchedWorld(at === 0 ? '' : `/~w${at}`));
    for (const [at, world] of worlds.entries()) await world.open(replicas[at % replicaCount]?.baseUrl ?? '');

    let isOver = false;
    const some = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const client = async (_: unknown, at: number): Promise<void> => {
      const watching = new WatchingClient(`c${at}`, tally);
      while (!isOver) {
        const { baseUrl } = some(replicas);
        if (baseUrl !== undefined) await watching.act(baseUrl, some(worlds), random());
        await sleep(random() * 30);
      }
    };
    const done: Record<string, number> = {};
    const disturb = async (faults: Readonly<Record<string, () => Promise<void>>>): Promise<void> => {
      for (let round = 0; round < rounds; round += 1)
        for (const [name, fault] of Object.entries(faults).sort(() => random() - 0.5)) {
          done[name] = (done[name] ?? 0) + 1;
          await fault();
          await sleep(100 + 400 * random());
        }
    };
    const ofOne = (work: (path: HinderedPath) => Promise<void>) => () => work(some(replicas).path);
    const clients = Array.from({ length: clientCount }, client);
    await Promise.all([
      disturb(
        Object.fromEntries(replicas.map((one, at) => [`replica ${at} killed`, () => one.restart(200 * random())])),
      ),
      disturb({
        'Redis killed': async () => {
          await redis.kill();
          await sleep(600 * random());
          await redis.run();
        },
        'all connections cut': async () => {
          for (const { path } of replicas) path.cut();
        },
        'connections cut': ofOne(async (path) => path.cut()),
        'connections slowed': ofOne(async (path) => {
          path.delayMs = 10 + 100 * random();
          await sleep(700);
          path.delayMs = 0;
        }),
        'connections held': ofOne((path) => path.hold(300 + 1500 * random())),
        'connections refused': ofOne(async (path) => {
          path.refuses = true;
          path.cut();
          await sleep(500);
          path.refuses = false;
        }),
      }),
    ]);
    // However slow the machine is.
    while (tally.acknowledged < rounds * leastAcknowledged) await sleep(100);
    isOver = true;
    await Promise.all(clients);

    await finalReads(replicas, worlds, tally);
    const problems = [...tally.problems];
    for (const world of worlds) problems.push(...world.problems(await keptTokens(replicas, world)));
    const { acknowledged, refused, uncertain, unreachable, slowestRefusalMs } = tally;
    say(
      `  ${Object.entries(done)
        .map(([name, times]) => `${name}: ${times}`)
        .join(', ')}`,
    );
    say(
      `  ${acknowledged} requests acknowledged, ${refused} refused with 503 (after ${slowestRefusalMs.toFixed(0)} ms at most), ` +
        `${uncertain} uncertain, ${unreachable} not sent`,
    );
    if (uncertain + refused === 0) problems.push('no request noticed anything: the faults did not reach them');
    return problems;
  } finally {
    for (const replica of replicas) await replica[Symbol.asyncDispose]();
  }
}

/** A replica whose way to Redis can be hindered. */
class Replica implements AsyncDisposable {
  private server: BenchServer | undefined;

  private constructor(readonly path: HinderedPath) {}

  static async start(redis: RedisServer): Promise<Replica> {
    const replica = new Replica(await HinderedPath.to(redis.port));
    await replica.run();
    return replica;
  }

  /** Undefined while it is down. */
  get baseUrl(): string | undefined {
    return this.server?.baseUrl;
  }

  /** Kills it without a warning; another one takes its place. */
  async restart(pauseMs: number): Promise<void> {
    const { server } = this;
    server?.child.kill('SIGKILL');
    await server?.ended.catch(() => {});
    this.server = undefined;
    await sleep(pauseMs);
    await this.run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server?.stop().catch(() => {});
    await this.path[Symbol.asyncDispose]();
  }

  /** As a supervisor does: a replica refuses to start while the store is away. */
  private async run(): Promise<void> {
    while (!this.server)
      this.server = await startMock(['--store', `redis://127.0.0.1:${this.path.port}`]).catch(() => undefined);
  }
}

/** What each replica shows of each world in the end, as one more read. */
async function finalReads(replicas: readonly Replica[], worlds: readonly WatchedWorld[], tally: Tally): Promise<void> {
  const reader = new WatchingClient('final', tally);
  for (const { baseUrl = '' } of replicas)
    for (const world of worlds)
      for (let tries = 0; !(await reader.read(baseUrl, world)); tries += 1) {
        if (tries === 100) throw new Error(`${baseUrl}${world.prefix} is not back`);
        await sleep(100);
      }
}

async function keptTokens(replicas: readonly Replica[], { prefix }: WatchedWorld) {
  const kept: { id: string; name: string }[] = [];
  for (;;) {
    const url = `${replicas[0]?.baseUrl}${prefix}/_mock/state/pats?limit=200&offset=${kept.length}`;
    const { items } = (await (await send(url, 'GET')).json()) as { items: { id: string; name: string }[] };
    if (items.length === 0) return kept;
    kept.push(...items);
  }
}
