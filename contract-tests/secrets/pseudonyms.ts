import { createHmac, randomBytes } from 'node:crypto';
import { partsOfPat } from '../api/token-forms.ts';
import type { Exchange } from '../model.ts';
import { decodeJwt } from '../values/jwt.ts';
import { type Read, Redactor, type Secret } from './redactor.ts';
import { isPublicWord, listedSecrets } from './secrets.ts';
import { inSlices } from './slices.ts';

/** Claims that say when a token lives, and nothing of whom. */
const TIMES = ['iat', 'exp', 'nbf'];
/** How a credential starts: masked, or as those of a provider (`sk-`). It is too short to be a secret by itself. */
const START = /^(?:[a-z]{2,6}[-_]|\*{1,7})/;
/** The prefix of a PAT, which is no secret; what is longer, or has other characters, may be one of another form. */
const PREFIX = /^[A-Za-z0-9-]{1,16}_/;
const SHORTEST = 20;

/**
 * Replaces the secrets of recorded exchanges. The same secret gets the same pseudonym everywhere, and another secret another
 * one; a pseudonym has the form of what it stands for (a JWT keeps its algorithm and its times, a PAT its prefix), so that
 * the recording can be judged as the traffic itself. Without the key, which is made anew for each recording and kept
 * nowhere, nothing leads back.
 */
export class Pseudonyms {
  readonly #key = randomBytes(32);
  readonly #redactor = new Redactor((secret) => this.#of(secret), isPublicWord);

  /** The exchange with every secret replaced: all of it is read first, since an answer may tell what the request sent. */
  async hide<E extends Exchange>(exchange: E, statusText = ''): Promise<E & { statusText: string }> {
    const { request, response } = exchange;
    for (const secret of listedSecrets(exchange)) this.#redactor.remember(secret);
    const read = (text = ''): Promise<Read> => inSlices(this.#redactor.read(text));
    const readAll = async (headers: Record<string, string> = {}): Promise<[Read, Read][]> => {
      const all: [Read, Read][] = [];
      for (const [name, value] of Object.entries(headers))
        all.push([await read(name), await inSlices(this.#redactor.readHeader(name, value))]);
      return all;
    };
    const hide = (text: Read): Promise<string> => inSlices(this.#redactor.hide(text));
    const hideAll = async (headers: [Read, Read][]): Promise<Record<string, string>> => {
      const all: [string, string][] = [];
      for (const [name, value] of headers) all.push([await hide(name), await hide(value)]);
      return Object.fromEntries(all);
    };
    const url = await read(request.url);
    const [sent, answered] = [await readAll(request.headers), await readAll(response?.headers)];
    const [body, answer, status] = [await read(request.body), await read(response?.body), await read(statusText)];
    return {
      ...exchange,
      request: {
        ...request,
        url: await hide(url),
        headers: await hideAll(sent),
        ...(request.body === undefined ? {} : { body: await hide(body) }),
      },
      ...(response ? { response: { ...response, headers: await hideAll(answered), body: await hide(answer) } } : {}),
      statusText: await hide(status),
    };
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
