import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startServer } from '../../src/testing/command.ts';
import { HinderedPath } from '../../src/testing/hindered-path.ts';
import { randomFrom } from '../../src/testing/malformed.ts';
import { noRedis, RedisServer } from '../../src/testing/redis.ts';
import {
  lossesOf,
  openWorld,
  problemsOf,
  remadeProblems,
  type WatchedWorld,
  WatchingClients,
} from './world-clients.ts';

/** `npm run attack` takes more. */
const rounds = Number(process.env.ATTACK ?? 1);
const worldCount = 8;
const clientCount = 16;
/** Fewer acknowledged requests a round say little. */
const leastAcknowledged = 100;
/** Milliseconds after which it hangs: a round takes 10 to 15 s. */
const hangMs = 120_000 + 40_000 * rounds;

describe.skipIf(noRedis !== undefined)(noRedis ?? 'replicas on one store', { concurrent: true }, () => {
  test('each world stays linearizable while replicas, Redis and the connections between them fail', async () => {
    const { clients, problems, faults } = await disturbed(rounds, ['--appendonly', 'yes', '--appendfsync', 'always']);
    expect(problems).toEqual([]);
    // Else the faults did not reach the requests.
    expect(clients.refused + clients.uncertain).toBeGreaterThan(0);
    // A loss needs a commit that comes by before the next one on that path.
    if (rounds > 2) expect(Object.entries(faults).filter(([, times]) => times === 0)).toEqual([]);
  });

  test('it would be noticed: a Redis that forgets when it is killed', async () => {
    const { problems } = await disturbed(1, ['--appendonly', 'no']);
    expect(problems.join('\n')).toMatch(/cannot be in any order|no client wrote that/);
  });
});

/**
 * In the manner of Jepsen: clients write and read worlds at replicas while every fault below comes once a round. The acknowledged writes of a
 * world must have an order that explains all answers; in the end all replicas must show whole worlds: records, tokens, snapshots, clocks.
 */
