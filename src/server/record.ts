import type { IncomingMessage, ServerResponse } from 'node:http';
import { asText } from '../../contract-tests/values/json.ts';
import { LONGEST_BODY, type Passed } from '../../contract-tests/wire/passed.ts';

type Serve = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

/** Maximum number of exchanges, and of 64 KB of their bodies, that wait to be recorded; beyond it, requests wait. */
const mostWaiting = 500;
const bytesThatCount = 65_536;

/** Who called, by the id of the user, where the mock answered. */
export const callers = new WeakMap<ServerResponse, string | undefined>();

/** Gives `onPassed` each exchange, with bodies of up to 5 MB, and waits for its promise; what it throws goes to `onError`. */
export function observed(
  listener: Serve,
  urlOf: (request: IncomingMessage) => string,
  onPassed: (passed: Passed) => unknown,
  onError: (error: unknown) => void,
): Serve {
  const held: (() => void)[] = [];
  let waiting = 0;
  const record = async (passed: Passed): Promise<void> => {
    const load = 1 + (passed.requestBody.length + passed.responseBody.length) / bytesThatCount;
    waiting += load;
    // Detached: errors of a recording must not reach the server.
    await Promise.resolve(passed).then(onPassed).catch(onError);
    waiting -= load;
    held.shift()?.();
  };
  const serve: Serve = (request, response, next) => {
    const startedAt = Date.now();
    const started = performance.now();
    const url = urlOf(request);
    const requestHeaders = plain(request.headers);
    const sent = collectBody(request);
    const answered = collectAnswer(response);
    response.once('finish', () => {
      void record({
        method: request.method ?? 'GET',
        url,
        httpVersion: `HTTP/${request.httpVersion}`,
        requestHeaders,
        requestBody: sent.bytes,
        requestSize: sent.size,
        status: response.statusCode,
        statusText: response.statusMessage ?? '',
        responseHeaders: answered.headers,
        responseBody: answered.body.bytes,
        responseSize: answered.body.size,
        startedAt,
        durationMs: Math.round((performance.now() - started) * 1000) / 1000,
        actor: callers.get(response),
      });
    });
    listener(request, response, next);
  };
  return (...given) => {
    if (waiting < mostWaiting) serve(...given);
    else held.push(() => serve(...given));
  };
}

/** Collects a body up to the size limit. */
class PassingBody {
  size = 0;
  #chunks: Buffer[] = [];

  add(chunk: Uint8Array): void {
    this.size += chunk.length;
    // A copy: the sender may reuse the buffer.
    if (this.size <= LONGEST_BODY) this.#chunks.push(Buffer.from(chunk));
    else this.#chunks = [];
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

/** The URL that a client asked for, wherever the listener is mounted; valid for any path and Host that a client sends. */
export function urlOf(request: IncomingMessage & { readonly originalUrl?: string }, scheme: 'http' | 'https'): string {
  const { headers, originalUrl: url = request.url ?? '/' } = request;
  if (/^https?:/i.test(url) && URL.canParse(url)) return url;
  const path = url.startsWith('/') ? url : `/${url}`;
  const asked = `${scheme}://${headers.host ?? 'localhost'}${path}`;
  return URL.canParse(asked) ? asked : `${scheme}://localhost${path}`;
}

const plain = (headers: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers as Record<string, unknown>)
      .filter(([, value]) => value !== undefined)
      // Cookies contain commas.
      .map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(asText).join(/^set-cookie$/i.test(name) ? '\n' : ', ') : asText(value),
      ]),
  );

/** Observes what the listener reads of a body: reading it here would take it away from the listener. */
function collectBody(request: IncomingMessage): PassingBody {
  const body = new PassingBody();
  const { emit } = request;
  request.emit = ((event: string, ...rest: unknown[]) => {
    if (event === 'data') body.add(rest[0] as Buffer);
    return emit.call(request, event, ...rest);
  }) as typeof emit;
  return body;
}

/** Observes what the listener writes. Headers passed to writeHead cannot be read later. */
function collectAnswer(response: ServerResponse): { readonly body: PassingBody; headers: Record<string, string> } {
  const answered: ReturnType<typeof collectAnswer> = { body: new PassingBody(), headers: {} };
  const { writeHead } = response;
  response.writeHead = ((status: number, ...rest: unknown[]) => {
    const given = rest.findLast((each) => typeof each === 'object' && each !== null) ?? {};
    answered.headers = { ...plain(response.getHeaders()), ...plain(given) };
    return (writeHead as (...args: unknown[]) => ServerResponse).call(response, status, ...rest);
  }) as typeof writeHead;
  for (const name of ['write', 'end'] as const) {
    const send = response[name] as (...given: unknown[]) => never;
    response[name] = (...given: unknown[]) => {
      const [chunk, encoding] = given;
      if (typeof chunk === 'string')
        answered.body.add(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
      else if (chunk instanceof Uint8Array) answered.body.add(chunk);
      if (!response.headersSent && Object.keys(answered.headers).length === 0)
        answered.headers = plain(response.getHeaders());
      return send.apply(response, given);
    };
  }
  return answered;
}
