// Load generator process: `load-process.js '<LoadOptions as JSON>'` prints a LoadResult as JSON.
import autocannon from 'autocannon';
import type { LoadOptions, LoadResult } from './load.ts';
import { percentile } from './statistics.ts';

const { url, method, headers, body, connections, seconds, amount } = JSON.parse(process.argv[2] ?? '') as LoadOptions;
// autocannon's own histogram is in whole milliseconds, which is too coarse here.
const times: number[] = [];
const keptTimes = 2_000_000;

const instance = autocannon(
  {
    url,
    method,
    headers: { ...headers },
    connections,
    ...(body !== undefined && { body }),
    ...(amount === undefined ? { duration: seconds } : { amount }),
  },
  (error, result) => {
    if (error) throw error;
    const answered: LoadResult = {
      // With an amount, this is the measured duration.
      perSecond: amount === undefined ? result.requests.average : amount / result.duration,
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      failures: result.non2xx + result.errors + result.timeouts,
      requests: result.requests.total,
    };
    process.stdout.write(JSON.stringify(answered));
  },
);
instance.on('response', (_client, _status, _bytes, milliseconds) => {
  if (times.length < keptTimes) times.push(milliseconds);
});
