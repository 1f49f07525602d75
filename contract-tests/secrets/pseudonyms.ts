import { createHmac, randomBytes } from 'node:crypto';
import { setImmediate as next } from 'node:timers/promises';
import { partsOfPat } from '../api/token-forms.ts';
import type { Exchange } from '../model.ts';
import { decodeJwt } from '../values/jwt.ts';
import { type Read, Redactor, type Secret } from './redactor.ts';
import { isPublicWord, listedSecrets } from './secrets.ts';

/** Claims that say when a token lives, and nothing of whom. */
const TIMES = ['iat', 'exp', 'nbf'];
/** How a credential starts: masked, or as those of a provider (`sk-`). It is too short to be a secret by itself. */
const START = /^(?:[a-z]{2,6}[-_]|\*{1,7})/;
/** The prefix of a PAT, which is no secret; what is longer, or has other characters, may be one of another form. */
const PREFIX = /^[A-Za-z0-9-]{1,16}_/;
const SHORTEST = 20;

/**
 * Replaces the secrets of recorded exchanges. The same secret gets the same pseudonym everywhere, and another secret another
 * one; a pseudonym has the form of what it replaces (a JWT keeps its algorithm and its times, a PAT its prefix), so that
 * the recording can be judged as the traffic itself. Without the key, which is generated for each recording and kept
 * nowhere, nothing leads back.
 */
export class Pseudonyms {
  readonly #key = randomBytes(32);
  readonly #redactor = new Redactor((secret) => this.#of(secret), isPublicWord);

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

  #of({ value, isPassword, isNumber }: Secret): string {
    if (isNumber || /^\d+$/.test(value)) return this.#digits(value);
    if (isPassword) return this.#digest(value, Math.max(SHORTEST, value.length));
    // One without a signature is no JWT to the suite, and must stay what it is.
    const parts = value.split('.');
    const jwt = decodeJwt(parts.length === 3 && parts[2] === '' ? `${value}x` : value);
    if (jwt) {
      const { alg, typ } = jwt.header;
      const times = Object.fromEntries(Object.entries(jwt.payload).filter(([name]) => TIMES.includes(name)));
      const [header = '', payload = '', signature = ''] = parts;
      return [
        encoded({ alg, ...(typ === undefined ? {} : { typ }), kid: this.#digest(header, SHORTEST) }),
        encoded({ ...times, jti: this.#digest(payload, SHORTEST) }),
        signature && this.#digest(signature, Math.max(SHORTEST, signature.length)),
      ].join('.');
    }
    const pat = partsOfPat(value);
    const prefix = PREFIX.exec(pat?.head ?? '')?.[0];
    if (pat && prefix) {
      return `${prefix}${this.#digest(pat.head, SHORTEST)}.${this.#digest(pat.secret, Math.max(SHORTEST, pat.secret.length))}`;
    }
    const start = START.exec(value)?.[0] ?? '';
    return start + this.#digest(value, Math.max(SHORTEST, value.length - start.length));
  }

  /** So many digits as a number has, of which the first one is none. */
  #digits(number: string): string {
    const digits = BigInt(`0x1${this.#digest(number, 60)}`).toString();
    return digits.slice(0, /^\d+/.exec(number)?.[0].length ?? 1);
  }

  /** So many characters that stand for a text, and for no other. */
  #digest(text: string, length: number): string {
    let digest = '';
    for (let part = 0; digest.length < Math.min(length, 512); part += 1)
      digest += createHmac('sha256', this.#key).update(`${part} ${text}`).digest('hex');
    return digest.slice(0, Math.min(length, 512));
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

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
