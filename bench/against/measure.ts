import type { Effort } from '../effort.ts';
import type { LoadResult } from '../load.ts';
import { operationNames } from '../operations.ts';
import { wallTimes } from '../parts/commands.ts';
import { firstCalls, timeFirstCalls } from '../parts/first-calls.ts';
import { measureLoad } from '../parts/side-by-side.ts';
import { signedRequests, startMock } from '../servers.ts';
import type { Pair } from './verdict.ts';

/** The commands of both builds; `undefined` is this one's. */
type Build = string | undefined;
type Measure = (before: Build, effort: Effort) => Promise<Pair[]>;

/** Measures both in turn, the other one first each time; the first time, which fills caches of files, does not count. */
async function inTurn<T>(before: Build, times: number, measure: (build: Build) => Promise<T>) {
  const samples = { now: [] as T[], before: [] as T[] };
  for (let round = -1; round < times; round += 1)
    for (const which of round % 2 === 0 ? (['now', 'before'] as const) : (['before', 'now'] as const)) {
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

/** Speed, p99 and memory of two servers that run side by side. */
const answering: Measure = async (before, { samples: times, seconds }) => {
  const servers = { now: await startMock(), before: await startMock([], before) };
  const headers = { now: await signedRequests(servers.now), before: await signedRequests(servers.before) };
  const pairs: Pair[] = [];
  for (const operation of operationNames) {
    const samples = await inTurn(before, Math.max(5, times), (build) => {
      const which = build === undefined ? 'now' : 'before';
      return measureLoad(servers[which], operation, headers[which], seconds);
    });
    const of = (figure: keyof LoadResult) => ({
      now: samples.now.map((sample) => sample[figure]),
      before: samples.before.map((sample) => sample[figure]),
    });
    pairs.push({ name: operation, unit: 'requests/s', better: 'more', ...of('perSecond') });
    pairs.push({ name: `${operation}: p99`, unit: 'ms', better: 'less', ...of('p99') });
  }
  const memory = { now: [servers.now.memory()], before: [servers.before.memory()] };
  pairs.push({ name: 'memory after load', unit: 'MiB', better: 'less', ...memory });
  for (const server of Object.values(servers)) await server.stop();
  return pairs;
};

const verifyTimes: Measure = async (before, { samples }) => {
  const times = await inTurn(
    before,
    Math.max(5, samples),
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
