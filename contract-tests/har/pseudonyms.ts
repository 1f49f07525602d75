import { createHmac, randomBytes } from 'node:crypto';
import type { Exchange } from '../model.ts';
import { secretsInTraffic } from '../session/redaction.ts';
import { partsOfPat } from '../session/token-forms.ts';
import { isObject, type JsonObject, parseJson } from '../wire/json.ts';
import { decodeJwt } from '../wire/jwt.ts';
import type { Secrets } from '../wire/secrets.ts';

/** After so many exchanges, secrets that did not come up again are forgotten. */
const EXCHANGES_KEPT = 1_000;
/** Claims that say when a token lives, and nothing of whom. */
const TIMES = ['iat', 'exp', 'nbf'];
const PASSWORD = /pass(word|wd|phrase)|secret|^pin$|^otp$/i;
/** How a credential starts: marks, and words such as `sk-live-`. */
const START = /^[^A-Za-z0-9]*([a-z]{2,8}[-_])*/;
const SHORTEST = 20;

/**
 * Replaces the secrets of recorded exchanges. The same secret gets the same pseudonym everywhere, and another secret another
 * one; a pseudonym has the form of what it stands for (a JWT keeps its algorithm and its times, a PAT its prefix), so that
 * the recording can be judged as the traffic itself. Without the key, which is made anew for each recording and kept
 * nowhere, nothing leads back.
 */
export class Pseudonyms {
  readonly #key = randomBytes(32);
  #secrets: Secrets = this.#fresh();
  #older: Secrets = this.#secrets;
  #count = 0;

  /** The exchange with every secret replaced. */
  hide(exchange: Exchange): Exchange {
    this.#count += 1;
    if (this.#count % EXCHANGES_KEPT === 0) {
      this.#older = this.#secrets;
      this.#secrets = this.#fresh();
    }
    const sent = sentMembers(exchange);
    this.#secrets.learnFrom(exchange);
    // What a request sends is named as what an answer gives.
    const { url } = exchange.request;
    this.#secrets.learnFrom({
      request: { method: '', url, headers: {} },
      response: { status: 0, headers: {}, body: JSON.stringify(sent) },
      durationMs: 0,
    });
    const hidden = this.#secrets.scrubJson(exchange);
    const { request, ...rest } = this.#older === this.#secrets ? hidden : this.#older.scrubJson(hidden);
    const json = parseJson(request.body ?? '');
    const short = isObject(json) ? this.#withoutPasswords(json) : undefined;
    return { ...rest, request: { ...request, ...(short ? { body: JSON.stringify(short) } : {}) } };
  }

  #fresh(): Secrets {
    return secretsInTraffic((value) => this.#of(value));
  }

  /** A password may be shorter than what is looked for by its text. */
  #withoutPasswords(json: JsonObject): JsonObject | undefined {
    const short = Object.entries(json).filter(
      ([name, value]) => PASSWORD.test(name) && typeof value === 'string' && value.length < 8,
    );
    if (short.length === 0) return undefined;
    return {
      ...json,
      ...Object.fromEntries(short.map(([name, value]) => [name, this.#digest(String(value), SHORTEST)])),
    };
  }

  #of(value: string): string {
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
    if (pat) {
      const prefix = pat.head.slice(0, pat.head.indexOf('_') + 1);
      return `${prefix}${this.#digest(pat.head, SHORTEST)}.${this.#digest(pat.secret, Math.max(SHORTEST, pat.secret.length))}`;
    }
    if (/^\d+$/.test(value))
      return BigInt(`0x1${this.#digest(value, 60)}`)
        .toString()
        .slice(0, value.length);
    const start = START.exec(value)?.[0] ?? '';
    return start + this.#digest(value, Math.max(SHORTEST, value.length - start.length));
  }

  /** So many characters that stand for a text, and for no other. */
  #digest(text: string, length: number): string {
    let digest = '';
    for (let part = 0; digest.length < length; part += 1)
      digest += createHmac('sha256', this.#key).update(`${part} ${text}`).digest('hex');
    return digest.slice(0, Math.min(length, 512));
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The members that a request sends: in its query, and in a form or JSON. */
function sentMembers({ request }: Exchange): JsonObject {
  const { body = '', url } = request;
  const query = URL.canParse(url) ? Object.fromEntries(new URL(url).searchParams) : {};
  const json = parseJson(body);
  const isForm = /^[\w.-]+=[^\s]*$/.test(body);
  const form = json === undefined && isForm ? Object.fromEntries(new URLSearchParams(body)) : {};
  return { ...query, ...form, ...(json === undefined ? {} : { body: json }) };
}
