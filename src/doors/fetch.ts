import type { MockRequest } from '../core/message.ts';
import type { Worlds } from '../core/world/worlds.ts';
import { answer } from '../mock.ts';
import { receiveBody } from './receive-body.ts';
import { respond, sleep } from './respond.ts';

/**
 * As `fetch`, but answered by the mock: no port, no network. Rejects as fetch does: where a fault drops the connection, and
 * with the signal's reason once that is aborted. Redirects are not followed.
 */
export type MockFetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

export interface FetchDoorOptions {
  /** Milliseconds by which every answer is delayed. */
  readonly latencyMs?: number | undefined;
  /** The path below which the mock is reached, without a slash at its end. */
  readonly basePath?: string | undefined;
}

/**
 * The mock behind the web's own requests and responses, wherever there are such: Node, browser, service worker. It
 * answers every origin, by the path alone.
 */
export function fetchDoor(worlds: Worlds, { latencyMs = 0, basePath = '' }: FetchDoorOptions = {}): MockFetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    if (latencyMs > 0) await sleep(latencyMs, request.signal);
    return respond(request, await answer(worlds, await mockRequest(request, basePath)));
  };
}

async function mockRequest(request: Request, basePath: string): Promise<MockRequest> {
  const { origin, pathname, search } = new URL(request.url);
  const isBelow = pathname.startsWith(`${basePath}/`);
  const sent = [...request.headers];
  return {
    method: request.method,
    url: (isBelow ? pathname.slice(basePath.length) : pathname) + search,
    headers: Object.fromEntries(sent),
    rawHeaders: sent.flat(),
    body: await receiveBody(request),
    client: 'in process',
    origin: origin + basePath,
  };
}
