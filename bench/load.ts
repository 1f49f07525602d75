import { startProcess } from './processes.ts';

/** The load on one operation. */
export interface LoadOptions {
  readonly url: string;
  readonly method: 'GET' | 'PATCH';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections: number;
  /** Duration in seconds, or … */
  readonly seconds: number;
  /** … number of requests. */
  readonly amount?: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Requests without a 2xx response: they invalidate the other figures. */
  readonly failures: number;
  readonly requests: number;
}

/**
 * Generates load from another process.
 * @throws Error if a response is not 2xx: a server that fails fast must not win
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { output } = await startProcess([new URL('load-process.js', import.meta.url).pathname, JSON.stringify(options)])
    .ended;
  const result = JSON.parse(output) as LoadResult;
  if (result.failures > 0)
    throw new Error(`${options.method} ${options.url}: ${result.failures} responses were not 2xx`);
  return result;
}
