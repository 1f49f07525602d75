import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createMock } from '../src/index.ts';
import {
  type BenchServer,
  call,
  commandIn,
  credentials,
  folder,
  goalServers,
  type LoadResult,
  load,
  type OperationName,
  operationNames,
  requests,
  startAll,
  startCommand,
  startMock,
  startServer,
} from './peers.ts';
import { type Goal, median, type PlotData, type Row } from './report.ts';

const full = {
  /** Samples of each figure, interleaved with those of the other servers. */
  samples: 5,
  seconds: 3,
  starts: 7,
  /** Requests of the endurance part, in millions. */
  millions: 1,
  /** Of a point of a curve. */
  pointSeconds: 2,
  connections: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
};
export type Effort = Readonly<typeof full>;

const short = { samples: 3, seconds: 1.5, starts: 5, millions: 0.1, pointSeconds: 1 };
/** `tiny` proves that everything runs; its figures mean nothing. */
export const efforts = {
  tiny: { samples: 1, seconds: 1, starts: 1, millions: 0.01, pointSeconds: 1, connections: [1, 2] },
  quick: { ...full, ...short },
  full,
} satisfies Record<string, Effort>;
export type EffortName = keyof typeof efforts;

type Contestants = Readonly<Record<string, () => Promise<BenchServer>>>;

/** Each time another one first. */
const rotated = <T>(items: readonly T[], by: number): T[] => {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
};

/** Samples of a figure, by server. */
interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly samples: Readonly<Record<string, readonly number[]>>;
}

/** What is measured together, by name. Missed goals have their part measured again. */
export type Parts = Readonly<Record<string, (effort: Effort) => Promise<Measured>>>;

export interface Measured {
  readonly goals?: readonly Goal[];
  /** More figures, as tables. */
  readonly tables?: readonly (readonly Row[])[];
}

/** Measures all in turn, so that disturbances affect all alike. The first time, which fills caches of files, does not count. */
export async function inTurn<T, Result>(
  contestants: Readonly<Record<string, T>>,
  times: number,
  measure: (of: T) => Promise<Result>,
): Promise<Record<string, Result[]>> {
  const results: Record<string, Result[]> = {};
  for (let round = -1; round < times; round += 1)
    for (const [name, contestant] of rotated(Object.entries(contestants), round + 1)) {
      const result = await measure(contestant);
      if (round < 0) results[name] = [];
      else results[name]?.push(result);
    }
  return results;
}

async function startTimes(contestants: Contestants, times: number): Promise<Figure[]> {
  const samples = await inTurn(contestants, times, async (start) => {
    await using server = await start();
    return server.startedIn;
  });
  return [{ name: 'start', unit: 'ms', samples }];
}

const firstCall = 'first control call';

/** Milliseconds of the first control call of a process, right after its first response. */
async function firstCallTimes(contestants: Contestants, times: number): Promise<Figure[]> {
  // Not between the first response and the call.
  await credentials();
  const samples = await inTurn(contestants, times, async (start) => {
    await using server = await start();
    return (await call(server.baseUrl, ['GET /_mock/info'])).milliseconds;
  });
  return [{ name: firstCall, unit: 'ms', samples }];
}

type Loaded = LoadResult & { readonly idle: number; readonly memory: number };

/** What servers do under load, each time in new processes, because two of one build differ as well. */
const answering = (
  contestants: Contestants,
  { samples, seconds }: Effort,
  operation: OperationName,
  rate?: number,
): Promise<Record<string, Loaded[]>> =>
  inTurn(contestants, samples, async (start) => {
    await using server = await start();
    const idle = server.memory();
    await load(server, { operation, seconds: 1 });
    return { ...(await load(server, { operation, seconds, rate })), idle, memory: server.memory() };
  });

async function answeringAll(contestants: Contestants, effort: Effort) {
  const all: [operation: OperationName, results: Record<string, Loaded[]>][] = [];
  for (const operation of operationNames) all.push([operation, await answering(contestants, effort, operation)]);
  const figures = all.flatMap(([operation, results]): Figure[] => [
    { name: operation, unit: 'requests/s', samples: samplesOf(results, 'perSecond') },
    { name: `${operation}: p99`, unit: 'ms', samples: samplesOf(results, 'p99') },
    { name: `${operation}: memory`, unit: 'MiB', samples: samplesOf(results, 'memory') },
  ]);
  return { all, figures };
}

const samplesOf = (results: Readonly<Record<string, readonly Loaded[]>>, figure: keyof Loaded): Figure['samples'] =>
  Object.fromEntries(Object.entries(results).map(([server, all]) => [server, all.map((one) => one[figure])]));

