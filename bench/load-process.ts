// Load generator process: takes LoadOptions as a message, sends how many responses there are, and prints a LoadResult as JSON.
import { once } from 'node:events';
import autocannon from 'autocannon';
import type { LoadOptions } from './load.ts';
import { percentile } from './statistics.ts';

const [options] = (await once(process, 'message')) as [LoadOptions];
const { url, method, headers, body, connections, seconds, amount, paths } = options;
// autocannon's own histogram is in whole milliseconds, which is too coarse here.
const times: number[] = [];
const keptTimes = 2_000_000;
let responses = 0;
let connected = 0;

const before = process.cpuUsage();
const from = performance.now();
const instance = autocannon(
  {
    url,
    method: method as 'GET',
    headers: { ...headers },
    connections,
    ...(body !== undefined && { body }),
    ...(amount === undefined ? { duration: seconds } : { amount }),
    ...(paths !== undefined && {
      setupClient: (client: autocannon.Client) => {
        const first = connected % paths.length;
        connected += 1;
        const own = paths.filter((_, at) => at % connections === first % connections);
        client.setRequests(own.map((path) => ({ path, ...(body !== undefined && { body }) })));
      },
    }),
  },
  (error, result) => {
    if (error) throw error;
    const elapsed = (performance.now() - from) / 1000;
    const { user, system } = process.cpuUsage(before);
    const answered = {
      // Not autocannon's average, which is that of whole seconds only.
      perSecond: responses / result.duration,
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      failures: result.non2xx + result.errors + result.timeouts,
      requests: result.requests.total,
      loadCpu: (user + system) / 1e6 / elapsed,
      seconds: elapsed,
    };
    clearInterval(progress);
    process.stdout.write(JSON.stringify(answered));
    process.disconnect();
  },
);
instance.on('response', (_client, _status, _bytes, milliseconds) => {
  responses += 1;
  if (times.length < keptTimes) times.push(milliseconds);
});
const progress = setInterval(() => process.send?.(responses), 250);
