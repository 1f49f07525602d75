import { createHmac, randomBytes } from 'node:crypto';
import { partsOfPat } from '../api/token-forms.ts';
import type { Exchange } from '../model.ts';
import { secretsInTraffic } from '../session/redaction.ts';
import { type JsonObject, parseJson } from '../values/json.ts';
import { decodeJwt } from '../values/jwt.ts';
import { isPassword, type Secrets } from '../wire/secrets.ts';

/** After so many exchanges, all but so many of the secrets that came last are forgotten. */
const EXCHANGES_KEPT = 1_000;
const SECRETS_KEPT = 500;
/** Claims that say when a token lives, and nothing of whom. */
const TIMES = ['iat', 'exp', 'nbf'];
/** How a credential starts: with marks, or as those of a provider (`sk-`). It is too short to be a secret by itself. */
const START = /^(?:[a-z]{2,6}[-_]|[^A-Za-z0-9]{1,7})/;
/** The prefix of a PAT, which is no secret; what is longer, or has other characters, may be one of another form. */
const PREFIX = /^[A-Za-z0-9-]{1,16}_/;
const SHORTEST = 20;
const NONE = { count: 0, pattern: /((?!))/, passwords: new Set<string>() };
/** Longer texts are looked through in pieces. */
const PIECE = 100_000;

/**
 * Replaces the secrets of recorded exchanges. The same secret gets the same pseudonym everywhere, and another secret another
 * one; a pseudonym has the form of what it stands for (a JWT keeps its algorithm and its times, a PAT its prefix), so that
 * the recording can be judged as the traffic itself. Without the key, which is made anew for each recording and kept
 * nowhere, nothing leads back.
 */
export class Pseudonyms {
  readonly #key = randomBytes(32);
  #found = NONE;
  #secrets: Secrets = this.#fresh();
  #count = 0;

  /** The exchange with every secret replaced. */
  hide(exchange: Exchange): Exchange {
    this.#count += 1;
    if (this.#count % EXCHANGES_KEPT === 0) {
      const older = this.#secrets.all.slice(-SECRETS_KEPT);
      this.#secrets = this.#fresh();
      this.#secrets.add(older);
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
    const { request, response, ...rest } = exchange;
    const { body } = request;
    return {
      ...rest,
      request: {
        method: request.method,
        url: this.text(request.url),
        headers: this.#hideAll(request.headers),
        ...(body === undefined ? {} : { body: this.text(body) }),
      },
      ...(response
        ? { response: { ...response, headers: this.#hideAll(response.headers), body: this.text(response.body) } }
        : {}),
    };
  }

  #scrub(text: string): string {
    if (text.length <= PIECE) return this.#secrets.scrub(text);
    return this.#secrets.scrub(text.slice(0, PIECE)) + this.#scrub(text.slice(PIECE));
  }

  #hideAll(headers: Record<string, string>): Record<string, string> {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [this.text(name), this.text(value)]));
  }

  /**
   * A text without the secrets of the exchanges so far. Whole ones become pseudonyms; what else shows a part of one, in
   * whatever spelling, is redacted as in reports.
   */
  text(text: string): string {
    const parts = text.split(this.#pattern());
    return parts.map((part, at) => (at % 2 === 1 ? this.#of(part) : this.#scrub(part))).join('');
  }

  /** Finds every secret that is known, the longest first. */
  #pattern(): RegExp {
    const known = this.#secrets.all;
    if (known.length !== this.#found.count) {
      const longest = known.map(({ value }) => value).toSorted((one, other) => other.length - one.length);
      const passwords = new Set(known.filter(isPassword).map(({ value }) => value));
      this.#found = { count: known.length, pattern: new RegExp(`(${longest.map(escaped).join('|')})`), passwords };
    }
    return this.#found.pattern;
  }

  #fresh(): Secrets {
    this.#found = NONE;
    return secretsInTraffic();
  }

  #of(value: string): string {
    if (this.#found.passwords.has(value) && !/^\d+$/.test(value))
      return this.#digest(value, Math.max(SHORTEST, value.length));
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

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
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
