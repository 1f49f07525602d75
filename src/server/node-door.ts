import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers';
import type { Request, RequestHandler, Response } from 'express';
import { traceOf } from '../../contract-tests/values/json.ts';
import { isProbe } from '../control/is-control.ts';
import type { BodyReader, MockRequest, ReadBody } from '../core/message.ts';
import type { Worlds } from '../core/world/worlds.ts';
import { answer, type Outcome } from '../mock.ts';
import { type ClientAddress, directClient } from './client-address.ts';
import { isCrossSite, isPreflight, isTrustedOrigin } from './cors.ts';
import { deliver } from './deliver.ts';
import type { Observer } from './options.ts';
import { parsedBody } from './parsed-body.ts';
import { callers } from './record.ts';

export interface NodeDoorOptions {
  /** Delay of every response of the API in milliseconds. */
  readonly latency?: number | undefined;
  readonly observe?: Observer | undefined;
  /** Origins whose pages may call the API, in addition to local ones. */
  readonly cors?: readonly string[] | undefined;
  /** The sender of a request. Default: the other end of its connection. */
  readonly client?: ClientAddress | undefined;
  /** Whether the exchanges are recorded. */
  readonly record?: unknown;
}

/** The mock for Node's requests and responses, without Express. */
export function nodeDoor(worlds: Worlds, options: NodeDoorOptions = {}) {
  const { latency = 0, observe, cors, client = directClient, record } = options;
  return (request: IncomingMessage, response: ServerResponse): void => {
    const url = request.url ?? '/';
    // Probes are neither delayed nor reported.
    const isPlain = (observe === undefined && latency === 0) || isProbe(url);
    const onOutcome = isPlain || !observe ? undefined : observeEnd(request, response, { observe, cors, latency });
    const serve = (): void => {
      answer(worlds, new NodeRequest(request, response, url, cors, client, isPlain ? 0 : latency)).then(
        (outcome) => {
          onOutcome?.(outcome);
          if (record) callers.set(response, outcome.exchange?.caller?.user.id);
          send(response, outcome, worlds);
        },
        (error: unknown) => {
          worlds.services.log('error', `BUG: ${traceOf(error)}`);
          response.destroy();
        },
      );
    };
    if (isPlain || latency === 0) serve();
    else setTimeout(serve, latency);
  };
}

/** A request of Node's server as plain values; rarely needed ones are computed on demand. */
class NodeRequest implements MockRequest {
  readonly method: string;
  readonly headers: MockRequest['headers'];
  readonly rawHeaders: readonly string[];
  body: MockRequest['body'];

  constructor(
    private readonly request: IncomingMessage,
    response: ServerResponse,
    readonly url: string,
    private readonly cors: readonly string[] | undefined,
    private readonly between: ClientAddress,
    readonly waitedMs: number,
  ) {
    this.method = request.method ?? 'GET';
    this.headers = request.headers;
    this.rawHeaders = request.rawHeaders;
    this.body = parsedBody(request) ?? bodyReader(request, response);
  }

  get client(): string {
    return this.between.of(this.request);
  }

  get isRepeatedIfClosed(): boolean {
    const { socket, headers } = this.request;
    return socket.bytesWritten > 0 && /Chrome\//.test(headers['user-agent'] ?? '');
  }

  get isCrossSite(): boolean {
    return isCrossSite(this.request.headers, this.cors);
  }

  get origin(): string {
    const { headers } = this.request;
    return `${this.between.scheme(this.request)}://${headers.host ?? 'localhost'}${mountPath(this.request, this.url)}`;
  }
}

/** The path below which another app mounted this one; Express and Connect remove it from the URL. */
function mountPath({ originalUrl = '' }: IncomingMessage & { readonly originalUrl?: string }, url: string): string {
  return originalUrl.endsWith(url) ? originalUrl.slice(0, -url.length) : '';
}

/** Reads the body of a request on demand; undefined without a body. Express's parser decodes encoded and chunked bodies. */
function bodyReader(request: IncomingMessage, response: ServerResponse): BodyReader | undefined {
  const { 'content-length': length, 'content-encoding': encoding, 'transfer-encoding': transfer } = request.headers;
  if (transfer === undefined && (length === undefined || Number(length) === 0)) return undefined;
  if (transfer !== undefined || encoding !== undefined) return (limit) => readAny(request, response, limit);
  return (limit) =>
    Number(length) > limit ? Promise.resolve({ problem: 'too-large' }) : collect(request, Number(length));
}

const collect = (request: IncomingMessage, length: number): Promise<ReadBody> =>
  new Promise((done) => {
    const chunks: Buffer[] = [];
    let missing = length;
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      missing -= chunk.length;
      if (missing === 0) done({ bytes: chunk.length === length ? chunk : Buffer.concat(chunks) });
    });
    request.on('close', () => done({ problem: 'unreadable' }));
  });

const readers = new Map<number, RequestHandler>();

async function readAny(request: IncomingMessage, response: ServerResponse, limit: number): Promise<ReadBody> {
  const { default: express } = await import('express');
  const reader = readers.get(limit) ?? express.raw({ type: () => true, limit, inflate: true });
  readers.set(limit, reader);
  return new Promise((done) => {
    // The parser does not need Express's additions.
    void reader(request as Request, response as Response, (error?: unknown) => {
      const { type } = (error ?? {}) as { type?: string };
      const body: unknown = (request as Request).body;
      if (!error) done({ bytes: Buffer.isBuffer(body) ? body : undefined });
      else if (type === 'entity.too.large') done({ problem: 'too-large' });
      else done({ problem: type === 'encoding.unsupported' ? 'encoding' : 'unreadable' });
    });
  });
}

function send(response: ServerResponse, { delivery, stream, exchange }: Outcome, worlds: Worlds): void {
  if (!stream) {
    deliver(response, delivery, exchange, worlds.services.log);
    return;
  }
  response.writeHead(delivery.status, delivery.headers);
  const source = Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
  source.on('error', (error) => {
    worlds.services.log('error', `BUG: a stream broke off: ${error.stack}`);
    response.destroy();
  });
  response.once('close', () => source.destroy());
  source.pipe(response);
}

/** Reports an exchange's end; returns a function that takes the outcome: headers given to writeHead cannot be read later. */
export function observeEnd(
  request: IncomingMessage,
  response: ServerResponse,
  { observe, cors, latency = 0 }: NodeDoorOptions & { observe: Observer },
): (outcome: Outcome) => void {
  const started = performance.now();
  let outcome: Outcome | undefined;
  const { method = '', url = '', headers } = request;
  const { origin, host } = headers;
  response.once('close', () => {
    observe({
      method,
      url,
      status: response.writableFinished ? response.statusCode : undefined,
      basis: String(outcome?.delivery.headers['X-Mock-Basis'] ?? response.getHeader('X-Mock-Basis') ?? ''),
      milliseconds: performance.now() - started,
      delayMs: latency + (outcome?.delivery.delayMs ?? 0),
      operation: outcome?.exchange?.operation,
      faults: outcome?.exchange?.faults ?? [],
      isPreflight: isPreflight(request),
      refusedOrigin: origin !== undefined && !isTrustedOrigin(origin, host, cors) ? origin : undefined,
    });
  });
  return (known) => {
    outcome = known;
  };
}
