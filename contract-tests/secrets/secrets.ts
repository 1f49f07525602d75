import { OPERATIONS, SAMPLE_ID } from '../api/operations.ts';
import { secretsIn } from '../api/secret-members.ts';
import { BASIC_CREDENTIALS, GARBAGE_TOKENS, isPatForm, PLACES_OF_NO_TOKEN } from '../api/token-forms.ts';
import type { Exchange } from '../model.ts';
import { loadGaps, loadRequirements } from '../spec-data.ts';
import { jsonOf } from '../values/answer.ts';
import { asText, findStrings, isObject, mapJson, parseJson } from '../values/json.ts';
import { lazy } from '../values/once.ts';
import { findIn } from './find.ts';
import { KnownSecrets, type Secret } from './known.ts';
import { secretName } from './names.ts';

/** What a target file says that may be, or hold, a credential. */
export interface SecretSource {
  baseUrl: string;
  headers?: Record<string, string>;
  actors?: object;
}

/** A shorter value is not looked for; one that is no password needs more to be told from words. */
const MIN_LENGTH = 3;
const MIN_CREDENTIAL = 8;
const MAX_TEXT = 200_000;
/** More credentials than any run comes across: such a target wants to use up the memory. */
const MAX_SECRETS = 50_000;
const WITHHELD = '(withheld: the target answered with more credentials than can be redacted)';
/** The runs of this process whose secrets are remembered: two of `verify --compare`, each in its parts. */
const MAX_LATEST = 16;
/** Where a secret is listed by mistake, reports must not repeat it. */
const LISTS_API_KEYS = /\/api-keys(\?|$)/;
/** Made-up tokens: they open nothing, so reports may show them. */
const HARMLESS = new Set<string>([...GARBAGE_TOKENS, ...PLACES_OF_NO_TOKEN, BASIC_CREDENTIALS]);

/** The credentials of a run: those of its target file, and what the API's answers show of more. They are redacted in all that is printed. */
export class Secrets {
  static readonly #latest: Secrets[] = [];
  readonly #known = new Map<string, Secret>();
  readonly #index = new KnownSecrets();
  /** Headers and bodies that were searched: most exchanges have those of others. */
  readonly #searched = new Set<string>();

  constructor(target: SecretSource) {
    this.add(secretsOf(target));
    Secrets.#latest.push(this);
    if (Secrets.#latest.length > MAX_LATEST) Secrets.#latest.shift();
  }

  /** A text without the secrets of the latest runs of this process: for what is printed when it crashes. */
  static scrubLatest(text: string): string {
    return Secrets.#latest.reduce((scrubbed, secrets) => secrets.scrub(scrubbed), text);
  }

  /** Adds secrets under the names that replace them. The first name of a value is kept. */
  add(secrets: readonly Secret[]): void {
    for (const secret of secrets) {
      const { value } = secret;
      const known = this.#known.get(value);
      if (value.length < MIN_LENGTH || (known && !known.isWhole) || this.#known.size > MAX_SECRETS) continue;
      const named = { ...secret, name: known?.name ?? secret.name };
      this.#known.set(value, named);
      this.#index.add(named);
    }
  }

  learnFrom(exchange: Exchange): void {
    const { request, response, credential } = exchange;
    this.#learnHeaders(request.headers, credential);
    if (!response) return;
    this.#learnHeaders(response.headers);
    this.add(listedSecrets(exchange));
    this.#learnOnce(response.body);
    // A refusal's own words may have that form: `value_error.missing`.
    if (response.status >= 400 || !request.url.endsWith(OPERATIONS.pat.path)) return;
    for (const { value } of findStrings(jsonOf({ response })))
      if (isPatForm(value) && value.length >= MIN_CREDENTIAL) this.add([{ value, name: 'PAT' }]);
  }

  #learnHeaders(headers: Readonly<Record<string, string>>, credential?: string): void {
    for (const [name, value] of Object.entries(headers)) this.#learnOnce(value, name, credential);
  }

  #learnOnce(text: string, header = '', credential = ''): void {
    const part = `${header}\n${credential}\n${text}`;
    if (!this.#searched.has(part)) this.learnText(text, header, credential || undefined);
    this.#searched.add(part);
  }

  /** Adds what a text, or the value of a header, shows to be a credential. */
  learnText(text: string, header = '', credential?: string): void {
    const least = header === '' ? MIN_CREDENTIAL : MIN_LENGTH;
    for (const { name, value, inside, isNumber } of findIn({ text }, header)) {
      const isLong = value.length >= (name.isPassword ? MIN_LENGTH : isNumber ? 1 : least);
      if (isLong && !HARMLESS.has(value)) this.add([{ value, name: credential ?? name.name }]);
      if (inside) this.add([{ value: inside, name: 'password' }]);
    }
  }

  /** The text without any secret, cut where it is longer than anybody reads. */
  scrub(text: string): string {
    if (this.#known.size > MAX_SECRETS) return WITHHELD;
    if (text.length < MIN_LENGTH) return text;
    const more = text.length > MAX_TEXT ? `… (${text.length - MAX_TEXT} more characters)` : '';
    return this.#index.scrub(text.slice(0, MAX_TEXT)) + more;
  }

  /** A deep copy of a JSON value with all text scrubbed, and numbers that are secrets replaced by text. */
  scrubJson<T>(value: T): T {
    // A report has most of its texts several times.
    const scrubbed = new Map<string, string>();
    const scrub = (text: string): string => {
      const known = scrubbed.get(text) ?? this.scrub(text);
      scrubbed.set(text, known);
      return known;
    };
    const clean = (part: unknown): unknown => {
      const text = typeof part === 'string' || typeof part === 'number' ? scrub(String(part)) : '';
      return text === '' || text === asText(part) ? part : text;
    };
    return mapJson(value, clean, scrub);
  }
}

/** The secrets that a list of API keys shows by mistake, under any name. */
export function listedSecrets({ request, response }: Exchange): Secret[] {
  if (!LISTS_API_KEYS.test(request.url)) return [];
  const keys = parseJson(response?.body ?? '');
  const found = Array.isArray(keys) ? keys.filter(isObject).flatMap(secretsIn) : [];
  return found.map(({ path, value }) => ({ value, name: path.join('.') }));
}

const wordsOfAll = (): string =>
  JSON.stringify([loadRequirements(), loadGaps(), OPERATIONS, SAMPLE_ID, USUAL_WORDS]).toLowerCase();
const words = lazy(() => new Set(wordsOfAll().match(/[\w-]+/g)));
/** Whether a value is a word of the document, or a usual one of HTTP: others use it by chance. */
export const isPublicWord = (value: string): boolean => words().has(value.toLowerCase());
const USUAL_WORDS = 'basic charset utf-8 problem text html password refresh-token access-token session-id http https';

function secretsOf({ baseUrl, headers = {}, actors = {} }: SecretSource): Secret[] {
  const given = findStrings(actors, ['string', 'number']).flatMap(({ path, value }) => {
    if (/^(role|tenantId)$/.test(path.at(-1) ?? '')) return [];
    const isIdentity = !path.slice(1).some((name) => secretName(name) !== undefined);
    if (isIdentity && value.length < MIN_CREDENTIAL) return [];
    return [{ value, name: `actors.${path.join('.')}`, isWhole: isIdentity }];
  });
  const secret = Object.entries(headers).filter(([name]) => secretName(name));
  const password = URL.canParse(baseUrl) ? new URL(baseUrl).password : '';
  const named = secret.map(([name, value]) => ({ value, name: `headers.${name}` }));
  return [...given, ...named, { value: password, name: 'baseUrl password' }];
}
