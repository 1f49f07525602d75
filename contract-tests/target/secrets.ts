import { GARBAGE_TOKENS, PLACES_OF_NO_TOKEN } from '../checks/forged-tokens.ts';
import { findStrings, isJwt, isObject, isPatForm, parseJson } from '../checks/formats.ts';
import { secretsIn } from '../checks/secret-members.ts';
import type { Exchange } from '../model.ts';
import { scrubber } from './scrub.ts';
import type { Target } from './target-file.ts';
import { PAT_CREATION_PATH } from './write-guard.ts';

/** A shorter value is too likely to stand somewhere by chance: a claim or user name needs more to be told apart from words. */
const MIN_LENGTH = 4;
const MIN_IDENTITY_LENGTH = 8;
const SECRET_MEMBER = /token|secret|password|passwd|jwt|credential|api_?key|private|^key$|^pat$|^code$|^otp$/i;
/** Members that hold words as often as secrets: an error's code (`not_found`), a scope's key (`recordings:write`). */
const OFTEN_WORDS = /^(key|code)$/i;
const WORDS = /^([a-z]{1,16}([_:.-][a-z]{1,16})*|[A-Z]{1,16}([_:.-][A-Z]{1,16})*)$/;
/** Says something about a secret, and is none: `secret_rotated_at`, `token_type`. */
const ABOUT_A_SECRET =
  /_(at|type|id|name|hint|status|count|prefix|expires|expires_in)$|(At|Type|Id|Name|Hint|Status|Count|Prefix)$/;
/** Tokens that the suite makes up itself open nothing. */
const MADE_UP = new Set<string>([...GARBAGE_TOKENS, ...PLACES_OF_NO_TOKEN]);
/** Where a secret is listed that should not be, it must not get into a report as well. */
const LISTS_API_KEYS = /\/api-keys(\?|$)/;
/** A dot before the first underscore: where no PAT is answered, that is rather the name of a host or a file. */
const DOTTED_PREFIX = /^[^_]*\./;
/** Members of JSON that say outright that their number is secret. */
const NUMERIC_SECRET = /"([^"\\]*(?:secret|password|passwd))"\s*:\s*(\d{6,})/gi;
const SECRET_HEADER = /authorization|cookie|token|secret|api-?key|password|credential/i;

/**
 * Knows every credential of a run and takes it out of text: as it is, URL-encoded, in base64, JSON-escaped, and any part
 * of it that starts at its beginning and has 12 characters or more.
 */
export class Secrets {
  readonly #names = new Map<string, string>();
  /** Made when first needed after a secret was added. */
  #scrub: ((text: string) => string) | undefined;
  /** The same header values and names stand in a report a thousand times. */
  readonly #clean = new Map<string, string>();

  constructor(target: Target) {
    for (const [actor, credentials] of Object.entries(target.actors ?? {})) {
      for (const { path, value } of findStrings(credentials)) {
        const isIdentity = !SECRET_MEMBER.test(path.join('.'));
        if (!isIdentity || value.length >= MIN_IDENTITY_LENGTH) this.add(value, `actors.${actor}.${path.join('.')}`);
      }
    }
    for (const [name, value] of Object.entries(target.headers ?? {}))
      if (SECRET_HEADER.test(name)) this.add(value, `headers.${name}`);
    const url = URL.canParse(target.baseUrl) ? new URL(target.baseUrl) : undefined;
    if (url?.password) this.add(decodeURIComponent(url.password), 'baseUrl password');
  }

  /** Adds a secret under the name that stands in its place. The first name of a value is kept. */
  add(value: string, name: string): void {
    if (value.length < MIN_LENGTH || this.#names.has(value)) return;
    this.#names.set(value, name);
    this.#scrub = undefined;
    this.#clean.clear();
  }

  /** Adds what an exchange shows to be a credential: by the name of a member or header, or by its form. */
  learnFrom(exchange: Exchange): void {
    for (const [name, value] of Object.entries(exchange.request.headers)) {
      const token = value.replace(/^(Bearer|Basic)( |$)/i, '');
      if (SECRET_HEADER.test(name) && !MADE_UP.has(token)) this.add(token, `${name} header`);
    }
    if (!exchange.response) return;
    for (const [name, value] of Object.entries(exchange.response.headers)) {
      if (name === 'set-cookie')
        for (const cookie of value.split(/[;,]\s*/)) this.add(cookie.replace(/^[^=]*=/, ''), 'cookie');
      else if (SECRET_HEADER.test(name)) this.add(value, `${name} header`);
      for (const word of value.split(/[\s=;,"]+/)) if (isJwt(word)) this.add(word, 'JWT');
    }
    for (const [, name = '', digits = ''] of exchange.response.body.matchAll(NUMERIC_SECRET)) this.add(digits, name);
    if (LISTS_API_KEYS.test(exchange.request.url)) {
      const keys = parseJson(exchange.response.body);
      for (const key of Array.isArray(keys) ? keys.filter(isObject) : [])
        for (const { path, value } of secretsIn(key)) this.add(value, path.join('.'));
    }
    const makesPat = exchange.request.url.endsWith(PAT_CREATION_PATH);
    for (const { path, value } of findStrings(parseJson(exchange.response.body))) {
      const name = path.at(-1) ?? '';
      if (SECRET_MEMBER.test(name) && !ABOUT_A_SECRET.test(name) && value.length >= 8 && !isWords(name, value))
        this.add(value, name);
      else if (isJwt(value)) this.add(value, 'JWT');
      else if (isPatForm(value) && value.length >= 16 && (makesPat || !DOTTED_PREFIX.test(value)))
        this.add(value, 'PAT');
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

function isWords(member: string, value: string): boolean {
  return OFTEN_WORDS.test(member) && WORDS.test(value);
}
