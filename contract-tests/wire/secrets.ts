import type { Exchange } from '../model.ts';
import { jsonOf } from '../values/answer.ts';
import { findStrings } from '../values/json.ts';
import { isJwt } from '../values/jwt.ts';
import { scrubber } from './scrub.ts';
import type { WindowTable } from './windows.ts';

/** A shorter value is not looked for. */
const MIN_LENGTH = 3;
/** Names of members that hold credentials. */
export const SECRET_MEMBER =
  /token|secret|passw|passphrase|jwt|credential|api_?key|private|session|[cx]srf|cookie|authorization|(^|[_-])(pass|pwd|key|pat|otp|pin|sid)$|^code$/i;
const SECRET_HEADER =
  /authorization|cookie|token|secret|api-?key|passw|passphrase|credential|session|[cx]srf|(^|[-_])(pass|pwd|auth|key|pat|jwt|otp|pin|sid)($|[-_])/i;
/** Members that hold words as often as secrets: an error's code (`not_found`), a scope's key (`recordings:write`). */
const OFTEN_WORDS = /^(key|code|session)$/i;
const WORDS = /^([a-z]{1,16}([_:.-][a-z]{1,16})*|[A-Z]{1,16}([_:.-][A-Z]{1,16})*)$/;
/** Names of what describes a secret without being one: `secret_rotated_at`, `token_type`. */
const ABOUT_A_SECRET =
  /_(at|type|id|name|hint|status|count|prefix|expires|expires_in)$|(At|Type|Id|Name|Hint|Status|Count|Prefix)$/;
/** An identifier of a session opens it. */
const SESSION_ID = /^(session|csrf|xsrf)[_-]?id$/i;
/** Members whose name says outright that their value is secret, however short it is. */
const OUTRIGHT = /(^|[._-])(password|passwd|passphrase|pass|pwd|pin|otp)$/i;
/** Whether a secret is by its name a password: then it is no token, whatever form it has. */
export const isPassword = ({ name }: NamedSecret): boolean => OUTRIGHT.test(name);
/** The same for numbers. */
const NUMERIC_SECRET =
  /"([^"\\]*(?:secret|passw(?:or)?d|passphrase|pass|pwd|pin|otp|token|session|sid|api_?key))"\s*:\s*(\d+)/gi;
const MIN_DIGITS = 6;

/** A secret, and the name that replaces it. */
export interface NamedSecret {
  value: string;
  name: string;
  /** Whether it says who somebody is, such as an e-mail address: then parts of it are no secret. */
  isIdentity?: boolean;
  /** How many characters at its start are no secret by themselves, such as the prefix of a token. */
  openLength?: number;
}

/** What the API in question adds to the general rules. */
export interface SecretRules {
  /** Made-up tokens: they open nothing, so reports may show them. */
  harmless: ReadonlySet<string>;
  /** The windows of text that anybody may know: what a secret has in common with it is not redacted by itself. */
  common(): WindowTable;
  /** How many characters at the start of a secret are none by themselves. */
  openLength(secret: NamedSecret): number;
  /** Secrets in an exchange that no general rule finds. */
  secretsIn(exchange: Exchange): NamedSecret[];
  /** What kind of credential a text is by its form; undefined when it is none. */
  kindOf(text: string, exchange: Exchange): string | undefined;
}

/** A longer text is cut before it is printed. */
const MAX_TEXT = 200_000;
/** More credentials than any run comes across: whoever sends them wants to use up the memory. */
const MAX_SECRETS = 50_000;
const WITHHELD = '(withheld: the target answered with more credentials than can be redacted)';

/** How many runs' secrets are remembered: two of `verify --compare`, each in its parts. */
const MAX_LATEST = 16;

/** Knows every credential of a run and redacts it: see scrubber() for the forms in which it is found. */
export class Secrets {
  static readonly #latest: Secrets[] = [];
  /** Called with the secrets that were added. */
  onAdd: (secrets: readonly NamedSecret[]) => void = () => {};
  readonly #rules: SecretRules;
  readonly #known = new Map<string, NamedSecret>();
  readonly #seen = new WeakSet<Exchange>();
  /** Bodies by their URL: the same answer shows nothing new. */
  readonly #seenBodies = new Set<string>();
  /** Made when first needed after a secret was added. */
  #scrub: ((text: string) => string) | undefined;
  /** Reports repeat the same header values and names a thousand times. */
  readonly #clean = new Map<string, string>();

