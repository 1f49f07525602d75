import type { EffortName } from './parts.ts';
import {
  type BenchServer,
  createSandboxes,
  type LoadOptions,
  load,
  type ServerName,
  startCommand,
  startMock,
  startOwn,
  startServer,
  timeOf,
} from './peers.ts';
import { median, type Row } from './report.ts';

const full = {
  seconds: 2,
  connections: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
  recordings: [100, 1000, 10_000, 100_000, 1_000_000],
  sandboxes: [1, 10, 100, 1000, 10_000],
  faults: [0, 1, 10, 100, 300],
  /** Characters of a summary. */
  bodies: [100, 1000, 10_000, 100_000],
  /** Entries of a journal. */
  journal: [1, 10, 100, 500],
  /** Updates whose memory is sampled; peers end earlier, after `memorySeconds`. */
  updates: 1_000_000,
  memorySeconds: 30,
  /** Milliseconds. */
  latencies: [0, 25, 50, 100, 200, 300],
  /** Requests a second. */
  limits: [50, 20, 10, 5, 2],
};
type Scope = typeof full;

function scopeOf(effort: EffortName): Scope {
  if (effort === 'full') return full;
  const quick = { ...full, seconds: 1, updates: 200_000, memorySeconds: 10 };
  if (effort === 'quick') return quick;
  const few = Object.entries(quick).map(([name, value]) => [name, Array.isArray(value) ? value.slice(0, 2) : value]);
  return { ...(Object.fromEntries(few) as Scope), updates: 20_000, memorySeconds: 2 };
}

const operations = ['update', 'list'] as const;
const kinds = { verify: [], 'verify --quick': ['--quick'] } as const;

/** One curve: its points, from the scope, of these servers where it compares servers. */
type Curve = (scope: Scope, names: readonly ServerName[]) => AsyncIterable<Row>;

