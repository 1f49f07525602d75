import { noRedis, RedisServer } from '../../src/testing/redis.ts';
import type { Effort } from '../effort.ts';
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

/** Whether every replica writes to all sandboxes at the same time, or each to sandboxes of its own. */
type Meeting = 'apart' | 'together';

/**
 * Replicas on one Redis: updates per second in 8 sandboxes, over 16 connections, against one process with its worlds in memory. No
 * goal: replicas, Redis and the load share this machine's cores.
 */
export const replicasPart: Part = {
  name: 'replicas on one Redis',
  async measure(effort) {
    if (noRedis !== undefined)
      return { goals: [], text: [`replicas: skipped, ${noRedis}`], figures: { skipped: noRedis } };
    const memory = [await startMock()];
    const [apart, together] = [await loaded(memory, 'apart', effort), await loaded(memory, 'together', effort)];
    await stop(memory);
    const rows = [['in memory', ...shown(apart), '', ...shown(together), '', '', '']];
    const figures: Record<string, unknown> = { memory: { apart, together } };
    for (const count of counts) {
      await using redis = await RedisServer.start();
      const replicas: BenchServer[] = [];
      for (let at = 0; at < count; at += 1) replicas.push(await startMock(['--store', redis.url]));
      const startedIn = median(replicas.map((replica) => replica.startedIn));
      const measured = async (meeting: Meeting) => {
        await redis.command('CONFIG', 'RESETSTAT');
        const runs = await loaded(replicas, meeting, effort);
        const sent = runs.reduce((sum, { requests: amount }) => sum + amount, 0);
        return { runs, scripts: (await callsOf(redis, ['evalsha', 'eval'])) / sent };
      };
      const [alone, meeting] = [await measured('apart'), await measured('together')];
      const resident = median(replicas.map((replica) => replica.memory()));
      await stop(replicas);
      const both = [alone, meeting].flatMap(({ runs, scripts }) => [...shown(runs), short(scripts)]);
      rows.push([`${count} on Redis`, ...both, short(resident), short(startedIn)]);
      figures[`${count}`] = { alone, meeting, resident, startedIn };
    }
    const load = ['requests/s', 'p99 ms', '503', 'scripts each'];
    const head = [
      `updates in ${sandboxes} sandboxes`,
      ...load,
      ...load.map((name) => `${name}, met`),
      'MiB',
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
async function loaded(
  servers: readonly BenchServer[],
  meeting: Meeting,
  { samples, seconds }: Effort,
): Promise<LoadResult[]> {
  const { path, ...request } = requests.update;
  const paths = Array.from({ length: sandboxes }, (_, at) => `/~${meeting}${at}${path}`);
  const pathsOf = (server: number): string[] =>
    meeting === 'together' ? paths : paths.filter((_path, at) => at % servers.length === server);
  const headers = await signedRequests(servers[0] as BenchServer);
  const share = connections / servers.length;
  const together = async (duration: number): Promise<LoadResult> => {
    const each = await Promise.all(
      servers.map(({ baseUrl, child }, at) =>
        load(
          {
            url: baseUrl,
            paths: pathsOf(at),
            ...request,
            headers,
            connections: share,
            seconds: duration,
            mayFail: true,
          },
          child.pid,
        ),
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
  await together(0.5);
  const runs: LoadResult[] = [];
  for (let sample = 0; sample < samples; sample += 1) runs.push(await together(seconds));
  return runs;
}

const shown = (runs: readonly LoadResult[]): string[] => [
  short(median(runs.map(({ perSecond }) => perSecond))),
  short(median(runs.map(({ p99 }) => p99))),
  `${((100 * total(runs, 'failures')) / total(runs, 'requests')).toFixed(2)} %`,
];

const total = (runs: readonly LoadResult[], figure: 'failures' | 'requests'): number =>
  runs.reduce((sum, run) => sum + run[figure], 0);

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
