import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import express, { type Request, type Response } from 'express';
import type { BodyReader, Delivery, MockRequest, ReadBody } from '../core/message.ts';
import type { Worlds } from '../core/world/worlds.ts';
import { answer, type Outcome } from '../mock.ts';
import { isCrossSite } from './cors.ts';
import { deliver } from './deliver.ts';
import { judgeOf } from './judge.ts';

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
  /** Origins whose pages may call the API, beside the local ones. */
  readonly cors?: readonly string[] | undefined;
}

/** The mock behind Node's own requests and responses. Needs nothing of Express. */
export function nodeDoor(worlds: Worlds, { latencyMs = 0, observe, cors }: NodeDoorOptions = {}) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const seen = observe && observeEnd(request, response, observe);
    const url = request.url ?? '/';
    const serve = (): void => {
      answer(worlds, mockRequest(request, response, url, cors), judgeOf(request, response)).then(
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

function mockRequest(
  request: IncomingMessage,
  response: ServerResponse,
  url: string,
  cors: readonly string[] | undefined,
): MockRequest {
  const { method = 'GET', headers, rawHeaders, socket } = request;
  return {
    method,
    url,
    headers,
    rawHeaders,
    body: bodyReader(request, response),
    client: socket.remoteAddress ?? '',
    get isCrossSite() {
      return isCrossSite(headers, cors);
    },
    get origin() {
      return `${(socket as TLSSocket).encrypted ? 'https' : 'http'}://${headers.host ?? 'localhost'}`;
    },
  };
}

/**
 * Reads the body of a request when it is asked for; undefined where there is none. One that is plain and says how long
 * it is, is collected as it comes; Express's reader takes all others.
 */
function bodyReader(request: IncomingMessage, response: ServerResponse): BodyReader | undefined {
  const { 'content-length': length, 'content-encoding': encoding, 'transfer-encoding': transfer } = request.headers;
  if (transfer === undefined && (length === undefined || Number(length) === 0)) return undefined;
  if (transfer !== undefined || encoding !== undefined) return (limit) => readAny(request, response, limit);
  return (limit) => (Number(length) > limit ? Promise.resolve({ problem: 'too-large' }) : collect(request));
}

const collect = (request: IncomingMessage): Promise<ReadBody> =>
  new Promise((done) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [first] = chunks;
      done({ bytes: first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks) });
    });
    const broken = () => done({ problem: 'unreadable' });
    request.on('error', broken);
    request.on('close', broken);
  });

const readers = new Map<number, ReturnType<typeof express.raw>>();

const readAny = (request: IncomingMessage, response: ServerResponse, limit: number): Promise<ReadBody> =>
  new Promise((done) => {
    const reader = readers.get(limit) ?? express.raw({ type: () => true, limit, inflate: true });
    readers.set(limit, reader);
    // The reader uses nothing that Express adds.
    void reader(request as Request, response as Response, (error?: unknown) => {
      const { type } = (error ?? {}) as { type?: string };
      const body: unknown = (request as Request).body;
      if (!error) done({ bytes: Buffer.isBuffer(body) ? body : undefined });
      else if (type === 'entity.too.large') done({ problem: 'too-large' });
      else done({ problem: type === 'encoding.unsupported' ? 'encoding' : 'unreadable' });
    });
  });

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
