import type { MockRequest } from '../core/message.ts';
import type { Worlds } from '../core/world/worlds.ts';
import { answer } from '../mock.ts';
import { receiveBody } from './receive-body.ts';
import { respond, sleep } from './respond.ts';

/**
 * As `fetch`, but answered by the mock: no port, no network. Rejects like fetch: when a fault drops the connection, and with the
 * signal's reason when it is aborted. Redirects are not followed.
 */
export type MockFetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

export interface FetchDoorOptions {
  /** Delay of every answer in milliseconds. */
  readonly latency?: number | undefined;
  /** Path prefix of the mock, without a trailing slash. */
  readonly basePath?: string | undefined;
}

/** The mock for the web's Request and Response, in Node, browsers and service workers: by the path, for every origin. */
export function fetchDoor(worlds: Worlds, { latency = 0, basePath = '' }: FetchDoorOptions = {}): MockFetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    if (latency > 0) await sleep(latency, request.signal);
    return respond(request, await answer(worlds, await mockRequest(request, basePath, latency)));
  };
}

async function mockRequest(request: Request, basePath: string, waitedMs: number): Promise<MockRequest> {
  const { origin, pathname, search } = new URL(request.url);
  const isBelow = pathname.startsWith(`${basePath}/`);
  // In a simulated DOM, Headers keep the case of names.
  const sent = [...request.headers].map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    method: request.method,
    url: (isBelow ? pathname.slice(basePath.length) : pathname) + search,
    headers: Object.fromEntries(sent),
    rawHeaders: sent.flat(),
    body: await receiveBody(request),
    client: 'in process',
    origin: origin + basePath,
    waitedMs,
  };
}
