import { startProcess } from './processes.ts';

/** What load to put on which operation. */
export interface LoadWish {
  readonly url: string;
  readonly method: 'GET' | 'PATCH';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections: number;
  /** For that long, or … */
  readonly seconds: number;
  /** … until so many requests were answered. */
  readonly amount?: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Requests that were not answered with 2xx: then the other figures say nothing. */
  readonly failures: number;
  readonly requests: number;
}

/**
 * Puts load on a server from another process.
 * @throws Error when a request was not answered with 2xx: a server that fails fast must not win
 */
export async function load(wish: LoadWish): Promise<LoadResult> {
  const { output } = await startProcess([new URL('load-process.js', import.meta.url).pathname, JSON.stringify(wish)])
    .ended;
  const result = JSON.parse(output) as LoadResult;
  if (result.failures > 0) throw new Error(`${wish.method} ${wish.url}: ${result.failures} requests were not answered`);
  return result;
}
