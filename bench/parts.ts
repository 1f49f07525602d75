import { execFileSync } from 'node:child_process';
import { statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMock } from '../src/index.ts';
import {
  type BenchRequest,
  type BenchServer,
  commandIn,
  createSandboxes,
  credentials,
  folder,
  type GoalServer,
  goalServers,
  type LoadResult,
  load,
  memoryOf,
  type OperationName,
  operationNames,
  outputOf,
  requests,
  startCommand,
  startMock,
  startServer,
  timeOf,
} from './peers.ts';
import { type Goal, median, type Row } from './report.ts';

const full = {
  /** Samples of each figure, interleaved with those of the other servers. */
  samples: 5,
  seconds: 3,
  starts: 7,
  /** Requests of the endurance part, in millions. */
  millions: 1,
  /** Whether the score is measured, which takes a minute. */
  score: true,
};
export type Effort = Readonly<typeof full>;

/** `tiny` proves that everything runs; its figures mean nothing. */
export const efforts = {
  tiny: { samples: 1, seconds: 1, starts: 1, millions: 0.01, score: false },
  quick: { samples: 3, seconds: 1.5, starts: 5, millions: 0.1, score: false },
  full,
} satisfies Record<string, Effort>;
export type EffortName = keyof typeof efforts;

type Contestants<Name extends string> = Readonly<Record<Name, () => Promise<BenchServer>>>;
type Samples<Name extends string> = Readonly<Record<Name, number[]>>;

const namesOf = <Name extends string>(of: Readonly<Record<Name, unknown>>) => Object.keys(of) as Name[];
/** Each time another one first. */
const rotated = <T>(items: readonly T[], by: number): T[] => {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
};

/** Measures all in turn. The first time, which fills caches of files, does not count. */
async function inTurn<Name extends string>(
  names: readonly Name[],
  times: number,
  measure: (name: Name) => Promise<number>,
): Promise<Samples<Name>> {
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Samples<Name>;
  for (let round = -1; round < times; round += 1)
    for (const name of rotated(names, round)) {
      const sample = await measure(name);
      if (round >= 0) samples[name].push(sample);
    }
  return samples;
}

/** Milliseconds from process start to first response. */
const startTimes = <Name extends string>(contestants: Contestants<Name>, times: number) =>
  inTurn(namesOf(contestants), times, async (name) => {
    await using server = await contestants[name]();
    return server.startedIn;
  });

const gapSwitch = (shape: string): BenchRequest => ({
  method: 'PUT',
  path: '/_mock/profile',
  body: JSON.stringify({ profile: { answers: { 'error-body': shape } } }),
});

/** What a user does right after the start; each of them the first of its kind in its process. */
const firstCalls: Readonly<Record<string, BenchRequest>> = {
  'first control call': { method: 'GET', path: '/_mock/info' },
  'first gap switch': gapSwitch('problem'),
  'first sandbox': { ...requests.update, path: `/~first${requests.update.path}` },
};

/** Milliseconds of each first call, each in another process, right after its first response. */
async function firstCallTimes<Name extends string>(contestants: Contestants<Name>, times: number) {
  const all: [call: string, times: Samples<Name>][] = [];
  // Not between the first response and the call.
  await credentials();
  for (const [call, request] of Object.entries(firstCalls)) {
    const samples = await inTurn(namesOf(contestants), times, async (name) => {
      await using server = await contestants[name]();
      // Without the await, the server would stop first.
      return await timeOf(server.baseUrl, request);
    });
    all.push([call, samples]);
  }
  return all;
}

/** What a server does under load, and its memory in MiB: after the first response, and in the end. */
interface Answering {
  readonly loads: Readonly<Record<OperationName, LoadResult[]>>;
  readonly idle: number;
  readonly loaded: number;
}

