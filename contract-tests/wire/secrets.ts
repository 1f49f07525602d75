import type { Exchange } from '../model.ts';
import { findStrings, parseJson } from './json.ts';
import { isJwt } from './jwt.ts';
import { scrubber } from './scrub.ts';

/** A shorter value is too likely to occur by chance. */
const MIN_LENGTH = 4;
/** Names of members and headers that hold credentials. */
export const SECRET_MEMBER = /token|secret|password|passwd|jwt|credential|api_?key|private|^key$|^pat$|^code$|^otp$/i;
const SECRET_HEADER = /authorization|cookie|token|secret|api-?key|password|credential/i;
/** Members that hold words as often as secrets: an error's code (`not_found`), a scope's key (`recordings:write`). */
const OFTEN_WORDS = /^(key|code)$/i;
const WORDS = /^([a-z]{1,16}([_:.-][a-z]{1,16})*|[A-Z]{1,16}([_:.-][A-Z]{1,16})*)$/;
/** Names of what describes a secret without being one: `secret_rotated_at`, `token_type`. */
const ABOUT_A_SECRET =
  /_(at|type|id|name|hint|status|count|prefix|expires|expires_in)$|(At|Type|Id|Name|Hint|Status|Count|Prefix)$/;
/** Members of JSON whose name says outright that their number is secret. */
const NUMERIC_SECRET = /"([^"\\]*(?:secret|password|passwd))"\s*:\s*(\d{6,})/gi;

/** A secret, and the name that replaces it. */
export interface NamedSecret {
  value: string;
  name: string;
}

/** What the API in question adds to the general rules. */
export interface SecretRules {
  /** Made-up tokens: they open nothing, so reports may show them. */
  harmless: ReadonlySet<string>;
  /** Secrets in an exchange that no general rule finds. */
  secretsIn(exchange: Exchange): NamedSecret[];
  /** What kind of credential a text is by its form; undefined when it is none. */
  kindOf(text: string, exchange: Exchange): string | undefined;
}

/** Knows every credential of a run and redacts it: see scrubber() for the forms in which it is found. */
export class Secrets {
  readonly #rules: SecretRules;
  readonly #write: (value: string, name: string) => string;
  readonly #names = new Map<string, string>();
  /** Made when first needed after a secret was added. */
  #scrub: ((text: string) => string) | undefined;
  /** Reports repeat the same header values and names a thousand times. */
  readonly #clean = new Map<string, string>();

  /** @param write what is written in the place of a secret; its name by default */
  constructor(
    given: readonly NamedSecret[],
    rules: SecretRules,
    write: (value: string, name: string) => string = (_value, name) => `‹${name}›`,
  ) {
    this.#rules = rules;
    this.#write = write;
    for (const { value, name } of given) this.#add(value, name);
  }

  /** Whether the name of a header says that its value is a credential. */
  static isSecretHeader(name: string): boolean {
    return SECRET_HEADER.test(name);
  }

  /** Adds a secret under the name that replaces it. The first name of a value is kept. */
  #add(value: string, name: string): void {
    if (value.length < MIN_LENGTH || this.#names.has(value)) return;
    this.#names.set(value, this.#write(value, name));
    this.#scrub = undefined;
    this.#clean.clear();
  }

  /** Adds what an exchange shows to be a credential: by the name of a member or header, or by its form. */
  learnFrom(exchange: Exchange): void {
    const { request, response } = exchange;
    for (const [name, value] of Object.entries(request.headers)) {
      const token = value.replace(/^(Bearer|Basic)( |$)/i, '');
      if (SECRET_HEADER.test(name) && !this.#rules.harmless.has(token))
        this.#add(token, exchange.credential ?? `${name} header`);
    }
    if (!response) return;
    for (const [name, value] of Object.entries(response.headers)) {
      if (name === 'set-cookie')
        for (const cookie of value.split(/[;,]\s*/)) this.#add(cookie.replace(/^[^=]*=/, ''), 'cookie');
      else if (SECRET_HEADER.test(name)) this.#add(value, `${name} header`);
      for (const word of value.split(/[\s=;,"]+/)) if (isJwt(word)) this.#add(word, 'JWT');
    }
    for (const [, name = '', digits = ''] of response.body.matchAll(NUMERIC_SECRET)) this.#add(digits, name);
    for (const { value, name } of this.#rules.secretsIn(exchange)) this.#add(value, name);
    for (const { path, value } of findStrings(parseJson(response.body))) {
      const member = path.at(-1) ?? '';
      const kind = isSecretMember(member, value) ? member : isJwt(value) ? 'JWT' : this.#rules.kindOf(value, exchange);
      if (kind !== undefined) this.#add(value, kind);
    }
  }

  /** The text without any secret. */
  scrub(text: string): string {
    let clean = this.#clean.get(text);
    if (clean === undefined) {
      this.#scrub ??= scrubber(this.#names);
      clean = this.#scrub(text);
      this.#clean.set(text, clean);
    }
    return clean;
  }

  /** A deep copy of a JSON value with all text scrubbed, member names included. */
  scrubJson<T>(value: T): T {
    if (typeof value === 'string') return this.scrub(value) as T;
    if (Array.isArray(value)) return value.map((item) => this.scrubJson(item)) as T;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.scrub(key), this.scrubJson(item)])) as T;
  }
}

function isSecretMember(name: string, value: string): boolean {
  const isWord = OFTEN_WORDS.test(name) && WORDS.test(value);
  return SECRET_MEMBER.test(name) && !ABOUT_A_SECRET.test(name) && value.length >= 8 && !isWord;
}