/** A row for each server, of its medians. @param columns their heads, and the figures in them */
const medians = (results: Record<string, Loaded[]>, head: string, columns: Readonly<Record<string, keyof Loaded>>) =>
  Object.entries(results).map(([server, all]): Row => {
    const cells = Object.entries(columns).map(([column, figure]) => [column, median(all.map((one) => one[figure]))]);
    return { [head]: server, ...Object.fromEntries(cells) };
  });

const ours = 'platform-mock';
const contestants: Contestants = Object.fromEntries(goalServers.map((name) => [name, () => startServer(name)]));
const mock: Contestants = { [ours]: () => startMock() };

type Wanted = readonly [figure: string, limit: Pick<Goal, 'atMost' | 'atLeast'>, than?: string];
/** The goals of README.md that compare servers, or judge a figure of the mock alone. */
const wanted: readonly Wanted[] = [
  ['start', { atMost: 1.6 }, 'bare Express'],
  ['start', { atMost: 0.5 }, 'Prism'],
  ['start', { atMost: 250 }],
  [firstCall, { atMost: 50 }],
  ...(['update', 'list'] as const).flatMap((operation): Wanted[] => [
    [operation, { atLeast: 5 }, 'Prism'],
    [operation, { atLeast: 2 }, 'bare Express'],
    [operation, { atLeast: operation === 'update' ? 0.6 : 0.75 }, 'bare node:http'],
  ]),
  ['filtered', { atLeast: 0.5 }, 'bare node:http'],
  ['update: memory', { atMost: 0.6 }, 'Prism'],
  ['update: memory', { atMost: 1 }, 'bare Express'],
];

const goalsOf = (figures: readonly Figure[]): Goal[] =>
  wanted.flatMap(([figure, limit, than]) =>
    figures
      .filter(({ name }) => name === figure)
      .map(({ unit, samples: { [ours]: samples = [], ...others } }) =>
        than === undefined
          ? { name: figure, samples, unit, ...limit }
          : { name: `${figure}, against ${than}`, samples, of: others[than] ?? [], unit, ...limit },
      ),
  );

/** The goals of README.md. */
export const goalParts: Parts = {
  start: async ({ starts }) => ({ goals: goalsOf(await startTimes(contestants, starts)) }),

  [firstCall]: async ({ starts }) => ({ goals: goalsOf(await firstCallTimes(mock, starts)) }),

  async 'side by side'(effort) {
    const { all, figures } = await answeringAll(contestants, effort);
    return {
      goals: goalsOf(figures),
      tables: all.map(([operation, results]) =>
        medians(results, requests[operation][0], {
          ...{ 'requests/s': 'perSecond', 'p50 ms': 'p50', 'p99 ms': 'p99' },
          // A load generator at 1.00 would measure itself.
          ...{ 'CPU: server': 'serverCpu', load: 'loadCpu', 'MiB at start': 'idle', 'after the load': 'memory' },
        }),
      ),
    };
  },

  /** Half of what Prism can answer, for all servers alike: at the limit of two cores, p99 measures the load generator. */
  async 'open loop'(effort) {
    const [goals, tables]: [Goal[], Row[][]] = [[], []];
    const prism = { Prism: () => startServer('Prism') };
    for (const operation of ['update', 'list'] as const) {
      const { Prism: [limit] = [] } = await answering(prism, { ...effort, samples: 1 }, operation);
      const results = await answering(contestants, effort, operation, (limit?.perSecond ?? Number.NaN) / 2);
      const { [ours]: samples = [], Prism: of = [] } = samplesOf(results, 'p99');
      const name = `${operation}: p99 at half of Prism's rate, against Prism`;
      goals.push({ name, samples, of, unit: 'ms', atMost: 0.25 });
      tables.push(medians(results, `${operation} at half of Prism's rate`, { 'p99 ms': 'p99' }));
    }
    return { goals, tables };
  },

  async '100 and 100,000 recordings'(effort) {
    const holding = (amount: number) => () => startMock(['--recordings', String(amount)]);
    const results = await answering({ few: holding(100), many: holding(100_000) }, effort, 'update');
    const { few: of = [], many: samples = [] } = samplesOf(results, 'perSecond');
    return { goals: [{ name: '100,000 recordings, against 100', samples, of, unit: 'requests/s', atLeast: 0.9 }] };
  },

  async 'reset, snapshot, sandbox'() {
    const { world, worlds } = await createMock({ recordings: 100_000 });
    const image = world.image();
    let at = 0;
    const goal = (name: string, work: () => unknown): Goal => {
      const samples = Array.from({ length: 500 }, () => {
        const recording = world.store.recordings.get('rec_kickoff');
        at += 1;
        if (recording) world.store.recordings.put({ ...recording, title: `Title ${at}` });
        const from = performance.now();
        work();
        return performance.now() - from;
      });
      return { name, samples, unit: 'ms', atMost: 1 };
    };
    return {
      goals: [
        goal('reset', () => world.reset()),
        goal('snapshot', () => world.image()),
        goal('restore', () => world.restore(image)),
        goal('new sandbox', () => worlds.sandbox(`s${at}`)),
      ],
    };
  },

  async endurance({ millions }) {
    const amount = Math.round(1_000_000 * millions);
    await using server = await startMock();
    // What it loads in idle time is there by then: a short run would take that for growth.
    await load(server, { operation: 'update', seconds: 3 });
    await load(server, { operation: 'update', seconds: 600, amount: Math.round(amount * 0.1) });
    const early = server.memory();
    await load(server, { operation: 'update', seconds: 600, amount: Math.round(amount * 0.9) });
    const name = `${amount.toLocaleString('en-US')} updates: memory, against 10 %`;
    return { goals: [{ name, samples: [server.memory()], of: [early], unit: 'MiB', atMost: 1.1 }] };
  },
};