/** Measures all contestants on all operations, interleaved in each round, so that disturbances affect all alike. */
async function answering<Name extends string>(
  contestants: Contestants<Name>,
  rounds: number,
  seconds: number,
  operations: readonly OperationName[] = operationNames,
  rateOf: (operation: OperationName) => number | undefined = () => undefined,
): Promise<Readonly<Record<Name, Answering>>> {
  const servers: [Name, BenchServer, Omit<Answering, 'loaded'>][] = [];
  for (const name of namesOf(contestants)) {
    const server = await contestants[name]();
    servers.push([name, server, { loads: { update: [], list: [], filtered: [] }, idle: server.memory() }]);
  }
  for (let round = -1; round < rounds; round += 1)
    for (const operation of operations)
      for (const [, server, { loads }] of rotated(servers, round)) {
        const result = await load(
          server,
          round < 0 ? { operation, seconds: 1 } : { operation, seconds, rate: rateOf(operation) },
        );
        if (round >= 0) loads[operation].push(result);
      }
  const results = servers.map(([name, server, result]) => [name, { ...result, loaded: server.memory() }]);
  for (const [, server] of servers) await server[Symbol.asyncDispose]();
  return Object.fromEntries(results);
}

/** Seconds that a command takes, including start-up; `command` is another build's. */
async function wallTime(args: readonly string[], command?: string): Promise<number> {
  const from = performance.now();
  await outputOf(startCommand(args, command));
  return (performance.now() - from) / 1000;
}

/** What is measured together, by name. Missed goals have their part measured again. */
export type Parts = Readonly<Record<string, (effort: Effort) => Promise<Measured>>>;

export interface Measured {
  readonly goals?: readonly Goal[];
  /** More figures, as tables. */
  readonly tables?: readonly (readonly Row[])[];
}

const ours = 'platform-mock';
const contestants = Object.fromEntries(
  goalServers.map((name) => [name, () => startServer(name)]),
) as Contestants<GoalServer>;

