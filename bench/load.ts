import {
  type BenchServer,
  cpuSecondsOf,
  credentials,
  type OperationName,
  outputOf,
  requests,
  startProcess,
} from './peers.ts';

export interface LoadOptions {
  readonly operation: OperationName;
  /** Duration in seconds, or … */
  readonly seconds: number;
  /** … number of requests. */
  readonly amount?: number;
  /** Concurrent connections, each with one request at a time. */
  readonly connections?: number;
  /** Requests a second, whether or not those before are answered; waiting for a connection counts. Else as many as are answered. */
  readonly rate?: number | undefined;
  /** Prefixes of the path: the connections share these out and send to theirs in turn. */
  readonly prefixes?: readonly string[];
  /** Characters of a summary that an update sends as well. */
  readonly summary?: number;
  /** Whether responses may be other than 2xx: replicas that meet in one world refuse some. */
  readonly mayFail?: boolean;
}

/** What the load generator (load-process.ts) reads, as JSON. */
export interface LoadOrder {
  readonly url: string;
  /** Bytes of the requests, by prefix. */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  readonly amount: number | null;
  readonly rate: number | null;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Requests without a 2xx response: they invalidate the other figures. */
  readonly failures: number;
  readonly requests: number;
  /** Share of one core that the load generator and the server used: 1 is all of it. */
  readonly loadCpu: number;
  readonly serverCpu: number;
}

export const manyConnections = 16;

/** Generates load from another process. @throws Error if a response is not 2xx: a server that fails fast must not win */
export async function load(
  { baseUrl, child }: BenchServer,
  options: LoadOptions,
  onProgress: (requests: number) => void = () => {},
): Promise<LoadResult> {
  const { operation, seconds, amount = null, connections = manyConnections, prefixes = [''], mayFail } = options;
  const { rate = null, summary } = options;
  const { method, path, ...sent } = requests[operation];
  const body = summary === undefined ? (sent.body ?? '') : JSON.stringify({ summary: 'x'.repeat(summary) });
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const headers = Object.entries({ host: new URL(baseUrl).host, ...(await credentials()), ...length });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const texts = prefixes.map((prefix) => `${method} ${prefix}${path} HTTP/1.1\r\n${lines}\r\n${body}`);
  const order: LoadOrder = { url: baseUrl, requests: texts, connections, seconds, amount, rate };
  const before = cpuSecondsOf(child);
  const generator = startProcess([new URL('load-process.js', import.meta.url).pathname]);
  generator.child.stderr.on('data', (count: string) => onProgress(Number(count)));
  generator.child.stdin.end(JSON.stringify(order));
  const { elapsed, ...result } = JSON.parse(await outputOf(generator)) as LoadResult & { elapsed: number };
  if (result.failures > 0 && !mayFail)
    throw new Error(`${method} ${baseUrl}${path}: ${result.failures} responses were not 2xx`);
  return { ...result, serverCpu: (cpuSecondsOf(child) - before) / elapsed };
}
