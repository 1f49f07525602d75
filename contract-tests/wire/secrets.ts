import type { Exchange } from '../model.ts';
import { jsonOf } from '../values/answer.ts';
import { findStrings } from '../values/json.ts';
import { findInHeader, findSecrets } from './find-secrets.ts';
import { type Found, valueIn } from './found.ts';
import { scrubber } from './scrub.ts';
import type { WindowTable } from './windows.ts';

/** A shorter value is not looked for, and one that is no password needs more. */
const MIN_LENGTH = 3;
const MIN_CREDENTIAL = 8;

/** A secret, and the name that replaces it. */
export interface NamedSecret {
  value: string;
  name: string;
  /** Whether it says who somebody is, such as an e-mail address: then parts of it are no secret. */
  isIdentity?: boolean;
  /** How many characters at its start are no secret by themselves, such as the prefix of a token. */
  openLength?: number;
  /**
   * Which parts of it are redacted as well: every run of eight bytes, unless said otherwise; or `most` of it and what looks
   * random; or `none`, since other values may hold the same by chance.
   */
  parts?: 'most' | 'none';
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
    for (const [name, value] of Object.entries(request.headers))
      this.#addFound(value, findInHeader(name, value), MIN_LENGTH, exchange.credential);
    if (!response) return;
    for (const [name, value] of Object.entries(response.headers)) {
      this.#addFound(value, findInHeader(name, value), MIN_LENGTH);
      this.#addFound(value, findSecrets(value));
    }
    this.add(this.#rules.secretsIn(exchange));
    const key = `${request.url}\n${response.body}`;
    if (this.#seenBodies.has(key)) return;
    this.#seenBodies.add(key);
    this.#addFound(response.body, findSecrets(response.body));
    for (const { value } of findStrings(jsonOf({ response }))) {
      const kind = this.#rules.kindOf(value, exchange);
      if (kind !== undefined) this.add([{ value, name: kind }]);
    }
  }

  #addFound(text: string, all: Iterable<Found | undefined>, least = MIN_CREDENTIAL, credential?: string): void {
    for (const found of all) {
      if (!found) continue;
      const value = valueIn(text.slice(found.from, found.to), found.style);
      const isLong = value.length >= (found.name.isPassword ? MIN_LENGTH : found.style === 'number' ? 1 : least);
      if (isLong && !this.#rules.harmless.has(value)) this.add([{ value, name: credential ?? found.name.name }]);
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
