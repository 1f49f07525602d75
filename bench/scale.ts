import { noRedis, RedisServer } from '../src/testing/redis.ts';
import { type Effort, inTurn, type Measured, type Parts } from './parts.ts';
import { type BenchServer, type LoadResult, load, manyConnections, startAll, startMock } from './peers.ts';
import { type Goal, median, type Row } from './report.ts';

const sandboxes = 8;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The sum of what Redis tells about itself under this name. */
async function redisFigure(redis: RedisServer, section: string, pattern: RegExp): Promise<number> {
  return sum([...(await redis.command('INFO', section)).matchAll(pattern)].map(([, value]) => Number(value)));
}

/** An update of one replica against one in memory, in turn and by CPU time, which a busy machine changes least. */
async function costsOfUpdates(effort: Effort): Promise<Measured> {
  await using redis = await RedisServer.start();
  await using memory = await startMock();
  await using replica = await startMock(['--store', redis.url]);
  // Cold code costs several times as much, and a busy machine leaves a sample few requests.
  for (const server of [memory, replica]) await load(server, { operation: 'update', seconds: 30, amount: 20_000 });
  const servers = { inMemory: { server: memory }, onRedis: { server: replica, redis } };
  const results = await inTurn<{ server: BenchServer; redis?: RedisServer }, UpdateFigures>(
    servers,
    effort.samples,
    ({ server, redis }) => updates([server], false, { ...effort, samples: 1 }, redis),
  );
  const of = (server: keyof typeof servers, figure: keyof UpdateFigures) =>
    (results[server] ?? []).map((one) => one[figure]);
  const name = 'CPU time of an update in memory, against one on Redis';
  return {
    goals: [
      { name, samples: of('inMemory', 'replica'), of: of('onRedis', 'replica'), unit: 'ms', atLeast: 0.45 },
      { name: 'an update on Redis: scripts', samples: of('onRedis', 'scripts'), unit: 'scripts', atMost: 1.1 },
      { name: 'an update on Redis: bytes sent', samples: of('onRedis', 'bytes'), unit: 'bytes', atMost: 500 },
    ],
  };
}

/** Updates per second in 8 sandboxes, over 16 connections: replicas on one Redis, against one process with its worlds in memory. */
async function replicas(effort: Effort): Promise<Measured> {
  const rows: Row[] = [];
  const goals: Goal[] = [];
  for (const count of [0, 1, 2, 4]) {
    await using redis = count === 0 ? undefined : await RedisServer.start();
    await using servers = await startMocks(Math.max(1, count), redis);
    const [apart, met] = [await updates(servers, false, effort, redis), await updates(servers, true, effort, redis)];
    if (count === 4)
      goals.push(
        { name: 'four replicas in the same worlds: scripts', samples: [met.scripts], unit: 'scripts', atMost: 1.1 },
        { name: 'four replicas in the same worlds: bytes sent', samples: [met.bytes], unit: 'bytes', atMost: 500 },
      );
    const named = ({ perSecond, p99, refused, scripts }: typeof apart, suffix: string): Row => ({
      [`requests/s${suffix}`]: perSecond,
      [`p99 ms${suffix}`]: p99,
      [`503 in %${suffix}`]: 100 * refused,
      [`scripts each${suffix}`]: scripts,
    });
    rows.push({
      [`updates in ${sandboxes} sandboxes`]: count === 0 ? 'in memory' : `${count} on Redis`,
      ...named(apart, ''),
      ...named(met, ', met'),
      'ms each, replica': apart.replica,
      'ms each, Redis': apart.redis,
      MiB: median(servers.map((server) => server.memory())),
    });
  }
  return { goals, tables: [rows] };
}

const startMocks = (count: number, redis?: RedisServer) =>
  startAll(Array.from({ length: count }, () => () => startMock(redis ? ['--store', redis.url] : [])));

type UpdateFigures = Awaited<ReturnType<typeof updates>>;

/** Load on all servers together: medians, and what a request costs. @param isMet whether all write to all sandboxes, or each to its own */
async function updates(
  servers: readonly BenchServer[],
  isMet: boolean,
  { samples, seconds }: Effort,
  redis: RedisServer | undefined,
) {
  const prefixes = Array.from({ length: sandboxes }, (_, at) => `/~${isMet ? 'met' : 'apart'}${at}`);
  const connections = manyConnections / servers.length;
  const redisCpu = async () => (redis ? redisFigure(redis, 'cpu', /used_cpu_(?:user|sys):([\d.]+)/g) : Number.NaN);
  const runs: LoadResult[][] = [];
  await redis?.command('CONFIG', 'RESETSTAT');
  const cpuBefore = await redisCpu();
  // The first one is warm-up, and makes the sandboxes.
  for (let sample = -1; sample < samples; sample += 1)
    runs.push(
      await Promise.all(
        servers.map((server, at) => {
          const own = isMet ? prefixes : prefixes.filter((_prefix, index) => index % servers.length === at);
          const duration = sample < 0 ? 0.5 : seconds;
          return load(server, { operation: 'update', prefixes: own, connections, seconds: duration, mayFail: true });
        }),
      ),
    );
  const scripts = redis ? await redisFigure(redis, 'commandstats', /cmdstat_eval(?:sha)?:calls=(\d+)/g) : Number.NaN;
  const bytes = redis ? await redisFigure(redis, 'stats', /total_net_input_bytes:(\d+)/g) : Number.NaN;
  const middle = (figure: (run: readonly LoadResult[]) => number) => median(runs.slice(1).map(figure));
  const total = (name: keyof LoadResult) => (run: readonly LoadResult[]) => sum(run.map((each) => each[name]));
  const requests = sum(runs.map(total('requests')));
  return {
    perSecond: middle(total('perSecond')),
    p99: middle((run) => Math.max(...run.map(({ p99 }) => p99))),
    refused: sum(runs.map(total('failures'))) / requests,
    scripts: scripts / requests,
    bytes: bytes / requests,
    replica: middle((run) => (1000 * total('serverCpu')(run)) / total('perSecond')(run)),
    redis: (1000 * ((await redisCpu()) - cpuBefore)) / requests,
  };
}

/** What docs/scaling.md tells. Goals are of CPU time and counts: replicas, Redis and the load share this machine's cores. */
export function scaleParts(): Parts {
  if (noRedis !== undefined) throw new Error(`--scale: ${noRedis}`);
  return {
    'costs of an update on Redis': costsOfUpdates,
    'replicas on one Redis': replicas,
  };
}
