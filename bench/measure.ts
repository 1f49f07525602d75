import { setTimeout as sleep } from 'node:timers/promises';
import { type LoadResult, load } from './load.ts';
import {
  type BenchRequest,
  type BenchServer,
  credentials,
  type OperationName,
  operationNames,
  outputOf,
  requests,
  send,
  startCommand,
  startMock,
} from './peers.ts';

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

export type Contestants<Name extends string> = Readonly<Record<Name, () => Promise<BenchServer>>>;
export type Samples<Name extends string> = Readonly<Record<Name, number[]>>;

const namesOf = <Name extends string>(of: Readonly<Record<Name, unknown>>) => Object.keys(of) as Name[];
/** Each time another one first. */
const rotated = <T>(items: readonly T[], by: number): T[] => {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
};

/** Measures all in turn. The first time, which fills caches of files, does not count. */
export async function inTurn<Name extends string>(
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
export const startTimes = <Name extends string>(contestants: Contestants<Name>, times: number) =>
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
export async function firstCallTimes<Name extends string>(contestants: Contestants<Name>, times: number) {
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

/** Milliseconds of the first and of the second switch of a gap, each time in a mock that has been idle for two seconds. */
export async function gapSwitchTimes(times: number): Promise<{ first: number[]; second: number[] }> {
  const switches = { first: [] as number[], second: [] as number[] };
  for (let time = 0; time < times; time += 1) {
    await using server = await startMock();
    await sleep(2000);
    switches.first.push(await timeOf(server.baseUrl, gapSwitch('errors-list')));
    switches.second.push(await timeOf(server.baseUrl, gapSwitch('message')));
  }
  return switches;
}

/** Milliseconds of one request. @throws Error if it is refused: a refusal says nothing about its speed */
export async function timeOf(baseUrl: string, request: BenchRequest): Promise<number> {
  const headers = await credentials();
  const from = performance.now();
  const answer = await send(baseUrl, request, headers);
  const text = await answer.text();
  const took = performance.now() - from;
  if (!answer.ok) throw new Error(`${request.method} ${baseUrl}${request.path}: ${answer.status} ${text}`);
  return took;
}

/** Creates sandboxes, each by its first request, an update. Returns the milliseconds of each. */
export async function createSandboxes({ baseUrl }: BenchServer, names: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const name of names) times.push(await timeOf(`${baseUrl}/~${name}`, requests.update));
  return times;
}

/** What a server does under load, and its memory in MiB: after the first response, and in the end. */
export interface Answering {
  readonly loads: Readonly<Record<OperationName, LoadResult[]>>;
  readonly idle: number;
  readonly loaded: number;
}

/** Measures all contestants on all operations, interleaved in each round, so that disturbances affect all alike. */
export async function answering<Name extends string>(
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
export async function wallTime(args: readonly string[], command?: string): Promise<number> {
  const from = performance.now();
  await outputOf(startCommand(args, command));
  return (performance.now() - from) / 1000;
}
