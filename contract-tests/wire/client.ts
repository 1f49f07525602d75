import { readFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import supertest from 'supertest';
import { TransportError } from '../errors.ts';
import type { Exchange } from '../model.ts';
import type { Answer, ClientRequest } from './exchange.ts';
import { trimmedBase } from './url.ts';
import { refuseUnplanned, requestKey, type WritePolicy } from './write-guard.ts';

/** Where requests go, and how. */
export interface Endpoint {
  baseUrl: string;
  /** Sent with every request. */
  headers?: Record<string, string>;
  tls?: { insecure?: boolean; caFile?: string };
  limits?: { timeoutMs?: number; requestsPerSecond?: number };
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** A longer response is cut off: no documented answer comes near it. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
const MAX_ATTEMPTS = 4;
/** The longest wait for one `Retry-After`, and for all of them together. */
const MAX_RETRY_WAIT_MS = 30_000;
const RETRY_BUDGET_MS = 90_000;
const GATEWAY_RETRY_MS = 100;

/**
 * Sends requests to one endpoint and reports each exchange. Redirects are not followed, cookies are not kept. After 429
 * (and 503 with Retry-After) a request is retried within a budget; after a broken connection once, unless the policy calls
 * it unrepeatable. Throws TransportError when no response came.
 */
export class Client {
  readonly #endpoint: Endpoint;
  readonly #policy: WritePolicy;
  readonly #agent: HttpAgent | HttpsAgent;
  readonly #ca: string | undefined;
  readonly #onExchange: (exchange: Exchange) => void;
  readonly #timeoutMs: number;
  readonly #underWay = new Set<Promise<Exchange>>();
  #halted = false;
  #nextSlot = 0;
  #retryBudgetMs = RETRY_BUDGET_MS;

  constructor(endpoint: Endpoint, policy: WritePolicy, onExchange: (exchange: Exchange) => void) {
    this.#endpoint = endpoint;
    this.#policy = policy;
    this.#onExchange = onExchange;
    this.#timeoutMs = endpoint.limits?.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#ca = endpoint.tls?.caFile ? readFileSync(endpoint.tls.caFile, 'utf8') : undefined;
    this.#agent = endpoint.baseUrl.startsWith('https:')
      ? new HttpsAgent({
          keepAlive: true,
          rejectUnauthorized: !endpoint.tls?.insecure,
          ...(this.#ca ? { ca: this.#ca } : {}),
        })
      : new HttpAgent({ keepAlive: true });
  }

  async send(request: ClientRequest): Promise<Answer> {
    refuseUnplanned(request, this.#policy);
    for (let attempt = 1; ; attempt++) {
      await this.#waitForSlot();
      // Whoever halted this client ends the process: what waits here is never sent.
      if (this.#halted) await new Promise(() => {});
      const sending = this.#sendOnce(request);
      this.#underWay.add(sending);
      const exchange = await sending;
      this.#underWay.delete(sending);
      this.#onExchange(exchange);
      const { response } = exchange;
      if (response) {
        const wait = attempt < MAX_ATTEMPTS && this.#mayRetry(request, response) ? retryAfterMs(response) : undefined;
        if (wait === undefined || wait > this.#retryBudgetMs) return { ...exchange, response };
        this.#retryBudgetMs -= wait;
        await sleep(wait);
      } else if (this.#isUnrepeatable(request) || attempt >= 2 || exchange.error === timedOut(this.#timeoutMs)) {
        throw new TransportError(`${request.method} ${exchange.request.url}: ${exchange.error}`);
      }
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Sends nothing from now on; resolves once no request is under way. */
  async halt(): Promise<void> {
    this.#halted = true;
    await Promise.all(this.#underWay);
  }

  async #sendOnce(request: ClientRequest): Promise<Exchange> {
    const base = trimmedBase(this.#endpoint.baseUrl);
    const headers: Record<string, string> = {
      Accept: 'application/json',
      ...this.#endpoint.headers,
      ...request.headers,
    };
    const body = request.raw?.text ?? (request.json === undefined ? undefined : JSON.stringify(request.json));
    if (request.raw) headers['Content-Type'] = request.raw.contentType;
    else if (body !== undefined) headers['Content-Type'] ??= 'application/json';
    const recorded = {
      method: request.method,
      url: base + request.path,
      headers,
      ...(body === undefined ? {} : { body }),
    };
    const timeoutMs = this.#timeoutMs;
    const started = performance.now();
    const done = (): number => Math.round(performance.now() - started);

    const call = supertest(base)
      [request.method.toLowerCase() as 'get'](request.path)
      .agent(this.#agent)
      .redirects(0)
      .timeout({ deadline: timeoutMs })
      .maxResponseSize(MAX_RESPONSE_BYTES)
      .buffer(true)
      .parse(readText as never) // superagent's type for a parser lacks the node signature (stream, callback)
      .set('Accept-Encoding', 'identity')
      .set(headers);
    if (this.#ca) call.ca(this.#ca);
    if (this.#endpoint.tls?.insecure) call.disableTLSCerts();
    try {
      const response = await (body === undefined ? call : call.serialize((text) => text).send(body));
      return {
        request: recorded,
        response: { status: response.status, headers: flatten(response.headers), body: String(response.body ?? '') },
        durationMs: done(),
      };
    } catch (error) {
      return { request: recorded, error: explain(error as NodeJS.ErrnoException, timeoutMs), durationMs: done() };
    }
  }

  #isUnrepeatable(request: ClientRequest): boolean {
    return this.#policy.unrepeatable.has(requestKey(request));
  }

  /** What cannot be undone is not sent again, unless 429 says that it was not done. */
  #mayRetry(request: ClientRequest, { status }: Answer['response']): boolean {
    return !this.#isUnrepeatable(request) || status === 429;
  }

  async #waitForSlot(): Promise<void> {
    const perSecond = this.#endpoint.limits?.requestsPerSecond;
    if (!perSecond) return;
    const now = performance.now();
    const slot = Math.max(now, this.#nextSlot);
    this.#nextSlot = slot + 1000 / perSecond;
    if (slot > now) await sleep(slot - now);
  }
}

/** Milliseconds to wait before a retry; undefined when the answer is final. */
function retryAfterMs(response: Answer['response']): number | undefined {
  const header = response.headers['retry-after'];
  // A gateway in trouble is not the API's answer; one that stays in trouble is judged by what it says.
  if ([502, 503, 504].includes(response.status) && !header) return GATEWAY_RETRY_MS;
  if (response.status !== 429 && response.status !== 503) return undefined;
  if (!header) return 1000;
  const seconds = /^\d+(\.\d+)?$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  const wait = Math.max(0, Number.isFinite(seconds) ? seconds * 1000 : 1000);
  return wait <= MAX_RETRY_WAIT_MS ? wait : undefined;
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
    ETOOLARGE: `the response is longer than ${MAX_RESPONSE_BYTES} bytes`,
    EHOSTUNREACH: 'the host cannot be reached',
    HPE_HEADER_OVERFLOW: 'the response headers are too large',
  };
  // supertest replaces system errors by ones that carry the code in the message only.
  const code = error.code ?? /^(E[A-Z_]+):/.exec(error.message ?? '')?.[1] ?? '';
  if (/timeout/i.test(error.message ?? '')) return timedOut(timeoutMs);
  return known[code] ?? `${error.message || 'no response'}${code && !error.message.includes(code) ? ` (${code})` : ''}`;
}
