import { cpuSecondsOf, startProcess } from './processes.ts';

/** The load on one operation. */
export interface LoadOptions {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections: number;
  /** Duration in seconds, or … */
  readonly seconds: number;
  /** … number of requests. */
  readonly amount?: number;
  /** Whether responses may be other than 2xx: replicas that meet in one world refuse some. Default: no. */
  readonly mayFail?: boolean;
  /** Instead of the path of `url`: the connections share these out and send to theirs in turn. */
  readonly paths?: readonly string[];
}

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Requests without a 2xx response: they invalidate the other figures. */
  readonly failures: number;
  readonly requests: number;
  /** What the load generator used of one core, and the server, if its process is known (else NaN): 1 is all of it. */
  readonly loadCpu: number;
  readonly serverCpu: number;
}

/**
 * Generates load from another process.
 * @param options the load
 * @param server process id of the server, whose CPU time is measured
 * @param onProgress called four times a second with the number of responses so far
 * @throws Error if a response is not 2xx: a server that fails fast must not win
 */
export async function load(
  options: LoadOptions,
  server?: number,
  onProgress?: (requests: number) => void,
): Promise<LoadResult> {
  const before = cpuSecondsOf(server);
  const generator = startProcess([new URL('load-process.js', import.meta.url).pathname], {}, true);
  generator.child.send(options);
  if (onProgress) generator.child.on('message', onProgress);
  const { output } = await generator.ended;
  const { seconds, ...result } = JSON.parse(output) as Omit<LoadResult, 'serverCpu'> & { seconds: number };
  if (result.failures > 0 && !options.mayFail)
    throw new Error(`${options.method} ${options.url}: ${result.failures} responses were not 2xx`);
  return { ...result, serverCpu: (cpuSecondsOf(server) - before) / seconds };
}
