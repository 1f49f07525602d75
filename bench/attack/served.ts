import { once } from 'node:events';
import { type Running, startProcess } from '../processes.ts';

/** The built mock, served by a process of its own on a free loopback port. */
export interface Served extends Running {
  readonly baseUrl: string;
}

/** Starts `platform-mock serve` as users run it. */
export async function serveMock(...flags: readonly string[]): Promise<Served> {
  const main = new URL('../../../../dist/src/cli/start.cjs', import.meta.url).pathname;
  const running = startProcess([main, 'serve', '--port', '0', '--json-logs', ...flags]);
  let output = '';
  for (;;) {
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output);
    if (found) return { ...running, baseUrl: found[0] };
    const { stdout } = running.child;
    if (!stdout) throw new Error('the mock has no output');
    const [chunk] = await Promise.race([once(stdout, 'data'), running.ended.then(() => ['ended'])]);
    if (chunk === 'ended') throw new Error(`the mock ended: ${output}`);
    output = (output + String(chunk)).slice(-10_000);
  }
}

/** Sends JSON, or text as it is. */
export const send = (
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
) =>
  fetch(url, {
    method,
    ...(signal && { signal }),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