async function disturbed(rounds: number, redisFlags: readonly string[]) {
  const random = randomFrom(20_261_121);
  const some = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  await using redis = await RedisServer.start(...redisFlags);
  await using a = await startReplica(redis);
  await using b = await startReplica(redis);
  await using c = await startReplica(redis, clockAhead);
  const all = [a, b, c];
  const worlds: WatchedWorld[] = [];
  for (let at = 0; at < worldCount; at += 1)
    worlds.push(await openWorld(some(all).server?.baseUrl ?? '', at === 0 ? '' : `/~w${at}`));

  const clients = new WatchingClients();
  let isOver = false;
  const client = async (): Promise<void> => {
    while (!isOver) {
      const [{ server: { baseUrl } = {} }, world, drawn] = [some(all), some(worlds), random()];
      if (!baseUrl) await sleep(1);
      else if (drawn < 0.35) await clients.read(baseUrl, world);
      else if (drawn < 0.8) await clients.write(baseUrl, world, drawn < 0.7 ? 'title' : 'summary');
      else if (drawn < 0.88) await clients.grow(baseUrl, world, some(['pats', 'snapshots', 'advances'] as const));
      else await clients.remake(baseUrl, some(['read', 'read', 'write', 'write', 'delete'] as const));
      await sleep(random() * 30);
    }
  };
  /** How often each came. */
  const faults: Record<string, number> = {};
  const disturb = async (these: Readonly<Record<string, () => Promise<void>>>): Promise<void> => {
    for (let round = 0; round < rounds; round += 1)
      for (const [name, fault] of Object.entries(these).toSorted(() => random() - 0.5)) {
        await fault();
        faults[name] = (faults[name] ?? 0) + 1;
        await sleep(100 + 400 * random());
      }
  };
  // The time limit of a test would not say what hangs.
  const stuck = sleep(hangMs, undefined, { ref: false }).then(() => {
    const { acknowledged, refused, uncertain } = clients;
    const replicas = all.map(({ server, lastError }) => server?.baseUrl ?? `down: ${lastError}`);
    throw new Error(`stuck: ${JSON.stringify({ acknowledged, refused, uncertain, isOver, replicas })}`);
  });
  const work = async (): Promise<void> => {
    const running = Array.from({ length: clientCount }, client);
    try {
      await Promise.all([
        disturb({
          'a is killed': () => a.restart(200 * random()),
          'b is killed': () => b.restart(200 * random()),
          'c is killed': () => c.restart(200 * random()),
        }),
        disturb({
          'Redis is killed': async () => {
            await redis.kill();
            await sleep(600 * random());
            await redis.run();
          },
          'all are cut off': async () => {
            for (const { path } of all) path.cut();
          },
          'one is cut off': async () => some(all).path.cut(),
          'one is far': async () => {
            const { path } = some(all);
            path.delayMs = 10 + 100 * random();
            await sleep(700);
            path.delayMs = 0;
          },
          'one is held': () => some(all).path.hold(300 + 1500 * random()),
          reply: async () => some(all).path.lose({ lost: 'reply', of: 'append' }),
          replies: async () => some(all).path.lose({ lost: 'replies', of: 'append' }),
          'Redis is halted': () => halted(redis, 200 + 1500 * random()),
          'one is halted': () => halted(some(all), 1000 + 14_000 * random() ** 4),
          'scripts are forgotten': async () => void (await redis.command('SCRIPT', 'FLUSH')),
          'no memory is left': async () => {
            // It refuses to write, as out of memory.
            await redis.command('CONFIG', 'SET', 'maxmemory', '1');
            await sleep(500);
            await redis.command('CONFIG', 'SET', 'maxmemory', '0');
          },
          'one is refused': async () => {
            const { path } = some(all);
            path.refuses = true;
            path.cut();
            await sleep(500);
            path.refuses = false;
          },
        }),
      ]);
      // Those that had an effect.
      for (const kind of ['reply', 'replies'] as const)
        faults[kind] = all.reduce((sum, { path }) => sum + path.losses[kind], 0);
      // However slow the machine is.
      while (clients.acknowledged < rounds * leastAcknowledged) await sleep(100);
    } finally {
      isOver = true;
    }
    await Promise.all(running);

    // What each replica shows of each world in the end is one more read.
    for (const { server: { baseUrl = '' } = {} } of all)
      for (const world of worlds)
        for (let tries = 0; ; tries += 1) {
          const losses = (await clients.read(baseUrl, world)) ? await lossesOf(baseUrl, world) : undefined;
          if (losses) clients.problems.push(...losses);
          if (losses) break;
          if (tries === 300) throw new Error(`${baseUrl}${world.prefix} is not back`);
          await sleep(100);
        }
  };
  await Promise.race([work(), stuck]);
  return {
    clients,
    faults,
    problems: [...clients.problems, ...worlds.flatMap(problemsOf), ...remadeProblems(clients.remade)],
  };
}

const clockAhead = {
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(`
    const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...words) { super(...(words.length > 0 ? words : [Real.now() + 90_000])); }
      static now() { return Real.now() + 90_000; }
    };`)}`,
};

/** Like a machine that swaps. */
async function halted(one: Pick<RedisServer, 'signal'>, milliseconds: number): Promise<void> {
  one.signal('SIGSTOP');
  await sleep(milliseconds);
  one.signal('SIGCONT');
}

/** A replica whose way to Redis can be hindered. */
async function startReplica(redis: RedisServer, env: NodeJS.ProcessEnv = {}) {
  const path = await HinderedPath.to(redis.port);
  const replica = {
    path,
    /** Undefined while it is down. */
    server: undefined as Awaited<ReturnType<typeof startServer>> | undefined,
    /** Why it did not start when last tried. */
    lastError: undefined as string | undefined,
    /** Starts it as often as it takes: it refuses to start while the store is away. */
    async run(): Promise<void> {
      while (!replica.server)
        replica.server = await startServer(['serve', '--store', `redis://127.0.0.1:${path.port}`], env).catch(
          (error) => {
            replica.lastError = error.message;
            return undefined;
          },
        );
    },
    /** Kills it without a warning; another one takes its place. */
    async restart(pauseMs: number): Promise<void> {
      const { server } = replica;
      replica.server = undefined;
      await server?.end('SIGKILL');
      await sleep(pauseMs);
      await replica.run();
    },
    signal: (signal: 'SIGSTOP' | 'SIGCONT') => void replica.server?.child.kill(signal),
    async [Symbol.asyncDispose](): Promise<void> {
      await replica.server?.end('SIGKILL');
      await path[Symbol.asyncDispose]();
    },
  };
  await replica.run();
  return replica;
}
