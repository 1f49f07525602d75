// Load generator process: takes LoadOptions as a message, sends how many responses there are, and prints a LoadResult as JSON.
import { once } from 'node:events';
import type { LoadOptions } from './load.ts';
import { LoadConnection, requestBytes } from './load-connection.ts';
import { percentile } from './statistics.ts';

const [options] = (await once(process, 'message')) as [LoadOptions];
const { connections, seconds, amount = Number.POSITIVE_INFINITY } = options;
const target = new URL(options.url);
const paths = options.paths ?? [target.pathname + target.search];

const keptTimes = 2_000_000;
const times = new Float64Array(keptTimes);
let responses = 0;
let refused = 0;
let sent = 0;
let isOver = false;

const before = process.cpuUsage();
const from = performance.now();
const progress = setInterval(() => process.send?.(responses), 250);
const overdue = setTimeout(() => {
  isOver = true;
}, seconds * 1000);

const mayGoOn = (): boolean => {
  if (isOver || sent >= amount) return false;
  sent += 1;
  return true;
};
const answered = (status: number, milliseconds: number): void => {
  if (responses < keptTimes) times[responses] = milliseconds;
  responses += 1;
  if (status < 200 || status > 299) refused += 1;
};
await Promise.all(
  Array.from({ length: connections }, (_, at) => {
    // With more paths than connections, each has its own share of them; with fewer, some share one.
    const share = paths.filter((_path, index) => index % connections === at % Math.min(paths.length, connections));
    const requests = share.map((path) => requestBytes(target, path, options));
    return new LoadConnection(target, requests, mayGoOn, answered).ended;
  }),
);

clearInterval(progress);
clearTimeout(overdue);
const elapsed = (performance.now() - from) / 1000;
const { user, system } = process.cpuUsage(before);
const kept = times.subarray(0, responses);
process.stdout.write(
  JSON.stringify({
    perSecond: responses / elapsed,
    p50: percentile(kept, 0.5),
    p99: percentile(kept, 0.99),
    failures: refused,
    requests: responses,
    loadCpu: (user + system) / 1e6 / elapsed,
    seconds: elapsed,
  }),
);
process.disconnect();