/** The goals of README.md. */
export const goalParts: Parts = {
  async start({ starts }) {
    const times = await startTimes(contestants, starts);
    const samples = times[ours];
    return {
      goals: [
        { name: 'start, against bare Express', samples, of: times['bare Express'], unit: 'ms', atMost: 1.6 },
        { name: 'start, against Prism', samples, of: times.Prism, unit: 'ms', atMost: 0.5 },
        { name: 'start to first answer', samples, unit: 'ms', atMost: 250 },
      ],
    };
  },

  async 'first calls'({ starts }) {
    const times = await firstCallTimes({ [ours]: () => startMock() }, starts);
    // Each time in a mock that has been idle for two seconds.
    const switches = { first: [] as number[], second: [] as number[] };
    for (let time = 0; time < starts; time += 1) {
      await using server = await startMock();
      await sleep(2000);
      switches.first.push(await timeOf(server.baseUrl, gapSwitch('errors-list')));
      switches.second.push(await timeOf(server.baseUrl, gapSwitch('message')));
    }
    const goals: Goal[] = times.map(([name, samples]) => ({ name, samples: samples[ours], unit: 'ms', atMost: 50 }));
    const name = 'first gap switch of an idle mock, against the second';
    return { goals: [...goals, { name, samples: switches.first, of: switches.second, unit: 'ms', atMost: 2 }] };
  },

  async 'side by side'({ samples, seconds }) {
    const figures = await answering(contestants, samples, seconds);
    const speed = (operation: OperationName, than: GoalServer, atLeast: number): Goal => ({
      name: `${operation}, against ${than}`,
      samples: figures[ours].loads[operation].map(({ perSecond }) => perSecond),
      of: figures[than].loads[operation].map(({ perSecond }) => perSecond),
      unit: 'requests/s',
      atLeast,
    });
    const weight = (than: GoalServer, atMost: number): Goal => ({
      name: `memory under load, against ${than}`,
      samples: [figures[ours].loaded],
      of: [figures[than].loaded],
      unit: 'MiB',
      atMost,
    });
    const tables = operationNames.map((operation) =>
      goalServers.map((name): Row => {
        const { loads, idle, loaded } = figures[name];
        const middle = (figure: 'perSecond' | 'p50' | 'p99' | 'serverCpu' | 'loadCpu') =>
          median(loads[operation].map((sample) => sample[figure]));
        return {
          [`${requests[operation].method} ${requests[operation].path}`]: name,
          'requests/s': middle('perSecond'),
          'p50 ms': middle('p50'),
          'p99 ms': middle('p99'),
          // A load generator at 1.00 would measure itself.
          'CPU: server': middle('serverCpu'),
          load: middle('loadCpu'),
          'MiB at start': idle,
          'after all load': loaded,
        };
      }),
    );
    return {
      goals: [
        ...(['update', 'list'] as const).flatMap((operation) => [
          speed(operation, 'Prism', 5),
          speed(operation, 'bare Express', 2),
          speed(operation, 'bare node:http', operation === 'update' ? 0.6 : 0.75),
        ]),
        speed('filtered', 'bare node:http', 0.5),
        weight('Prism', 0.6),
        weight('bare Express', 1),
      ],
      tables,
    };
  },

  /** Half of what Prism can answer, for all servers alike: at the limit of two cores, p99 measures the load generator. */
  async 'open loop'({ samples, seconds }) {
    const operations = ['update', 'list'] as const;
    const { Prism, ...others } = contestants;
    const { Prism: limit } = await answering({ Prism }, 1, seconds, operations);
    const rateOf = (operation: OperationName): number => (limit.loads[operation][0]?.perSecond ?? Number.NaN) / 2;
    const figures = await answering({ ...others, Prism }, samples, seconds, operations, rateOf);
    const p99 = (name: GoalServer, operation: OperationName) => figures[name].loads[operation].map((one) => one.p99);
    const goals = operations.map((operation): Goal => {
      const name = `${operation}: p99 at half of Prism's rate, against Prism`;
      return { name, samples: p99(ours, operation), of: p99('Prism', operation), unit: 'ms', atMost: 0.25 };
    });
    const rows = goalServers.map((name): Row => {
      const [update, list] = operations.map((operation) => median(p99(name, operation)));
      return { "p99 at half of Prism's rate": name, 'update ms': update ?? Number.NaN, 'list ms': list ?? Number.NaN };
    });
    return { goals, tables: [rows] };
  },

  async '100 and 100,000 recordings'({ samples, seconds }) {
    const holding = (amount: number) => () => startMock(['--recordings', String(amount)]);
    const { few, many } = await answering({ few: holding(100), many: holding(100_000) }, samples, seconds, ['update']);
    const [of, now] = [few, many].map(({ loads }) => loads.update.map(({ perSecond }) => perSecond));
    const name = '100,000 recordings, against 100';
    return { goals: [{ name, samples: now ?? [], of: of ?? [], unit: 'requests/s', atLeast: 0.9 }] };
  },

  async '1,000 sandboxes'({ seconds }) {
    await using server = await startMock();
    const before = server.memory();
    const names = Array.from({ length: 1000 }, (_, at) => `s${at}`);
    const first = median(await createSandboxes(server, names));
    const memoryEach = ((server.memory() - before) * 1024) / names.length;
    const { perSecond } = await load(server, { operation: 'update', seconds });
    return {
      goals: [{ name: '1,000 sandboxes: memory each', samples: [memoryEach], unit: 'KiB', atMost: 100 }],
      tables: [
        [{ '1,000 sandboxes: ms of the first request of one': first, 'updates/s in the main world': perSecond }],
      ],
    };
  },

  /** The cost of reset, snapshot, restore and a new sandbox with 100,000 recordings, in milliseconds. */
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

  /** One million updates, or fewer in a short run. */
  async endurance({ millions }) {
    const amount = Math.round(1_000_000 * millions);
    await using server = await startMock();
    // What it loads in idle time is there by then: a short run would take that for growth.
    await load(server, { operation: 'update', seconds: 3 });
    const memory: number[] = [];
    for (const share of [0.1, 0.4, 0.5]) {
      await load(server, { operation: 'update', seconds: 600, amount: Math.round(amount * share) });
      memory.push(server.memory());
    }
    const [early = Number.NaN, half = Number.NaN, late = Number.NaN] = memory;
    const name = `${amount.toLocaleString('en-US')} updates: memory, against 10 %`;
    return {
      goals: [{ name, samples: [late], of: [early], unit: 'MiB', atMost: 1.1 }],
      tables: [[{ 'endurance: MiB at 10 %': early, '50 %': half, '100 %': late }]],
    };
  },

  async verify({ samples }) {
    const { seconds } = await inTurn(['seconds'], Math.max(3, samples), () => wallTime(['verify']));
    return {
      goals: [
        { name: 'verify', samples: seconds, unit: 's', atMost: 1.2 },
        { name: 'verify: requests', samples: [await requestsOf()], unit: 'requests', atMost: 150 },
        { name: 'verify --quick: requests', samples: [await requestsOf('--quick')], unit: 'requests', atMost: 60 },
      ],
    };
  },

  /** `verify --har` on what `serve --record` wrote: 1 GB in a full run. */
  async 'verify --har'({ millions }) {
    const file = join(folder, 'large.har');
    const exchanges = Math.round(600_000 * millions);
    const recorder = await startMock(['--record', file]);
    for (const operation of operationNames) await load(recorder, { operation, seconds: 600, amount: exchanges / 3 });
    await recorder[Symbol.asyncDispose]();
    const megabytes = statSync(file).size / 1e6;
    const from = performance.now();
    const run = startCommand(['verify', '--har', file, '--allow-untested', 'all']);
    let peak = 0;
    const watch = setInterval(() => {
      // NaN when it has just ended.
      peak = Math.max(peak, memoryOf(run.child) || 0);
    }, 50);
    await outputOf(run).finally(() => clearInterval(watch));
    return {
      goals: [{ name: 'verify --har: memory at most', samples: [peak], unit: 'MiB', atMost: 400 }],
      tables: [[{ 'verify --har: MB': megabytes, exchanges, 'MB/s': (1000 * megabytes) / (performance.now() - from) }]],
    };
  },
  async score({ score }) {
    return score ? { goals: [{ name: 'score', samples: [await wallTime(['score'])], unit: 's', atMost: 120 }] } : {};
  },
};

