// Load generator process: takes a LoadOrder as a message, sends how many responses there are, and prints its result as JSON.
import { once } from 'node:events';
import type { LoadOrder } from './load.ts';
import { sendInTurn } from './load-connection.ts';
import { percentile } from './statistics.ts';

const [{ url, requests, connections, seconds, amount }] = (await once(process, 'message')) as [LoadOrder];
const bytes = requests.map((request) => Buffer.from(request));
const times = new Float64Array(2_000_000);
let [answers, failures, sent, isOver] = [0, 0, 0, false];

const before = process.cpuUsage();
const from = performance.now();
const progress = setInterval(() => process.send?.(answers), 250);
const overdue = setTimeout(() => {
  isOver = true;
}, seconds * 1000);

const mayGoOn = (): boolean => {
  if (isOver || (amount !== null && sent >= amount)) return false;
  sent += 1;
  return true;
};
const answered = (status: number, milliseconds: number): void => {
  // Beyond the last element, nothing is kept.
  times[answers] = milliseconds;
  answers += 1;
  if (status < 200 || status > 299) failures += 1;
};
await Promise.all(
  Array.from({ length: connections }, (_, at) => {
    // With more requests than connections, each has a share of them; with fewer, some share one.
    const share = bytes.filter((_bytes, index) => index % connections === at % Math.min(bytes.length, connections));
    return sendInTurn(new URL(url), share, mayGoOn, answered);
  }),
);

clearInterval(progress);
clearTimeout(overdue);
const elapsed = (performance.now() - from) / 1000;
const { user, system } = process.cpuUsage(before);
const kept = times.subarray(0, answers);
const [p50, p99] = [percentile(kept, 0.5), percentile(kept, 0.99)];
const loadCpu = (user + system) / 1e6 / elapsed;
process.stdout.write(
  JSON.stringify({ perSecond: answers / elapsed, p50, p99, failures, requests: answers, loadCpu, elapsed }),
);
process.disconnect();
