import { createHmac, randomBytes } from 'node:crypto';
import { setImmediate as next } from 'node:timers/promises';
import type { Exchange } from '../model.ts';
import { pseudonymOf } from './pseudonym.ts';
import { type Read, Redactor } from './redactor.ts';
import { isPublicWord, listedSecrets } from './secrets.ts';

/**
 * Replaces the secrets of recorded exchanges. The same secret gets the same pseudonym everywhere, and another secret another
 * one; a pseudonym has the form of what it replaces (a JWT keeps its algorithm and its times, a PAT its prefix), so that
 * the recording can be judged as the traffic itself. Without the key, which is generated for each recording and kept
 * nowhere, nothing leads back.
 */
export class Pseudonyms {
  readonly #key = randomBytes(32);
  readonly #redactor = new Redactor(
    (secret) => pseudonymOf(secret, (text) => createHmac('sha256', this.#key).update(text).digest('hex')),
    isPublicWord,
  );

  /** The exchange with every secret replaced: all of it is read first, since an answer may tell what the request sent. */
  hide<E extends Exchange>(exchange: E, statusText = ''): Promise<E & { statusText: string }> {
    for (const secret of listedSecrets(exchange)) this.#redactor.remember(secret);
    return inSlices(this.#hidden(exchange, statusText));
  }

  *#hidden<E extends Exchange>(exchange: E, statusText: string): Generator<void, E & { statusText: string }> {
    const { request, response } = exchange;
    const redactor = this.#redactor;
    const url = yield* redactor.read(request.url);
    const [sent, answered] = [yield* this.#read(request.headers), yield* this.#read(response?.headers ?? {})];
    const body = yield* redactor.read(request.body ?? '');
    const [answer, status] = [yield* redactor.read(response?.body ?? ''), yield* redactor.read(statusText)];
    return {
      ...exchange,
      request: {
        ...request,
        url: yield* redactor.hide(url),
        headers: yield* this.#hideAll(sent),
        ...(request.body === undefined ? {} : { body: yield* redactor.hide(body) }),
      },
      ...(response && {
        response: { ...response, headers: yield* this.#hideAll(answered), body: yield* redactor.hide(answer) },
      }),
      statusText: yield* redactor.hide(status),
    };
  }

  *#read(headers: Record<string, string>): Generator<void, [name: Read, value: Read][]> {
    const all: [Read, Read][] = [];
    for (const [name, value] of Object.entries(headers))
      all.push([yield* this.#redactor.read(name), yield* this.#redactor.readHeader(name, value)]);
    return all;
  }

  *#hideAll(headers: [Read, Read][]): Generator<void, Record<string, string>> {
    const all: [string, string][] = [];
    for (const [name, value] of headers)
      all.push([yield* this.#redactor.hide(name), yield* this.#redactor.hide(value)]);
    return Object.fromEntries(all);
  }
}

/** Milliseconds of work between which others get their turn. */
const SLICE_MS = 10;
let since = 0;

/** Does the work of a generator, and lets others have their turn where it pauses. */
async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - since < SLICE_MS) continue;
    await next();
    since = performance.now();
  }
}
