import type { Effort } from '../effort.ts';
import type { Goal } from '../goals.ts';
import { type LoadResult, load } from '../load.ts';
import { type OperationName, operationNames, requests } from '../operations.ts';
import type { Part } from '../part.ts';
import { type BenchServer, type GoalServer, Peers, serverNames } from '../servers.ts';
import { median, ratios } from '../statistics.ts';
import { short, table } from '../table.ts';

/** Concurrent connections. */
export const connections = 16;

type Headers = Readonly<Record<string, string>>;
type PerServer<T> = Readonly<Record<GoalServer, T>>;

interface Comparison {
  readonly loads: PerServer<Readonly<Record<OperationName, readonly LoadResult[]>>>;
  /** MiB, after the first response, and at the end of all samples. */
  readonly memory: PerServer<{ readonly idle: number; readonly loaded: number }>;
}

/** One sample of the load of one operation on a server. */
export function measureLoad(
  server: BenchServer,
  operation: OperationName,
  headers: Headers,
  seconds: number,
  atOnce = connections,
): Promise<LoadResult> {
  const { path, ...request } = requests[operation];
  return load({ url: server.baseUrl + path, ...request, headers, connections: atOnce, seconds }, server.child.pid);
}

export const sideBySidePart: Part = {
  name: 'side by side',
  async measure(effort, progress) {
    const comparison = await compare(effort, progress);
    return { goals: goalsOf(comparison), text: tables(comparison), figures: comparison };
  },
};

/** Measures all servers on all operations, interleaved in each round, so that disturbances affect all alike. */
async function compare({ samples, seconds }: Effort, progress: (text: string) => void): Promise<Comparison> {
  using peers = await Peers.prepare();
  const servers: [GoalServer, BenchServer][] = [];
  for (const name of serverNames) servers.push([name, await peers.start(name)]);
  const idle = new Map(servers.map(([name, server]) => [name, server.memory()]));
  for (const operation of operationNames)
    for (const [, server] of servers) await measureLoad(server, operation, peers.headers, 1);

  const loads = byServer(() => ({ update: [], list: [], filtered: [] }) as Record<OperationName, LoadResult[]>);
  for (let round = 0; round < samples; round += 1) {
    progress(`side by side: ${round + 1} of ${samples}`);
    // Each round starts with another server.
    for (const operation of operationNames)
      for (const [name, server] of [
        ...servers.slice(round % servers.length),
        ...servers.slice(0, round % servers.length),
      ])
        loads[name][operation].push(await measureLoad(server, operation, peers.headers, seconds));
  }
  const loaded = new Map(servers.map(([name, server]) => [name, server.memory()]));
  for (const [, server] of servers) await server.stop();
  const memory = byServer((name) => ({ idle: idle.get(name) ?? Number.NaN, loaded: loaded.get(name) ?? Number.NaN }));
  return { loads, memory };
}

const byServer = <T>(figureOf: (name: GoalServer) => T) =>
  Object.fromEntries(serverNames.map((name) => [name, figureOf(name)])) as PerServer<T>;

function goalsOf({ loads, memory }: Comparison): Goal[] {
  const of = (name: GoalServer, operation: OperationName, figure: 'perSecond' | 'p99') =>
    loads[name][operation].map((sample) => sample[figure]);
  const speed = (operation: OperationName, than: GoalServer, atLeast: number): Goal => ({
    name: `${operation}: requests/s of ${than}'s`,
    samples: ratios(of('platform-mock', operation, 'perSecond'), of(than, operation, 'perSecond')),
    unit: 'x',
    atLeast,
  });
  const patience = (operation: OperationName): Goal => ({
    name: `${operation}: p99 of Prism's`,
    samples: ratios(of('platform-mock', operation, 'p99'), of('Prism', operation, 'p99')),
    unit: 'x',
    atMost: 0.2,
  });
  const weight = (than: GoalServer, atMost: number): Goal => ({
    name: `memory under load of ${than}'s`,
    samples: [memory['platform-mock'].loaded / memory[than].loaded],
    unit: 'x',
    atMost,
  });
  return [
    ...(['update', 'list'] as const).flatMap((operation) => [
      speed(operation, 'Prism', 5),
      speed(operation, 'bare Express', 2),
      speed(operation, 'bare node:http', 0.5),
      patience(operation),
    ]),
    speed('filtered', 'bare node:http', 0.5),
    weight('Prism', 0.6),
    weight('bare Express', 1),
  ];
}

/** The servers compared. The last columns show who was busy: a load generator at 1.00 would measure itself. */
function tables({ loads, memory }: Comparison): string[] {
  const head = ['', 'requests/s', 'p50 ms', 'p99 ms', 'ours is', 'CPU: server', 'load'];
  const parts = operationNames.map((operation) => {
    const { method, path } = requests[operation];
    const rows = serverNames.map((name) => {
      const of = (figure: keyof LoadResult, server: GoalServer = name) =>
        loads[server][operation].map((sample) => sample[figure]);
      const ours = median(ratios(of('perSecond', 'platform-mock'), of('perSecond')));
      const cpu = [short(median(of('serverCpu'))), short(median(of('loadCpu')))];
      return [
        name,
        ...(['perSecond', 'p50', 'p99'] as const).map((figure) => short(median(of(figure)))),
        name === 'platform-mock' ? '' : `${short(ours)}x`,
        ...cpu,
      ];
    });
    return `${method} ${path}\n${table([head, ...rows])}`;
  });
  const share = (name: GoalServer) =>
    name === 'platform-mock' ? '' : `${short(memory['platform-mock'].loaded / memory[name].loaded)}x`;
  const rest = serverNames.map((name) => [name, short(memory[name].idle), short(memory[name].loaded), share(name)]);
  return [...parts, table([['', 'MiB at start', 'MiB after load', 'ours is'], ...rest])];
}
