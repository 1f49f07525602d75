import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createMock } from '../src/index.ts';
import type { Goal } from './goals.ts';
import { load } from './load.ts';
import {
  answering,
  type Contestants,
  createSandboxes,
  type Effort,
  firstCallTimes,
  gapSwitchTimes,
  inTurn,
  startTimes,
  wallTime,
} from './measure.ts';
import {
  folder,
  type GoalServer,
  goalServers,
  memoryOf,
  type OperationName,
  operationNames,
  outputOf,
  requests,
  startCommand,
  startMock,
  startServer,
} from './peers.ts';
import { median, type Row } from './statistics.ts';

/** What is measured together. Missed goals have their part measured again. */
export interface Part {
  readonly name: string;
  measure(effort: Effort): Promise<Measured>;
}

export interface Measured {
  readonly goals: readonly Goal[];
  /** More figures, as tables. */
  readonly tables?: readonly (readonly Row[])[];
}

const ours = 'platform-mock';
const contestants = Object.fromEntries(
  goalServers.map((name) => [name, () => startServer(name)]),
) as Contestants<GoalServer>;

async function start({ starts }: Effort): Promise<Measured> {
  const times = await startTimes(contestants, starts);
  const samples = times[ours];
  return {
    goals: [
      { name: 'start, against bare Express', samples, of: times['bare Express'], unit: 'ms', atMost: 1.6 },
      { name: 'start, against Prism', samples, of: times.Prism, unit: 'ms', atMost: 0.5 },
      { name: 'start to first answer', samples, unit: 'ms', atMost: 250 },
    ],
  };
}

async function firstCalls({ starts }: Effort): Promise<Measured> {
  const times = await firstCallTimes({ [ours]: () => startMock() }, starts);
  const { first, second } = await gapSwitchTimes(starts);
  const goals: Goal[] = times.map(([name, samples]) => ({ name, samples: samples[ours], unit: 'ms', atMost: 50 }));
  const name = 'first gap switch of an idle mock, against the second';
  return { goals: [...goals, { name, samples: first, of: second, unit: 'ms', atMost: 2 }] };
}

async function sideBySide({ samples, seconds }: Effort): Promise<Measured> {
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
}

/** Half of what Prism can answer, for all servers alike: at the limit of two cores, p99 measures the load generator. */
async function openLoop({ samples, seconds }: Effort): Promise<Measured> {
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
}

async function recordings({ samples, seconds }: Effort): Promise<Measured> {
  const holding = (amount: number) => () => startMock(['--recordings', String(amount)]);
  const { few, many } = await answering({ few: holding(100), many: holding(100_000) }, samples, seconds, ['update']);
  const [of, now] = [few, many].map(({ loads }) => loads.update.map(({ perSecond }) => perSecond));
  const name = '100,000 recordings, against 100';
  return { goals: [{ name, samples: now ?? [], of: of ?? [], unit: 'requests/s', atLeast: 0.9 }] };
}

async function sandboxes({ seconds }: Effort): Promise<Measured> {
  await using server = await startMock();
  const before = server.memory();
  const names = Array.from({ length: 1000 }, (_, at) => `s${at}`);
  const first = median(await createSandboxes(server, names));
  const memoryEach = ((server.memory() - before) * 1024) / names.length;
  const { perSecond } = await load(server, { operation: 'update', seconds });
  return {
    goals: [{ name: '1,000 sandboxes: memory each', samples: [memoryEach], unit: 'KiB', atMost: 100 }],
    tables: [[{ '1,000 sandboxes: ms of the first request of one': first, 'updates/s in the main world': perSecond }]],
  };
}

/** The cost of reset, snapshot, restore and a new sandbox with 100,000 recordings, in milliseconds. */
async function worldCosts(): Promise<Measured> {
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
}

/** One million updates, or fewer in a short run. */
async function endurance({ millions }: Effort): Promise<Measured> {
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
}

async function requestsOf(...options: readonly string[]): Promise<number> {
  const report = JSON.parse(await outputOf(startCommand(['verify', '--json', ...options])));
  return (report as { requests: { total: number } }).requests.total;
}

async function verify({ samples }: Effort): Promise<Measured> {
  const { seconds } = await inTurn(['seconds'], Math.max(3, samples), () => wallTime(['verify']));
  return {
    goals: [
      { name: 'verify', samples: seconds, unit: 's', atMost: 1.2 },
      { name: 'verify: requests', samples: [await requestsOf()], unit: 'requests', atMost: 150 },
      { name: 'verify --quick: requests', samples: [await requestsOf('--quick')], unit: 'requests', atMost: 60 },
    ],
  };
}

/** `verify --har` on what `serve --record` wrote: 1 GB in a full run. */
async function har({ millions }: Effort): Promise<Measured> {
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
}

const score = async (): Promise<Measured> => ({
  goals: [{ name: 'score', samples: [await wallTime(['score'])], unit: 's', atMost: 120 }],
});

/** The goals of README.md. */
export const goalParts = (effort: Effort): readonly Part[] => [
  { name: 'start', measure: start },
  { name: 'first calls', measure: firstCalls },
  { name: 'side by side', measure: sideBySide },
  { name: 'open loop', measure: openLoop },
  { name: '100 and 100,000 recordings', measure: recordings },
  { name: '1,000 sandboxes', measure: sandboxes },
  { name: 'reset, snapshot, sandbox', measure: worldCosts },
  { name: 'endurance', measure: endurance },
  { name: 'verify', measure: verify },
  { name: 'verify --har', measure: har },
  ...(effort.score ? [{ name: 'score', measure: score }] : []),
];
