import { noRedis, RedisServer } from '../../src/testing/redis.ts';
import { type LoadResult, load } from '../load.ts';
import { requests } from '../operations.ts';
import type { Part } from '../part.ts';
import { type BenchServer, signedRequests, startMock } from '../servers.ts';
import { median } from '../statistics.ts';
import { short, table } from '../table.ts';
import { createSandboxes } from './scale.ts';
import { connections } from './side-by-side.ts';

const sandboxes = 8;
const counts = [1, 2, 4] as const;

/**
 * Replicas on one Redis: updates per second in 8 sandboxes, over 16 connections, against one process with its worlds in memory. No
 * goal: replicas, Redis and the load share this machine's cores.
 */
export const replicasPart: Part = {
  name: 'replicas on one Redis',
  async measure({ samples, seconds }) {
    if (noRedis !== undefined)
      return { goals: [], text: [`replicas: skipped, ${noRedis}`], figures: { skipped: noRedis } };
    const memory = [await startMock()];
    const inMemory = await loaded(memory, samples, seconds);
    await stop(memory);
    const rows = [['memory', ...shown(inMemory), '', '', '']];
    const figures: Record<string, unknown> = { memory: inMemory };
    for (const count of counts) {
      await using redis = await RedisServer.start();
      const replicas: BenchServer[] = [];
      for (let at = 0; at < count; at += 1) replicas.push(await startMock(['--store', redis.url]));
      const startedIn = median(replicas.map((replica) => replica.startedIn));
      await redis.command('CONFIG', 'RESETSTAT');
      const runs = await loaded(replicas, samples, seconds);
      const evaluations = await callsOf(redis, ['evalsha', 'eval']);
      const sent = runs.reduce((sum, { requests: amount }) => sum + amount, 0);
      const resident = median(replicas.map((replica) => replica.memory()));
      await stop(replicas);
      rows.push([`${count} on Redis`, ...shown(runs), short(evaluations / sent), short(resident), short(startedIn)]);
      figures[`${count}`] = { runs, evaluations, resident, startedIn };
    }
    const head = [
      `updates in ${sandboxes} sandboxes`,
      'requests/s',
      'p99 ms',
      'scripts each',
      'MiB each',
      'ms to start',
    ];
    return { goals: [], text: [table([head, ...rows])], figures };
  },
};

/** Sandboxes in one Redis, made one after the other over some connections: memory of each there, and the first request. */
export const storedSandboxesPart: Part = {
  name: 'sandboxes in one Redis',
  async measure({ millions }) {
    if (noRedis !== undefined)
      return { goals: [], text: [`sandboxes: skipped, ${noRedis}`], figures: { skipped: noRedis } };
    const amount = Math.round(100_000 * millions);
    await using redis = await RedisServer.start();
    const server = await startMock(['--store', redis.url, '--sandboxes', String(amount)]);
    const headers = await signedRequests(server);
    const before = await usedMemory(redis);
    const resident = server.memory();
    const names = Array.from({ length: amount }, (_, at) => `s${at}`);
    const lanes = Array.from({ length: connections }, (_, lane) =>
      names.filter((_name, at) => at % connections === lane),
    );
    const from = performance.now();
    await Promise.all(lanes.map((lane) => createSandboxes(server, headers, lane)));
    const perSecond = amount / ((performance.now() - from) / 1000);
    const each = ((await usedMemory(redis)) - before) / amount / 1024;
    const grown = server.memory() - resident;
    await server.stop();
    // A replica that has to fetch them.
    const other = await startMock(['--store', redis.url, '--sandboxes', String(amount)]);
    const fetched = median(await createSandboxes(other, headers, names.slice(0, 200)));
    await other.stop();
    const head = ['sandboxes in one Redis', 'KiB each', 'made per s', 'ms to fetch one', 'MiB more in the replica'];
    const row = [amount.toLocaleString('en-US'), short(each), short(perSecond), short(fetched), short(grown)];
    return { goals: [], text: [table([head, row])], figures: { amount, each, perSecond, fetched, grown } };
  },
};

/** Load on all of them together, each with its share of the connections. */
async function loaded(servers: readonly BenchServer[], samples: number, seconds: number): Promise<LoadResult[]> {
  const { path, ...request } = requests.update;
  const paths = Array.from({ length: sandboxes }, (_, at) => `/~s${at}${path}`);
  const headers = await signedRequests(servers[0] as BenchServer);
  const share = connections / servers.length;
  const together = async (duration: number): Promise<LoadResult> => {
    const each = await Promise.all(
      servers.map(({ baseUrl, child }) =>
        load({ url: baseUrl, paths, ...request, headers, connections: share, seconds: duration }, child.pid),
      ),
    );
    const sum = (figure: 'perSecond' | 'requests' | 'failures' | 'loadCpu' | 'serverCpu'): number =>
      each.reduce((total, result) => total + result[figure], 0);
    return {
      perSecond: sum('perSecond'),
      requests: sum('requests'),
      failures: sum('failures'),
      loadCpu: sum('loadCpu'),
      serverCpu: sum('serverCpu'),
      p50: median(each.map(({ p50 }) => p50)),
      p99: Math.max(...each.map(({ p99 }) => p99)),
    };
  };
  // Warm-up; it makes the sandboxes, too.
  await together(1);
  const runs: LoadResult[] = [];
  for (let sample = 0; sample < samples; sample += 1) runs.push(await together(seconds));
  return runs;
}

const shown = (runs: readonly LoadResult[]): string[] => [
  short(median(runs.map(({ perSecond }) => perSecond))),
  short(median(runs.map(({ p99 }) => p99))),
];

const stop = async (servers: readonly BenchServer[]): Promise<void> => {
  for (const server of servers) await server.stop();
};

async function callsOf(redis: RedisServer, commands: readonly string[]): Promise<number> {
  const told = await redis.command('INFO', 'commandstats');
  return commands.reduce(
    (sum, name) => sum + Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(told)?.[1] ?? 0),
    0,
  );
}

const usedMemory = async (redis: RedisServer): Promise<number> =>
  Number(/used_memory:(\d+)/.exec(await redis.command('INFO', 'memory'))?.[1]);