  constructor(given: readonly NamedSecret[], rules: SecretRules) {
    this.#rules = rules;
    this.add(given);
    Secrets.#latest.push(this);
    if (Secrets.#latest.length > MAX_LATEST) Secrets.#latest.shift();
  }

  /** A text without the secrets of the latest runs of this process: for what is printed when it crashes. */
  static scrubLatest(text: string): string {
    return Secrets.#latest.reduce((scrubbed, secrets) => secrets.scrub(scrubbed), text);
  }

  /** Whether the name of a header says that its value is a credential. */
  static isSecretHeader(name: string): boolean {
    return SECRET_HEADER.test(name);
  }

  /** Every secret that is known so far. */
  get all(): NamedSecret[] {
    return [...this.#known.values()];
  }

  /** Adds secrets under the names that replace them. The first name of a value is kept. */
  add(secrets: readonly NamedSecret[]): void {
    const added: NamedSecret[] = [];
    for (const secret of secrets) {
      const { value } = secret;
      const known = this.#known.get(value);
      if (value.length < MIN_LENGTH || (known && !known.isIdentity) || this.#known.size > MAX_SECRETS) continue;
      const openLength = this.#rules.openLength(secret);
      this.#known.set(value, { ...secret, openLength, ...(known ? { name: known.name } : {}) });
      added.push(secret);
    }
    if (added.length === 0) return;
    this.#scrub = undefined;
    this.#clean.clear();
    this.onAdd(added);
  }

  /** Adds what an exchange shows to be a credential: by the name of a member or header, or by its form. */
  learnFrom(exchange: Exchange): void {
    if (this.#seen.has(exchange)) return;
    this.#seen.add(exchange);
    const { request, response } = exchange;
    for (const [name, value] of Object.entries(request.headers)) {
      const token = value.replace(/^(Bearer|Basic)( |$)/i, '');
      if (SECRET_HEADER.test(name) && !this.#rules.harmless.has(token))
        this.add([{ value: token, name: exchange.credential ?? `${name} header` }]);
    }
    if (!response) return;
    this.add([...headerSecrets(response.headers), ...this.#rules.secretsIn(exchange)]);
    const key = `${request.url}\n${response.body}`;
    if (this.#seenBodies.has(key)) return;
    this.#seenBodies.add(key);
    for (const [, name = '', digits = ''] of response.body.matchAll(NUMERIC_SECRET))
      if (digits.length >= (OUTRIGHT.test(name) ? MIN_LENGTH : MIN_DIGITS)) this.add([{ value: digits, name }]);
    for (const { path, value } of findStrings(jsonOf({ response }))) {
      const member = path.at(-1) ?? '';
      const kind = isSecretMember(member, value) ? member : isJwt(value) ? 'JWT' : this.#rules.kindOf(value, exchange);
      if (kind !== undefined) this.add([{ value, name: kind }]);
    }
  }

  /** The text without any secret, cut where it is longer than anybody reads. */
  scrub(text: string): string {
    if (this.#known.size > MAX_SECRETS) return WITHHELD;
    if (text.length < MIN_LENGTH) return text;
    let clean = this.#clean.get(text);
    if (clean === undefined) {
      this.#scrub ??= scrubber(this.#known.values(), this.#rules.common());
      clean = this.#scrub(text.slice(0, MAX_TEXT));
      if (text.length > MAX_TEXT) clean += `… (${text.length - MAX_TEXT} more characters)`;
      this.#clean.set(text, clean);
    }
    return clean;
  }

  /**
   * A deep copy of a JSON value with all text scrubbed, and numbers that are secrets replaced by text. `isOurs` says of a
   * member's name that it is not the target's: it stays, whatever secrets are.
   */
  scrubJson<T>(value: T, isOurs: (name: string) => boolean = () => false): T {
    const clean = (part: unknown): unknown => {
      if (typeof part === 'string') return this.scrub(part);
      if (typeof part === 'number') {
        const text = this.scrub(String(part));
        return text === String(part) ? part : text;
      }
      if (Array.isArray(part)) return part.map(clean);
      if (typeof part !== 'object' || part === null) return part;
      const name = (key: string): string => (isOurs(key) ? key : this.scrub(key));
      return Object.fromEntries(Object.entries(part).map(([key, item]) => [name(key), clean(item)]));
    };
    return clean(value) as T;
  }
}

/** The values of cookies. Their attributes are no secrets, and stand elsewhere as well: hosts, paths, words, a date with a comma. */
const cookieValues = (header: string): string[] =>
  header
    .split(/[,\n]/)
    .map((piece) => piece.slice(0, `${piece};`.indexOf(';')).trim())
    .filter((pair) => !/^\d\d[ -]/.test(pair))
    .map((pair) => pair.replace(/^[^=]*=/, ''));

function headerSecrets(headers: Record<string, string>): NamedSecret[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const found: NamedSecret[] = [];
    if (name === 'set-cookie') found.push(...cookieValues(value).map((cookie) => ({ value: cookie, name: 'cookie' })));
    else if (SECRET_HEADER.test(name)) found.push({ value, name: `${name} header` });
    const jwts = value.split(/[\s=;,"]+/).filter(isJwt);
    return [...found, ...jwts.map((jwt) => ({ value: jwt, name: 'JWT' }))];
  });
}

function isSecretMember(name: string, value: string): boolean {
  if (OUTRIGHT.test(name)) return value.length >= MIN_LENGTH;
  const isWord = OFTEN_WORDS.test(name) && WORDS.test(value);
  const isAbout = ABOUT_A_SECRET.test(name) && !SESSION_ID.test(name);
  return SECRET_MEMBER.test(name) && !isAbout && value.length >= 8 && !isWord;
}
