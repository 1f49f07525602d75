// Load generator process: reads a LoadOrder, prints its result as JSON.
import { json } from 'node:stream/consumers';
import { sendInTurn, type Turn } from './load-connection.ts';
import type { LoadOrder } from './peers.ts';
import { percentile } from './report.ts';

const { url, requests, connections, seconds, amount = Infinity, rate } = (await json(process.stdin)) as LoadOrder;
const bytes = requests.map((request) => Buffer.from(request));
const times = new Float64Array(2_000_000);
let [answers, failures, sent, isOver] = [0, 0, 0, false];

const before = process.cpuUsage();
const from = performance.now();
const overdue = setTimeout(() => {
  isOver = true;
}, seconds * 1000);

const atOnce: Turn = (go) => {
  const isLast = isOver || sent >= amount;
  sent += 1;
  go(isLast ? undefined : performance.now());
};

/** Connections without a request, and times of requests without a connection. */
const [idle, due]: [Parameters<Turn>[0][], number[]] = [[], []];
const whenDue: Turn = (go) => {
  if (isOver || due.length > 0) go(isOver ? undefined : due.shift());
  else idle.push(go);
};
/** What is late because this process was busy counts from now on: no server is to blame. */
const clock = setInterval(() => {
  const now = performance.now();
  for (; sent < ((now - from) / 1000) * (rate ?? 0); sent += 1) {
    const go = idle.shift();
    if (go) go(now);
    else due.push(now);
  }
  if (isOver) for (const go of idle.splice(0)) go(undefined);
}, 1);
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
    return sendInTurn(new URL(url), share, rate === undefined ? atOnce : whenDue, answered);
  }),
);

clearInterval(clock);
clearTimeout(overdue);
const elapsed = (performance.now() - from) / 1000;
const { user, system } = process.cpuUsage(before);
const kept = times.subarray(0, answers);
const [p50, p99] = [percentile(kept, 0.5), percentile(kept, 0.99)];
const loadCpu = (user + system) / 1e6 / elapsed;
process.stdout.write(
  JSON.stringify({ perSecond: answers / elapsed, p50, p99, failures, requests: answers, loadCpu, elapsed }),
);