/** The curves of docs/plots/data.json. `perSecond` to `loadCpu` are of LoadResult; memory is in MiB, times in milliseconds. */
const curves: Readonly<Record<string, Curve>> = {
  /** All servers run at once, and are loaded in turn: a disturbance hits one point of each, not one whole line. */
  async *connections(scope, names) {
    const servers: [ServerName, BenchServer][] = [];
    for (const server of names) servers.push([server, await startServer(server)]);
    for (const [, running] of servers) await load(running, { operation: 'update', seconds: 2 });
    for (const connections of scope.connections)
      for (const [server, running] of servers) {
        const result = await load(running, { operation: 'update', seconds: scope.seconds, connections });
        yield { server, connections, ...result };
      }
    for (const [, running] of servers) await running[Symbol.asyncDispose]();
  },

  async *recordings(scope) {
    for (const recordings of scope.recordings) {
      await using server = await startMock(['--recordings', String(recordings)]);
      for (const operation of operations) {
        const figures = await warmed(server, { operation, seconds: scope.seconds });
        yield { operation, recordings, ...figures, memory: server.memory() };
      }
      yield { operation: 'platform-mock', recordings, start: server.startedIn } as Row;
    }
  },

  /** Requests to all of them in turn. */
  async *sandboxes(scope) {
    await using server = await startMock(['--sandboxes', String(Math.max(...scope.sandboxes))]);
    const names: string[] = [];
    for (const sandboxes of scope.sandboxes) {
      const added = Array.from({ length: sandboxes - names.length }, (_, at) => `s${names.length + at}`);
      await createSandboxes(server, added);
      names.push(...added);
      const prefixes = names.map((name) => `/~${name}`);
      for (const operation of operations) {
        const figures = await warmed(server, { operation, seconds: scope.seconds, prefixes });
        yield { operation, sandboxes, ...figures, memory: server.memory() };
      }
    }
  },

  /** None of them hits, and each looks at every request. */
  async *faults(scope) {
    await using server = await startMock();
    const catalogue = await (await fetch(`${server.baseUrl}/_mock/faults`)).json();
    const ids: string[] = catalogue.map(({ id }: { id: string }) => id);
    let armed = 0;
    for (const faults of scope.faults) {
      for (; armed < faults; armed += 1) {
        const body = JSON.stringify({ request: { path: '/elsewhere' } });
        await timeOf(server.baseUrl, { method: 'PUT', path: `/_mock/faults/${ids[armed]}`, body });
      }
      for (const operation of operations)
        yield { operation, faults, ...(await warmed(server, { operation, seconds: scope.seconds })) };
    }
  },

  async *bodies(scope, names) {
    for (const server of names.filter((name) => name !== 'Mockoon')) {
      await using running = await startServer(server);
      for (const characters of scope.bodies) {
        const options = { operation: 'update', seconds: scope.seconds, summary: characters } as const;
        yield { server, characters, ...(await load(running, options)), memory: running.memory() };
      }
    }
  },

  /** Of updates; the median of some reads. */
  async *journal(scope) {
    const kinds = { 'a page of up to 100': '/_mock/journal?limit=100', 'all as HAR': '/_mock/journal/har' };
    await using server = await startMock();
    for (const entries of scope.journal) {
      await fetch(`${server.baseUrl}/_mock/journal`, { method: 'DELETE' });
      await load(server, { operation: 'update', seconds: 60, amount: entries, connections: 1 });
      for (const [kind, path] of Object.entries(kinds)) {
        const times: number[] = [];
        for (let read = 0; read < 9; read += 1) times.push(await timeOf(server.baseUrl, { method: 'GET', path }));
        yield { kind, entries, milliseconds: median(times) };
      }
    }
  },

  /** Each server alone, its memory sampled while it answers updates: the mock to the end, the others for a limited time. */
  async *memory(scope, names) {
    const points: Row[] = [];
    for (const server of names) {
      await using running = await startServer(server);
      const sample = (requests: number): void => {
        if (requests <= scope.updates) points.push({ server, requests, memory: running.memory() });
      };
      sample(0);
      const limit = server === 'platform-mock' ? { amount: scope.updates } : {};
      const options = { operation: 'update', seconds: scope.memorySeconds, ...limit } as const;
      sample((await load(running, options, sample)).requests);
    }
    yield* points;
  },

  async *latency(scope) {
    for (const latency of scope.latencies)
      for (const [kind, flags] of Object.entries(kinds)) {
        await using target = await startMock(['--latency', String(latency)]);
        yield { kind, latency, ...(await verify(target, flags)) };
      }
  },

  /** A target that refuses more requests in a second. Mostly waiting: the three kinds run at once. */
  async *limits(scope) {
    for (const limit of scope.limits.toReversed()) {
      const throttled = Object.entries(kinds).map(async ([kind, flags]) => {
        await using mock = await startMock();
        await using target = await startOwn('throttled', mock.baseUrl, String(limit));
        // The first answer used up a part of this second.
        return { kind, limit, ...(await verify(target, flags)) };
      });
      const paced = async () => {
        await using target = await startMock();
        return { kind: 'verify --rps', limit, ...(await verify(target, ['--rps', String(limit)])) };
      };
      yield* await Promise.all([...throttled, paced()]);
    }
  },
};

export async function measureCurves(
  effort: EffortName,
  names: readonly ServerName[],
  progress: (text: string) => void,
): Promise<Record<string, Row[]>> {
  const points: Record<string, Row[]> = {};
  for (const [name, curve] of Object.entries(curves)) {
    progress(name);
    const ofCurve: Row[] = [];
    for await (const point of curve(scopeOf(effort), names)) ofCurve.push(point);
    points[name] = ofCurve;
  }
  return points;
}

/** The figures of a load, after a second of it. */
async function warmed(server: BenchServer, options: LoadOptions) {
  await load(server, { ...options, seconds: 1 });
  return load(server, options);
}

/** One run against the target, with its verdict, whichever exit code that has. */
async function verify({ baseUrl }: BenchServer, flags: readonly string[]): Promise<Row> {
  const from = performance.now();
  const { stdout } = await startCommand(['verify', '--base-url', baseUrl, '--json', ...flags]).ended;
  const { requests, verdict } = JSON.parse(stdout) as { requests: { total: number }; verdict: string };
  return { seconds: (performance.now() - from) / 1000, requests: requests.total, verdict };
}