/** Seconds of a run at the mock that it starts; `command` is another build's. @throws Error unless the mock conforms */
async function verifySeconds(command?: string): Promise<number> {
  const from = performance.now();
  const { stdout } = await startCommand(['verify', '--json'], command).ended;
  const { verdict } = JSON.parse(stdout) as { verdict: string };
  if (verdict !== 'conforms') throw new Error(`verify: ${verdict}`);
  return (performance.now() - from) / 1000;
}

/** Fewer would have no spread. */
const leastSamples = 5;

const run = (command: string, args: readonly string[], cwd?: string): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe', ...(cwd !== undefined && { cwd }) }).trim();

/** Builds a commit in a temporary folder, with the packages installed here. @returns its command @throws Error if it does not build */
export function buildOther(ref: string, progress: (text: string) => void): string {
  let commit: string;
  try {
    commit = run('git', ['rev-parse', '--short', '--verify', '--end-of-options', `${ref}^{commit}`]);
  } catch {
    throw new Error(`--against ${ref}: expected a commit, branch or tag of this repository`);
  }
  progress(`building ${commit}`);
  if (run('git', ['diff', '--name-only', commit, '--', 'package-lock.json']) !== '')
    progress(`${commit} has another package-lock.json, but is measured with the packages here`);
  const tree = join(folder, commit);
  process.once('exit', () => run('git', ['worktree', 'prune']));
  run('git', ['worktree', 'add', '--quiet', '--detach', tree, commit]);
  symlinkSync(join(process.cwd(), 'node_modules'), join(tree, 'node_modules'));
  run('npm', ['run', '-s', 'build'], tree);
  return commandIn(tree);
}

/** The same measurements of this tree and of another build, in turn. Their goals are that this one does not lose. */
export function againstParts(command: string): Parts {
  const builds = { now: undefined, before: command };
  const servers = { now: () => startMock(), before: () => startMock([], command) };
  /** A loss is more than 5 %, and beyond the spread. */
  const pairs = (figures: readonly Figure[]): Measured => ({
    goals: figures.map(({ name, unit, samples: { now = [], before = [] } }) => {
      const wanted = unit === 'requests/s' ? { atLeast: 0.95 } : { atMost: 1.05 };
      return { name, unit, samples: now, of: before, ...wanted, isNoisy: true };
    }),
  });
  const enough = (effort: Effort): Effort => ({
    ...effort,
    samples: Math.max(leastSamples, effort.samples),
    starts: Math.max(leastSamples, effort.starts),
  });
  return {
    start: async (effort) => pairs(await startTimes(servers, enough(effort).starts)),
    [firstCall]: async (effort) => pairs(await firstCallTimes(servers, enough(effort).starts)),
    answering: async (effort) => pairs((await answeringAll(servers, enough(effort))).figures),
    async verify(effort) {
      const samples = await inTurn(builds, enough(effort).samples, verifySeconds);
      return pairs([{ name: 'verify', unit: 's', samples }]);
    },
  };
}

/** Requests/s of each server as connections grow. All run at once, and are loaded in turn: a disturbance hits one point of each. */
export async function measureConnections(scope: Effort): Promise<PlotData['connections']> {
  const points: PlotData['connections'][number][] = [];
  await using servers = await startAll(goalServers.map((name) => () => startServer(name)));
  for (const running of servers) await load(running, { operation: 'update', seconds: 2 });
  for (const connections of scope.connections)
    for (const [at, running] of servers.entries()) {
      const { perSecond } = await load(running, { operation: 'update', seconds: scope.pointSeconds, connections });
      points.push({ server: goalServers[at] ?? '', connections, perSecond: Math.round(perSecond) });
    }
  return points;
}
