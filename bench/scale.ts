import { noRedis, RedisServer } from '../src/testing/redis.ts';
import { load, manyConnections } from './load.ts';
import { createSandboxes, type Effort } from './measure.ts';
import type { Measured, Part } from './parts.ts';
import { type BenchServer, startMock } from './peers.ts';
import { median, type Row } from './statistics.ts';

const sandboxes = 8;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The sum of what Redis tells about itself under this name. */
async function redisFigure(redis: RedisServer, section: string, pattern: RegExp): Promise<number> {
  return sum([...(await redis.command('INFO', section)).matchAll(pattern)].map(([, value]) => Number(value)));
}

/** Updates per second in 8 sandboxes, over 16 connections: replicas on one Redis, against one process with its worlds in memory. */
async function replicas(effort: Effort): Promise<Measured> {
  const rows = [await row('in memory', 1, effort)];
  for (const count of [1, 2, 4]) {
    await using redis = await RedisServer.start();
    rows.push(await row(`${count} on Redis`, count, effort, redis));
  }
  return { goals: [], tables: [rows] };
}

async function row(name: string, count: number, effort: Effort, redis?: RedisServer): Promise<Row> {
  const servers: BenchServer[] = [];
  for (let at = 0; at < count; at += 1) servers.push(await startMock(redis ? ['--store', redis.url] : []));
  const figures = async (isMet: boolean, suffix: string): Promise<Row> => {
    await redis?.command('CONFIG', 'RESETSTAT');
    const runs = await loads(servers, isMet, effort);
    const requests = sum(runs.map((run) => run.requests));
    const scripts = redis ? await redisFigure(redis, 'commandstats', /cmdstat_eval(?:sha)?:calls=(\d+)/g) : Number.NaN;
    return {
      [`requests/s${suffix}`]: median(runs.map(({ perSecond }) => perSecond)),
      [`p99 ms${suffix}`]: median(runs.map(({ p99 }) => p99)),
      [`503 in %${suffix}`]: (100 * sum(runs.map(({ failures }) => failures))) / requests,
      [`scripts each${suffix}`]: scripts / requests,
    };
  };
  const [apart, met] = [await figures(false, ''), await figures(true, ', met')];
  const MiB = median(servers.map((server) => server.memory()));
  for (const server of servers) await server[Symbol.asyncDispose]();
  const start = { 'ms to start': median(servers.map(({ startedIn }) => startedIn)) };
  return { [`updates in ${sandboxes} sandboxes`]: name, ...apart, ...met, MiB, ...start };
}

/**
 * Load on all servers together, each with its share of the connections.
 * @param isMet whether every one of them writes to all sandboxes at the same time; else, each writes to other ones
 */
async function loads(servers: readonly BenchServer[], isMet: boolean, { samples, seconds }: Effort) {
  const prefixes = Array.from({ length: sandboxes }, (_, at) => `/~${isMet ? 'met' : 'apart'}${at}`);
  const connections = manyConnections / servers.length;
  const runs: { perSecond: number; requests: number; failures: number; p99: number }[] = [];
  // The first one is warm-up, and makes the sandboxes.
  for (let sample = -1; sample < samples; sample += 1) {
    const each = await Promise.all(
      servers.map((server, at) => {
        const own = isMet ? prefixes : prefixes.filter((_prefix, index) => index % servers.length === at);
        const duration = sample < 0 ? 0.5 : seconds;
        return load(server, { operation: 'update', prefixes: own, connections, seconds: duration, mayFail: true });
      }),
    );
    const total = (figure: 'perSecond' | 'requests' | 'failures') => sum(each.map((result) => result[figure]));
    const p99 = Math.max(...each.map((result) => result.p99));
    runs.push({ perSecond: total('perSecond'), requests: total('requests'), failures: total('failures'), p99 });
  }
  return runs.slice(1);
}

/** Sandboxes in one Redis, made one after the other over some connections: memory of each there, and the first request. */
async function storedSandboxes({ millions }: Effort): Promise<Measured> {
  const amount = Math.round(100_000 * millions);
  await using redis = await RedisServer.start();
  const flags = ['--store', redis.url, '--sandboxes', String(amount)];
  const used = () => redisFigure(redis, 'memory', /used_memory:(\d+)/g);
  await using server = await startMock(flags);
  const [before, resident] = [await used(), server.memory()];
  const names = Array.from({ length: amount }, (_, at) => `s${at}`);
  const lanes = Array.from({ length: manyConnections }, (_, lane) =>
    names.filter((_name, at) => at % manyConnections === lane),
  );
  const from = performance.now();
  await Promise.all(lanes.map((lane) => createSandboxes(server, lane)));
  const perSecond = (1000 * amount) / (performance.now() - from);
  // A replica that has to fetch them.
  await using other = await startMock(flags);
  const figures = {
    'sandboxes in one Redis': amount.toLocaleString('en-US'),
    'KiB each': ((await used()) - before) / amount / 1024,
    'made per s': perSecond,
    'ms to fetch one': median(await createSandboxes(other, names.slice(0, 200))),
    'MiB more in the replica': server.memory() - resident,
  };
  return { goals: [], tables: [[figures]] };
}

/** What docs/scaling.md tells. No goals: replicas, Redis and the load share this machine's cores. */
export function scaleParts(): readonly Part[] {
  if (noRedis !== undefined) throw new Error(`--scale: ${noRedis}`);
  return [
    { name: 'replicas on one Redis', measure: replicas },
    { name: 'sandboxes in one Redis', measure: storedSandboxes },
  ];
}