async function requestsOf(...options: readonly string[]): Promise<number> {
  const report = JSON.parse(await outputOf(startCommand(['verify', '--json', ...options])));
  return (report as { requests: { total: number } }).requests.total;
}

type Which = 'now' | 'before';

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

/** A loss is more than 5 %, and beyond the spread. */
const more = { atLeast: 0.95, isNoisy: true };
const less = { atMost: 1.05, isNoisy: true };

const pair = (name: string, unit: string, wanted: Partial<Goal>, { now, before }: Samples<Which>): Goal => ({
  ...{ name, unit, samples: now, of: before },
  ...wanted,
});

/** The same measurements of this tree and of another build, in turn. Their goals are that this one does not lose. */
export function againstParts(command: string): Parts {
  const both = { now: () => startMock(), before: () => startMock([], command) };
  const commands = { now: undefined, before: command };
  return {
    async start({ starts }) {
      return { goals: [pair('start', 'ms', less, await startTimes(both, Math.max(leastSamples, starts)))] };
    },

    async 'first calls'({ starts }) {
      const times = await firstCallTimes(both, Math.max(leastSamples, starts));
      return { goals: times.map(([name, samples]) => pair(name, 'ms', less, samples)) };
    },

    /** Each round in new processes, because two of one build differ as well. */
    async answering({ samples, seconds }) {
      const { now, before } = both;
      const rounds: Readonly<Record<Which, Answering>>[] = [];
      while (rounds.length < Math.max(leastSamples, samples))
        rounds.push(await answering(rounds.length % 2 === 0 ? { now, before } : { before, now }, 1, seconds));
      const goal = (
        name: string,
        unit: string,
        wanted: Partial<Goal>,
        figure: (one: Answering) => number | undefined,
      ) => {
        const of = (which: Which): number[] => rounds.map((round) => figure(round[which]) ?? Number.NaN);
        return pair(name, unit, wanted, { now: of('now'), before: of('before') });
      };
      const goals = operationNames.flatMap((name) => [
        goal(name, 'requests/s', more, ({ loads }) => loads[name][0]?.perSecond),
        goal(`${name}: p99`, 'ms', less, ({ loads }) => loads[name][0]?.p99),
      ]);
      return { goals: [...goals, goal('memory after load', 'MiB', less, ({ loaded }) => loaded)] };
    },

    async verify({ samples }) {
      const builds = ['now', 'before'] as const;
      const times = await inTurn(builds, Math.max(leastSamples, samples), (at) => wallTime(['verify'], commands[at]));
      return { goals: [pair('verify', 's', less, times)] };
    },
  };
}
