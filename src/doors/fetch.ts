import { utf8 } from '../core/crypto.ts';
import type { Exchange } from '../core/exchange.ts';
import { type Delivery, isPlain, type MockRequest } from '../core/message.ts';
import type { Worlds } from '../core/world/worlds.ts';
import { answer } from '../mock.ts';

/** As `fetch`, but answered by the mock: no port, no network. Rejects as fetch does where a fault drops the connection. */
export type MockFetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

export interface FetchDoorOptions {
  /** Milliseconds that every answer is held back. */
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
    if (latencyMs > 0) await sleep(latencyMs);
    const { delivery, stream, exchange } = await answer(worlds, await mockRequest(request, basePath));
    if (stream) return new Response(stream, { status: delivery.status, headers: { ...delivery.headers } });
    return responseTo(request, delivery, exchange);
  };
}

async function mockRequest(request: Request, basePath: string): Promise<MockRequest> {
  const { origin, pathname, search } = new URL(request.url);
  const isBelow = pathname.startsWith(`${basePath}/`);
  const url = (isBelow ? pathname.slice(basePath.length) : pathname) + search;
  const sent = [...request.headers];
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  return {
    method: request.method,
    url,
    headers: Object.fromEntries(sent),
    rawHeaders: sent.flat(),
    body,
    client: 'in process',
    origin: origin + basePath,
  };
}

const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

async function responseTo(request: Request, delivery: Delivery, exchange: Exchange | undefined): Promise<Response> {
  const { status, text, delayMs, closeAfter } = delivery;
  const headers = { ...delivery.headers };
  if (delayMs !== undefined) await sleep(delayMs);
  if (request.signal.aborted || closeAfter !== undefined) exchange?.dropped();
  request.signal.throwIfAborted();
  if (closeAfter === 0) throw new TypeError('Failed to fetch: the mock closed the connection, as a fault has it.');
  if (closeAfter === undefined) exchange?.sent(status, headers, text);
  const isBodiless = request.method === 'HEAD' || status === 204 || status === 304;
  const body = isBodiless ? null : isPlain(delivery) ? text : inPieces(delivery);
  return new Response(body, { status, headers });
}

/** A body that comes bit by bit, or breaks off. */
function inPieces({ text, pieces, closeAfter }: Delivery): ReadableStream<Uint8Array> {
  const parts =
    closeAfter === undefined ? split(text, pieces?.size ?? text.length) : [utf8(text).subarray(0, closeAfter)];
  let at = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = parts[at];
      at += 1;
      if (part !== undefined) {
        if (at > 1 && pieces && pieces.everyMs > 0) await sleep(pieces.everyMs);
        controller.enqueue(part);
      } else if (closeAfter === undefined) controller.close();
      else controller.error(new TypeError('The mock closed the connection, as a fault has it.'));
    },
  });
}

function split(text: string, size: number): Uint8Array[] {
  const characters = [...text];
  const parts: Uint8Array[] = [];
  for (let at = 0; at < characters.length; at += size) parts.push(utf8(characters.slice(at, at + size).join('')));
  return parts;
}
