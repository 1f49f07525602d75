import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Delivery, MockRequest } from '../core/message.ts';
import type { Worlds } from '../core/world/worlds.ts';
import { answer, type Outcome } from '../mock.ts';
import { deliver } from './deliver.ts';
import { judgeOf } from './judge.ts';
import { bodyReader } from './read-body.ts';

/** What there is to see of one exchange, once it is over. */
export interface Observed {
  readonly method: string;
  /** As the client sent it, sandbox prefix and query included. */
  readonly url: string;
  /** Undefined where the connection was closed without an answer. */
  readonly status: number | undefined;
  /** Value of the header X-Mock-Basis. */
  readonly basis: string;
  readonly milliseconds: number;
}

export type Observer = (observed: Observed) => void;

export interface NodeDoorOptions {
  /** Milliseconds that every answer of the API is held back. */
  readonly latencyMs?: number | undefined;
  readonly observe?: Observer | undefined;
}

/** The mock behind Node's own requests and responses. Needs nothing of Express. */
export function nodeDoor(worlds: Worlds, { latencyMs = 0, observe }: NodeDoorOptions = {}) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const seen = observe && observeEnd(request, response, observe);
    const url = request.url ?? '/';
    const serve = (): void => {
      answer(worlds, mockRequest(request, response, url), judgeOf(request, response)).then(
        (outcome) => {
          seen?.(outcome.delivery);
          send(response, outcome, worlds);
        },
        (error: unknown) => {
          worlds.services.log('error', `BUG: ${error instanceof Error ? error.stack : String(error)}`);
          response.destroy();
        },
      );
    };
    if (latencyMs > 0) setTimeout(serve, latencyMs);
    else serve();
  };
}

function mockRequest(request: IncomingMessage, response: ServerResponse, url: string): MockRequest {
  const { method = 'GET', headers, rawHeaders, socket } = request;
  return {
    method,
    url,
    headers,
    rawHeaders,
    body: bodyReader(request, response),
    client: socket.remoteAddress ?? '',
    get origin() {
      const scheme = (socket as TLSSocket).encrypted ? 'https' : 'http';
      return `${scheme}://${headers.host ?? 'localhost'}${mountPath(request, url)}`;
    },
  };
}

/** The path below which another app has mounted this one: Express and Connect have taken it off the URL. */
function mountPath({ originalUrl = '' }: IncomingMessage & { readonly originalUrl?: string }, url: string): string {
  return originalUrl.endsWith(url) ? originalUrl.slice(0, -url.length) : '';
}

function send(response: ServerResponse, { delivery, stream, exchange }: Outcome, worlds: Worlds): void {
  if (!stream) {
    deliver(response, delivery, exchange, worlds.services.log);
    return;
  }
  response.writeHead(delivery.status, delivery.headers);
  const source = Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
  source.on('error', () => response.destroy());
  response.once('close', () => source.destroy());
  source.pipe(response);
}

/** @returns to be told of the answer: what was written with its head cannot be asked for later */
function observeEnd(request: IncomingMessage, response: ServerResponse, observe: Observer): (answer: Delivery) => void {
  const started = performance.now();
  let basis = '';
  const { method = '', url = '' } = request;
  response.once('close', () => {
    const isWhole = response.writableFinished;
    const milliseconds = performance.now() - started;
    observe({ method, url, status: isWhole ? response.statusCode : undefined, basis, milliseconds });
  });
  return ({ headers }) => {
    basis = headers['X-Mock-Basis'] ?? '';
  };
}
