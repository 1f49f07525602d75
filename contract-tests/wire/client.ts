import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { Agent, OutgoingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { ifAnswered, TransportError } from '../errors.ts';
import type { Exchange, RecordedResponse } from '../model.ts';
import { type Answer, describe, OF_GATEWAY, wordsOf } from '../values/answer.ts';
import { asNamed } from '../values/header-names.ts';
import { escapeOf, extentOf, isJsonMediaType, MAX_VALUES, memberOf } from '../values/json.ts';
import { lazy } from '../values/once.ts';
import { pathBelow, trimmedBase } from '../values/url.ts';
import type { Carried, ClientRequest } from './exchange.ts';
import { isOfGateway, MAX_ATTEMPTS, Pace } from './pace.ts';
import { agentFor, PROXY_AUTHENTICATION_REQUIRED, proxyOf, proxyProblem, proxyRefusal } from './proxy.ts';
import { now, sleep } from './time.ts';
import { refuseUnplanned, requestKey, SIGN_INS, type WritePolicy } from './write-guard.ts';

export interface Endpoint {
  baseUrl: string;
  headers?: Record<string, string>;
  /** PEM files: of the authority to trust, and of a client certificate. */
  tls?: { insecure?: boolean; caFile?: string; certFile?: string; keyFile?: string; passphrase?: string };
  limits?: { timeoutMs?: number; requestsPerSecond?: number };
  followRedirects?: boolean;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** A longer response is cut off: no documented answer comes near it. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
/** What a run keeps of answers altogether, in characters: then nothing but clean-up is sent. */
const MAX_RUN_LENGTH = 64 * 1024 * 1024;
/** After so many requests of a run that were not answered in time, nothing but clean-up is sent. */
const MAX_UNANSWERED = 15;
/** After so many requests in a row that the API did not answer, and another one that it had answered before, the target is away. */
const MAX_OUTAGE = 4;
/** No server accepts a header of this length. */
const MAX_HEADER_LENGTH = 64 * 1024;
const PAUSE_MS = 1000;
/** Clients close their connections now and then: so does one GET of this many. After an update, what has no credentials follows good ones. */
const CLOSED_EACH = 8;

/** With the first request: before a run it is not needed, and it is as large as the suite. */
const loadSupertest = lazy(async () => (await import('supertest')).default);

/** What superagent's types leave out on Node: the request itself, made on demand. */
type NodeRequest = { request(): OutgoingMessage; write(part: Buffer | string): unknown };

/** One attempt: what came may be no HTTP message, which the next attempt may mend. */
type Sent = Exchange & { garbled?: RecordedResponse };

/** Sends requests to one endpoint, again where it is throttled, and reports each. Throws TransportError without an answer. */
export class Client {
  readonly #agent: Agent;
  readonly #proxy: URL | undefined;
  readonly #timeoutMs: number;
  readonly #underWay = new Set<Promise<Sent>>();
  #read = 0;
  #tick = 0;
  #halted = false;
  #receivedLength = 0;
  #unanswered = 0;
  #outage = 0;
  /** The last request without effect that the API answered. */
  #working: ClientRequest | undefined;
  #over: string | undefined;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly policy: WritePolicy,
    private readonly onExchange: (exchange: Exchange, carried: Carried) => void,
    private readonly pace = new Pace(endpoint.limits),
  ) {
    const { baseUrl, tls, limits } = endpoint;
    this.#timeoutMs = limits?.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#proxy = proxyOf(baseUrl);
    this.#agent = agentFor(baseUrl, { keepAlive: true, ...tlsOptions(tls) }, this.#proxy);
  }

  /** One that cleans up waits longer than the others where the target limits requests. */
  async send(request: ClientRequest, isCleanUp = false): Promise<Answer> {
    refuseUnplanned(request, this.policy);
    this.#refuseUnbounded(request, isCleanUp);
    const isOnce = this.policy.planned.get(requestKey(request)) === 'lasting';
    let before: Answer['response'] | undefined;
    for (let attempt = 1; ; attempt++) {
      await this.pace.turn();
      // The server may close an idle connection just when it is used: what is sent once, or for the last time, gets another one.
      const isLast = isOnce || (attempt > 1 && !before);
      if (isLast) for (const socket of Object.values(this.#agent.freeSockets).flat()) socket?.destroy();
      // The caller that halted this client ends the process: what waits here is never sent.
      if (this.#halted && !isCleanUp) await new Promise(() => {});
      this.#tick += 1;
      const begin = this.#tick;
      const sending = this.#sendFollowing(request);
      this.#underWay.add(sending);
      const { garbled, ...carried } = await sending;
      this.#underWay.delete(sending);
      this.#tick += 1;
      // What comes again is no trouble on the way.
      const exchange: Exchange = garbled && isLast ? { ...carried, response: garbled } : carried;
      const { response, error } = exchange;
      if (response) this.pace.note(response, before);
      const isTimeout = error === timedOut(this.#timeoutMs);
      const isFinal = isLast || isTimeout || error === TOO_LONG || error === TOO_MANY;
      const wait = response ? this.pace.waitAfter(response, { attempt, isCleanUp, isOnce }) : isFinal ? undefined : 0;
      const isTrouble = response
        ? this.pace.isThrottled(response) || (isOfGateway(response) && !isOnce && attempt < MAX_ATTEMPTS)
        : wait !== undefined;
      this.onExchange(exchange, { request, begin, end: this.#tick, isTrouble });
      if (isTimeout) this.#unanswered += 1;
      if (this.#unanswered >= MAX_UNANSWERED)
        this.#over ??= `${MAX_UNANSWERED} requests of this run were not answered within ${this.#timeoutMs} ms`;
      this.#receivedLength += response?.body.length ?? 0;
      if (this.#receivedLength > MAX_RUN_LENGTH)
        this.#over ??= `the target answered with more than ${MAX_RUN_LENGTH} characters in this run`;
      before = response;
      if (wait) await sleep(wait);
      if (wait !== undefined) continue;
      await this.#noteOutage(request, exchange);
      // What cannot be repeated is tried in another way: at a limit of requests that needs a pause, too.
      if (response && isOfGateway(response) && isOnce) await sleep(PAUSE_MS);
      if (response) return { ...exchange, response };
      throw new TransportError(`${request.method} ${exchange.request.url}: ${error}`);
    }
  }

  /** Why nothing but clean-up is sent any more: the target is away, too slow, or answers without measure. */
  get over(): string | undefined {
    return this.#over;
  }

  /** The target is away where nothing of the API answers any more, whichever operation is asked. */
  async #noteOutage(request: ClientRequest, { response, error }: Exchange): Promise<void> {
    if (response && !OF_GATEWAY.has(response.status)) {
      this.#outage = 0;
      const isSignIn = SIGN_INS.includes(requestKey(request)) && response.status < 300;
      if (request.method === 'GET' || isSignIn) this.#working = request;
      return;
    }
    this.#outage += 1;
    if (this.#outage !== MAX_OUTAGE) return;
    // One operation may always fail: another one, which worked, shows whether that is so.
    if (this.#working) await ifAnswered(this.send(this.#working));
    const last = response ? `${describe({ response })} ${wordsOf({ response })}`.trim() : error;
    if (this.#outage >= MAX_OUTAGE) this.#over ??= `the API answers no more: ${this.#outage} times in a row ${last}`;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Sends nothing but clean-up from now on; resolves once no request is under way. */
  async halt(): Promise<void> {
    this.#halted = true;
    await Promise.all(this.#underWay);
  }

  /**
   * Sends a request, and follows the redirects of a GET where the endpoint wants that: the last answer counts. Where that is
   * a page, the redirect counts: to a page for signing in go those who are refused.
   */
  async #sendFollowing(request: ClientRequest): Promise<Sent> {
    const first = await this.#sendOnce(request);
    const followed: string[] = [];
    let last = first;
    for (let path = this.#redirectOf(first); path !== undefined; path = this.#redirectOf(last)) {
      if (followed.push(path) > 3) return first;
      await this.pace.turn();
      last = await this.#sendOnce({ ...request, path });
    }
    const type = last.response?.headers['content-type'];
    const isPage = type !== undefined && !isJsonMediaType(type);
    return followed.length === 0 || isPage ? first : { ...last, request: first.request, followed };
  }

  /** Where a GET is redirected, as a path below the base URL; undefined where it is not followed. */
  #redirectOf({ request, response }: Exchange): string | undefined {
    const { location = '' } = response?.headers ?? {};
    const isFollowed = this.endpoint.followRedirects && request.method === 'GET';
    if (!isFollowed || ![301, 302, 303, 307, 308].includes(response?.status ?? 0)) return undefined;
    return pathBelow(this.endpoint.baseUrl, location, request.url)?.replace(/#.*/, '');
  }

  async #sendOnce(request: ClientRequest): Promise<Sent> {
    const [base, timeoutMs] = [trimmedBase(this.endpoint.baseUrl), this.#timeoutMs];
    const { method, path, raw } = request;
    const json = request.json === undefined ? undefined : JSON.stringify(request.json);
    const body = raw?.text ?? (request.isEscaped && json ? inAscii(json) : json);
    const { accept = 'application/json' } = request;
    const headers: Record<string, string> = {
      ...(accept !== '' && { Accept: accept }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...{ ...this.endpoint.headers, ...request.headers, ...(raw && { 'Content-Type': raw.contentType }) },
    };
    const isChunked = request.isChunked && body !== undefined;
    const sent = isChunked ? { ...headers, 'Transfer-Encoding': 'chunked' } : headers;
    const recorded = { method, url: base + path, headers: sent, body };
    const supertest = await loadSupertest();
    const started = now();
    const done = (): number => Math.round((now() - started) * 1000) / 1000;
    if (method === 'GET') this.#read += 1;
    const call = supertest(base)
      [method.toLowerCase() as 'get'](path)
      .agent(this.#agent)
      .redirects(0)
      .maxResponseSize(MAX_RESPONSE_BYTES)
      .buffer(true)
      .parse(readText as never) // superagent's type for a parser lacks the node signature (stream, callback)
      // Some gateways refuse requests without one.
      .set({ 'Accept-Encoding': 'gzip, br', 'User-Agent': 'platform-mock' })
      .set(asNamed(headers));
    const deadline = new Deadline(timeoutMs, () => call.abort());
    try {
      if (request.isSegmented && body !== undefined)
        await writeInTwo(call.set('Content-Length', `${Buffer.byteLength(body)}`) as unknown as NodeRequest, body);
      else if (isChunked) call.write(body);
      else if (body !== undefined) call.serialize((text) => text).send(body);
      // The header alone would leave the connection to the next request, while the server closes it.
      if (method === 'GET' && this.#read % CLOSED_EACH === 0)
        (call as unknown as NodeRequest).request().shouldKeepAlive = false;
      const response = await call;
      const { text = '', isMalformed } = response.body as Partial<Text>;
      const durationMs = done();
      if (extentOf(text).values > MAX_VALUES) return { request: recorded, error: TOO_MANY, durationMs };
      const { status, headers: received } = response;
      if (this.#proxy && status === PROXY_AUTHENTICATION_REQUIRED)
        return { request: recorded, error: proxyRefusal(status, this.#proxy), durationMs };
      const answered = { status, headers: flatten(received), body: text, ...(isMalformed && { isMalformed }) };
      return { request: recorded, response: answered, durationMs };
    } catch (error) {
      const failure = error as NodeJS.ErrnoException;
      const problem = deadline.isOver ? timedOut(timeoutMs) : (proxyProblem(failure, this.#proxy) ?? explain(failure));
      return { request: recorded, error: problem, durationMs: done(), ...garbledIn(failure) };
    } finally {
      deadline.end();
    }
  }

  /** Throws where nothing more is sent to the target, or it wants more to be sent than a server accepts. */
  #refuseUnbounded({ method, path, headers = {} }: ClientRequest, isCleanUp: boolean): void {
    const refuse = (problem: string): never => {
      const url = trimmedBase(this.endpoint.baseUrl) + path;
      throw new TransportError(`${method} ${url}: not sent: ${problem}`);
    };
    for (const [name, { length }] of Object.entries(headers))
      if (length > MAX_HEADER_LENGTH) refuse(`its header ${name} would have ${length} characters`);
    if (!isCleanUp && this.#over !== undefined) refuse(this.#over);
  }
}

/** How Node's client verifies a server, and identifies itself. */
export function tlsOptions({ insecure, caFile, certFile, keyFile, passphrase }: NonNullable<Endpoint['tls']> = {}) {
  const read = (file: string | undefined) => (file === undefined ? undefined : readFileSync(file, 'utf8'));
  return { rejectUnauthorized: !insecure, ca: read(caFile), cert: read(certFile), key: read(keyFile), passphrase };
}

/** Ends what takes longer, in steps: while this process is paused on a busy machine, at most one step passes. */
class Deadline {
  #left = 10;
  readonly #timer: NodeJS.Timeout;

  constructor(milliseconds: number, onEnd: () => void) {
    this.#timer = setInterval(() => {
      this.#left -= 1;
      if (this.isOver) onEnd();
    }, milliseconds / this.#left);
  }

  get isOver(): boolean {
    return this.#left <= 0;
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

/** Milliseconds between two parts of a body, and how many of these to wait until the first one is on its way. */
const APART_MS = 20;
const MOST_WAITS = 50;

async function writeInTwo(call: NodeRequest, body: string): Promise<void> {
  const bytes = Buffer.from(body);
  const half = Math.ceil(bytes.length / 2);
  let failure: Error | undefined;
  // There may be another one, when the request is aborted.
  call.request().on('error', (error) => {
    failure = error;
  });
  // The header comes by itself, too: what a server reads next is a part of the body. From then on superagent keeps the answer
  // of a server that reads no body.
  call.write('');
  await setTimeout(APART_MS);
  call.write(bytes.subarray(0, half));
  for (let waits = 1; waits === 1 || (call.request().writableLength > 0 && waits < MOST_WAITS); waits += 1)
    // Also where a test does not wait: the parts would arrive as one.
    await setTimeout(APART_MS);
  if (failure) throw failure;
  call.write(bytes.subarray(half));
}

/** Its errors, and one that is far too long, are superagent's to report. */
function readText(response: NodeJS.ReadableStream, callback: (error: Error | null, text: Text) => void): void {
  const parts: Buffer[] = [];
  response.on('data', (part: Buffer) => parts.push(part));
  response.on('end', () => {
    const bytes = Buffer.concat(parts);
    callback(null, { text: bytes.toString('utf8'), ...(!isUtf8(bytes) && { isMalformed: true }) });
  });
}

type Text = { text: string; isMalformed?: true };

const flatten = (headers: Record<string, string | string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));

const TOO_LONG = `the response is longer than ${MAX_RESPONSE_BYTES} bytes`;
const TOO_MANY = `the response holds more than ${MAX_VALUES} values`;
const timedOut = (timeoutMs: number): string => `no complete response within ${timeoutMs} ms`;
const CLOSED = 'the connection was closed before the response was complete';
const PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host name is not known',
  ECONNRESET: CLOSED,
  ECONNABORTED: CLOSED,
  ETOOLARGE: TOO_LONG,
};

function explain({ code, message = '' }: NodeJS.ErrnoException): string {
  // supertest replaces system errors by ones that carry the code in the message only.
  const name = code ?? /^(E[A-Z_]+):/.exec(message)?.[1] ?? '';
  const trust = /CERT|SIGNATURE/.test(name) ? '; name its authority in tls.caFile of the target file' : '';
  const shown = message.includes(name) ? message : `${message} (${name})`;
  return `${memberOf(PROBLEMS, name) ?? (shown || 'no response')}${trust}`;
}

/** An answer that Node's client refuses, and others may read: its header is long, or gives its length twice. */
const REFUSED_BY_NODE = ['HPE_HEADER_OVERFLOW', 'HPE_UNEXPECTED_CONTENT_LENGTH'];
const MAX_GARBLED = 10_000;

/** What answered with a status, and is no HTTP message: a wrong Content-Length, or a line break in a header. */
function garbledIn({ code = '', message, rawPacket }: NodeJS.ErrnoException & { rawPacket?: Buffer }) {
  const text = rawPacket?.toString('utf8', 0, MAX_GARBLED) ?? '';
  const [, status] = /^HTTP\/1\.[01] ([2-5]\d\d) /.exec(text) ?? [];
  if (!code.startsWith('HPE_') || REFUSED_BY_NODE.includes(code) || status === undefined) return undefined;
  return { garbled: { status: Number(status), headers: {}, body: `no HTTP message (${message}): ${text}` } };
}

/** The names of members, too: each begins with an escape. */
const inAscii = (json: string): string =>
  json
    .replaceAll('/', '\\/')
    .replace(/(?<!\\)"\w(?=\w*":)/g, ([quote = '', first = '']) => quote + escapeOf(first))
    .replace(/[@\u007f-\uffff]/g, escapeOf);
