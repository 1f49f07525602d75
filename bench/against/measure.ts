import type { Effort } from '../effort.ts';
import { operationNames } from '../operations.ts';
import { wallTimes } from '../parts/commands.ts';
import { firstCalls, timeFirstCalls } from '../parts/first-calls.ts';
import { measureLoad } from '../parts/side-by-side.ts';
import { type BenchServer, signedRequests, startMock } from '../servers.ts';
import type { Pair } from './verdict.ts';

/** The commands of both builds; `undefined` is this one's. */
type Build = string | undefined;
type Measure = (before: Build, effort: Effort) => Promise<Pair[]>;

type Which = 'now' | 'before';
/** Fewer would have no spread. */
const leastSamples = 5;
const orderOf = (round: number): readonly Which[] => (round % 2 === 0 ? ['now', 'before'] : ['before', 'now']);

/** Measures both in turn, the other one first each time; the first time, which fills caches of files, does not count. */
async function inTurn<T>(before: Build, times: number, measure: (build: Build) => Promise<T>) {
  const samples = { now: [] as T[], before: [] as T[] };
  for (let round = -1; round < Math.max(leastSamples, times); round += 1)
    for (const which of orderOf(round)) {
      const sample = await measure(which === 'now' ? undefined : before);
      if (round >= 0) samples[which].push(sample);
    }
  return samples;
}

const startTimes: Measure = async (before, { starts }) => {
  const samples = await inTurn(before, starts, async (build) => {
    const server = await startMock([], build);
    await server.stop();
    return server.startedIn;
  });
  return [{ name: 'start', unit: 'ms', better: 'less', ...samples }];
};

const firstCallTimes: Measure = async (before, { starts }) => {
  const server = await startMock();
  const headers = await signedRequests(server);
  await server.stop();
  const samples = await inTurn(before, starts, (build) => timeFirstCalls(headers, build));
  return Object.keys(firstCalls).map((name) => {
    const of = (rounds: readonly Record<string, number>[]) => rounds.map((times) => times[name] ?? Number.NaN);
    return { name, unit: 'ms', better: 'less', now: of(samples.now), before: of(samples.before) };
  });
};

/** Speed, p99 and memory: each round in new processes, because two of one build differ as well, and these two in turn. */
const answering: Measure = async (before, { samples, seconds }) => {
  const figures = new Map<string, { pair: Omit<Pair, 'now' | 'before'>; now: number[]; before: number[] }>();
  const keep = (pair: Omit<Pair, 'now' | 'before'>, which: Which, value: number) => {
    const kept = figures.get(pair.name) ?? { pair, now: [], before: [] };
    kept[which].push(value);
    figures.set(pair.name, kept);
  };
  for (let round = 0; round < Math.max(leastSamples, samples); round += 1) {
    const order = orderOf(round);
    const servers = new Map<Which, BenchServer>();
    for (const which of order) servers.set(which, await startMock([], which === 'now' ? undefined : before));
    for (const operation of operationNames)
      for (const [which, server] of servers) {
        const headers = await signedRequests(server);
        await measureLoad(server, operation, headers, 1);
        const { perSecond, p99 } = await measureLoad(server, operation, headers, seconds);
        keep({ name: operation, unit: 'requests/s', better: 'more' }, which, perSecond);
        keep({ name: `${operation}: p99`, unit: 'ms', better: 'less' }, which, p99);
      }
    for (const [which, server] of servers) {
      keep({ name: 'memory after load', unit: 'MiB', better: 'less' }, which, server.memory());
      await server.stop();
    }
  }
  return [...figures.values()].map(({ pair, ...values }) => ({ ...pair, ...values }));
};

const verifyTimes: Measure = async (before, { samples }) => {
  const times = await inTurn(
    before,
    samples,
    async (build) => (await wallTimes(['verify'], 1, build))[0] ?? Number.NaN,
  );
  return [{ name: 'verify', unit: 's', better: 'less', ...times }];
};

/** What is measured together; one that loses is measured again. */
export const measures: Readonly<Record<string, Measure>> = {
  start: startTimes,
  'first calls': firstCallTimes,
  answering,
  verify: verifyTimes,
};
