import { readFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { TransportError } from '../errors.ts';
import type { Exchange } from '../model.ts';
import type { Answer } from '../values/answer.ts';
import { extentOf, MAX_VALUES } from '../values/json.ts';
import { locationBelow, trimmedBase, withoutUserInfo } from '../values/url.ts';
import type { Carried, ClientRequest } from './exchange.ts';
import { lookupLoopback } from './loopback.ts';
import { Pace } from './pace.ts';
import { sleep } from './time.ts';
import { refuseUnplanned, requestKey, type WritePolicy } from './write-guard.ts';

/** Where requests go, and how. */
export interface Endpoint {
  baseUrl: string;
  /** Sent with every request. */
  headers?: Record<string, string>;
  tls?: { insecure?: boolean; caFile?: string };
  limits?: { timeoutMs?: number; requestsPerSecond?: number };
  /** Whether a GET request follows a redirect below the base URL. */
  followRedirects?: boolean;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** A longer response is cut off: no documented answer comes near it. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
/** What a run keeps of answers altogether, in characters: then nothing but clean-up is sent. */
const MAX_RUN_LENGTH = 64 * 1024 * 1024;
/** After so many requests of a run that were not answered in time, nothing but clean-up is sent. */
const MAX_UNANSWERED = 15;
/** No server accepts a header of this length. */
const MAX_HEADER_LENGTH = 64 * 1024;
const MAX_ATTEMPTS = 4;
/** A pause after which a limit of requests lets one through, in milliseconds. */
const PAUSE_MS = 1000;
const MAX_REDIRECTS = 3;
/** Clients close their connections now and then: so does one request of this many. */
const CLOSED_EACH = 8;

/**
 * Sends requests to one endpoint and reports each exchange. Redirects are not followed unless the endpoint wants it, cookies are not kept. After 429
 * (and 503 with Retry-After) a request is retried within a budget; after a broken connection once, unless the policy calls
 * it unrepeatable. Throws TransportError when no response came.
 */
export class Client {
  /** One that keeps connections, and one that closes each. */
  readonly #agents: { keeping: HttpAgent | HttpsAgent; closing: HttpAgent | HttpsAgent };
  #sent = 0;
  readonly #ca: string | undefined;
  /** Counts the beginnings and ends of requests. */
  #tick = 0;
  readonly #timeoutMs: number;
  readonly #underWay = new Set<Promise<Exchange>>();
  #halted = false;
  #receivedLength = 0;
  #unanswered = 0;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly policy: WritePolicy,
    private readonly onExchange: (exchange: Exchange, carried: Carried) => void,
    private readonly pace = new Pace(endpoint.limits),
  ) {
    this.#timeoutMs = endpoint.limits?.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#ca = endpoint.tls?.caFile ? readFileSync(endpoint.tls.caFile, 'utf8') : undefined;
    this.#agents = { keeping: this.#newAgent(true), closing: this.#newAgent(false) };
  }

  /** Sends a request; one that cleans up waits longer than the others where the target limits requests. */
  async send(request: ClientRequest, isCleanUp = false): Promise<Answer> {
    refuseUnplanned(request, this.policy);
    this.#refuseUnbounded(request, isCleanUp);
    let wasLimited = false;
    for (let attempt = 1; ; attempt++) {
      await this.pace.turn(this.#isUnrepeatable(request));
      // The caller that halted this client ends the process: what waits here is never sent.
      if (this.#halted) await new Promise(() => {});
      this.#tick += 1;
      const begin = this.#tick;
      const sending = this.#sendFollowing(request);
      this.#underWay.add(sending);
      const exchange = await sending;
      this.#underWay.delete(sending);
      this.#tick += 1;
      const { response } = exchange;
      // An outage is waited for no longer at the end.
      const isOften = attempt >= MAX_ATTEMPTS && !(isCleanUp && response && !isOfGateway(response));
      const mayRetry = response
        ? // What cannot be undone is not sent again, unless 429 says that it was not done.
          !isOften && (!this.#isUnrepeatable(request) || response.status === 429)
        : !this.#isUnrepeatable(request) && attempt < 2 && !this.#isFinal(exchange.error);
      const isTrouble = mayRetry && (!response || isOfGateway(response));
      this.onExchange(exchange, { request, begin, end: this.#tick, isTrouble });
      if (exchange.error === timedOut(this.#timeoutMs)) this.#unanswered += 1;
      if (response) {
        this.#receivedLength += response.body.length;
        this.pace.note(response);
        if (wasLimited && !isOfGateway(response)) this.pace.notePassing();
        wasLimited = response.status === 503 && isOfGateway(response);
        if (attempt >= MAX_ATTEMPTS && isOfGateway(response)) this.pace.noteOutage();
        // What cannot be repeated is tried in another way: at a limit of requests that needs a pause, too.
        if (isOfGateway(response) && this.#isUnrepeatable(request)) await sleep(PAUSE_MS);
        if (!mayRetry || !(await this.pace.retries(response, isCleanUp, attempt))) return { ...exchange, response };
      } else if (!mayRetry) {
        throw new TransportError(`${request.method} ${withoutUserInfo(exchange.request.url)}: ${exchange.error}`);
      }
    }
  }

  /** How many requests a second the target seems to allow, where it was slowed down for. */
  get slowedTo(): number | undefined {
    return this.pace.slowedTo;
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #newAgent(keepAlive: boolean): HttpAgent | HttpsAgent {
    const { baseUrl, tls } = this.endpoint;
    const options = { keepAlive, ...(this.policy.loopbackOnly && { lookup: lookupLoopback }) };
    if (!baseUrl.startsWith('https:')) return new HttpAgent(options);
    return new HttpsAgent({ ...options, rejectUnauthorized: !tls?.insecure, ca: this.#ca });
  }

  /** Sends nothing from now on; resolves once no request is under way. */
  async halt(): Promise<void> {
    this.#halted = true;
    await Promise.all(this.#underWay);
  }

  /** Sends a request, and follows the redirects of a GET where the endpoint wants that: the last answer counts. */
  async #sendFollowing(request: ClientRequest): Promise<Exchange> {
    const first = await this.#sendOnce(request);
    const followed: string[] = [];
    let last = first;
    for (let path = this.#redirectOf(request, first); path !== undefined; path = this.#redirectOf(request, last)) {
      if (followed.push(path) > MAX_REDIRECTS) return first;
      await this.pace.turn();
      last = await this.#sendOnce({ ...request, path });
    }
    return followed.length === 0 ? first : { ...last, request: first.request, followed };
  }

  /** Where a GET is redirected, as a path below the base URL; undefined where it is not followed. */
  #redirectOf({ method }: ClientRequest, { request, response }: Exchange): string | undefined {
    const { baseUrl, followRedirects } = this.endpoint;
    const { location = '' } = response?.headers ?? {};
    if (!followRedirects || method !== 'GET' || ![301, 302, 303, 307, 308].includes(response?.status ?? 0))
      return undefined;
    const path = locationBelow(baseUrl, location, request.url);
    const to = URL.canParse(location, request.url) ? new URL(location, request.url).href : '';
    // A location elsewhere is given as it was.
    return path.startsWith('/') && to === new URL(trimmedBase(baseUrl) + path).href
      ? path.replace(/#.*/, '')
      : undefined;
  }

  async #sendOnce(request: ClientRequest): Promise<Exchange> {
    const base = trimmedBase(this.endpoint.baseUrl);
    const own: Record<string, string> = { Accept: 'application/json' };
    const headers = { ...own, ...this.endpoint.headers, ...request.headers };
    const json = request.json === undefined ? undefined : JSON.stringify(request.json);
    const body = request.raw?.text ?? (request.isEscaped && json ? inAscii(json) : json);
    if (request.raw) headers['Content-Type'] = request.raw.contentType;
    else if (body !== undefined) headers['Content-Type'] ??= 'application/json';
    const recorded = {
      method: request.method,
      url: base + request.path,
      headers: request.isChunked && body !== undefined ? { ...headers, 'Transfer-Encoding': 'chunked' } : headers,
      body,
    };
    const timeoutMs = this.#timeoutMs;
    const started = performance.now();
    const done = (): number => Math.round(performance.now() - started);

    this.#sent += 1;
    // Loaded with the first request: before a run it is not needed, and it is as large as the suite.
    const { default: supertest } = await import('supertest');
    const call = supertest(base)
      [request.method.toLowerCase() as 'get'](request.path)
      .agent(this.#sent % CLOSED_EACH === 0 ? this.#agents.closing : this.#agents.keeping)
      .redirects(0)
      .timeout({ deadline: timeoutMs })
      .maxResponseSize(MAX_RESPONSE_BYTES)
      .buffer(true)
      .parse(readText as never) // superagent's type for a parser lacks the node signature (stream, callback)
      .set('Accept-Encoding', 'gzip, br')
      .set(headers);
    if (this.#ca) call.ca(this.#ca);
    if (this.endpoint.tls?.insecure) call.disableTLSCerts();
    try {
      if (request.isChunked && body !== undefined) call.write(body);
      else if (body !== undefined) call.serialize((text) => text).send(body);
      const response = await call;
      const text = String(response.body ?? '');
      const durationMs = done();
      const error = extentOf(text).values > MAX_VALUES ? TOO_MANY : durationMs > timeoutMs && timedOut(timeoutMs);
      if (error) return { request: recorded, error, durationMs };
      const answered = { status: response.status, headers: flatten(response.headers), body: text };
      return { request: recorded, response: answered, durationMs };
    } catch (error) {
      return { request: recorded, error: explain(error as NodeJS.ErrnoException, timeoutMs), durationMs: done() };
    }
  }

  /** Whether the same request would be answered alike. */
  #isFinal(error: string | undefined): boolean {
    return error === timedOut(this.#timeoutMs) || error === TOO_LONG || error === TOO_MANY;
  }

  /** Throws where the target answers no more, has sent more than a run can hold, or wants more to be sent than a server accepts. */
  #refuseUnbounded({ method, path, headers = {} }: ClientRequest, isCleanUp: boolean): void {
    const long = Object.entries(headers).find(([, value]) => value.length > MAX_HEADER_LENGTH);
    const problem = long
      ? `not sent: its header ${long[0]} would have ${long[1].length} characters`
      : this.#receivedLength > MAX_RUN_LENGTH && !isCleanUp
        ? `not sent: the target answered with more than ${MAX_RUN_LENGTH} characters in this run`
        : this.#unanswered >= MAX_UNANSWERED && !isCleanUp
          ? `not sent: ${MAX_UNANSWERED} requests of this run were not answered within ${this.#timeoutMs} ms`
          : undefined;
    if (problem !== undefined)
      throw new TransportError(`${method} ${withoutUserInfo(trimmedBase(this.endpoint.baseUrl) + path)}: ${problem}`);
  }

  #isUnrepeatable(request: ClientRequest): boolean {
    return this.policy.unrepeatable.has(requestKey(request));
  }
}

/** Reads a response as UTF-8 text. Its errors, and one that is far too long, are superagent's to report. */
function readText(response: NodeJS.ReadableStream, callback: (error: Error | null, text: string) => void): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer | string) => chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
  response.on('end', () => callback(null, Buffer.concat(chunks).toString('utf8')));
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : String(value)]),
  );
}

const TOO_LONG = `the response is longer than ${MAX_RESPONSE_BYTES} bytes`;
const TOO_MANY = `the response holds more than ${MAX_VALUES} values`;
const timedOut = (timeoutMs: number): string => `no complete response within ${timeoutMs} ms`;

function explain(error: NodeJS.ErrnoException, timeoutMs: number): string {
  const known: Record<string, string> = {
    ECONNREFUSED: 'connection refused',
    ENOTFOUND: 'the host name is not known',
    EAI_AGAIN: 'the host name could not be looked up',
    ECONNRESET: 'the connection was closed before the response was complete',
    ECONNABORTED: 'the connection was closed before the response was complete',
    ETIMEDOUT: 'the connection timed out',
    ETIME: timedOut(timeoutMs),
    ETOOLARGE: TOO_LONG,
    EHOSTUNREACH: 'the host cannot be reached',
    HPE_HEADER_OVERFLOW: 'the response headers are too large',
  };
  // supertest replaces system errors by ones that carry the code in the message only.
  const code = error.code ?? /^(E[A-Z_]+):/.exec(error.message ?? '')?.[1] ?? '';
  if (/timeout/i.test(error.message ?? '')) return timedOut(timeoutMs);
  const trust = /CERT|SIGNATURE/.test(code) ? '; name its authority in tls.caFile of the target file' : '';
  return `${known[code] ?? `${error.message || 'no response'}${code && !error.message.includes(code) ? ` (${code})` : ''}`}${trust}`;
}

/** Whether a gateway answered, and not the API: after that it may be reached again. */
const isOfGateway = ({ status, headers }: Answer['response']): boolean =>
  [502, 503, 504].includes(status) && headers['retry-after'] === undefined;

const inAscii = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
