import { OPERATIONS, SAMPLE_ID } from '../api/operations.ts';
import { secretsIn } from '../api/secret-members.ts';
import { BASIC_CREDENTIALS, GARBAGE_TOKENS, isPatForm, PLACES_OF_NO_TOKEN } from '../api/token-forms.ts';
import type { Exchange } from '../model.ts';
import { loadGaps, loadRequirements } from '../spec-data.ts';
import { jsonOf } from '../values/answer.ts';
import { asText, findStrings, isObject, mapJson, parseJson } from '../values/json.ts';
import { lazy } from '../values/once.ts';
import type { Secret } from './known.ts';
import { secretName } from './names.ts';
import { claimsIn } from './pseudonym.ts';
import { finish, mapTexts, type Read, Sieve, sieved } from './sieve.ts';

/** What a target file says that may be, or hold, a credential. */
export interface SecretSource {
  headers?: Record<string, string>;
  actors?: object;
  resources?: object;
}

/** A shorter identity is the same as other values by chance. */
const MIN_CREDENTIAL = 8;
const MAX_TEXT = 200_000;
/** More credentials than any run comes across: such a target wants to use up the memory. */
const MAX_SECRETS = 50_000;
const WITHHELD = '(withheld: the target answered with more credentials than can be redacted)';
/** The runs of this process whose secrets are remembered: two of `verify --compare`, each in its parts. */
const MAX_LATEST = 16;
/** Exchanges that are kept until they are read, and characters of their texts that are kept until they are hidden. */
const MAX_KEPT = 2_000;
const MAX_CHARACTERS_KEPT = 1_000_000;
/** Where a secret is listed by mistake, reports must not repeat it. */
const LISTS_API_KEYS = /\/api-keys(\?|$)/;
/** Made-up tokens: they open nothing, so reports may show them. */
const HARMLESS: readonly string[] = [
  ...GARBAGE_TOKENS,
  ...PLACES_OF_NO_TOKEN,
  ...[BASIC_CREDENTIALS.slice('Basic '.length), 'nobody-has-this-password'],
];

/** The credentials of a run or a recording: those of the target file, and what exchanges show of more. Marks that say whose they are replace them in all that is printed. */
export class Secrets {
  static readonly #latest: Secrets[] = [];
  readonly #sieve: Sieve;
  /** The values that have a name, each of which a number tells from the others. */
  readonly #named = new Map<string, string[]>();
  /** Texts that were read for what they show, of which most are hidden later. */
  readonly #read = new Map<string, Read>();
  #charactersKept = 0;
  readonly #clean = new Map<string, string>();
  #unread: Exchange[] = [];

  /** @param whose the name of a token by the log, which knows who got it, and how a forged one differs from a good one */
  constructor(
    target: SecretSource,
    private readonly whose: (token: string) => string | undefined = () => undefined,
  ) {
    // A tenant's id that is a claim, too, keeps its own name.
    const open = new Set([...HARMLESS, ...openIn(target)]);
    this.#sieve = new Sieve({
      replacement: (secret) => this.#markOf(secret),
      isPublic: isPublicWord,
      isOpen: (value) => open.has(value),
      mostKnown: Number.POSITIVE_INFINITY,
    });
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
    this.#clean.clear();
    for (const secret of secrets) if (secret.value !== '') this.#sieve.add(secret);
  }

  /** Adds what an exchange shows, once that matters. */
  learnFrom(exchange: Exchange): void {
    this.#unread.push(exchange);
    if (this.#unread.length >= MAX_KEPT) this.#learn();
  }

  /** The same for an exchange that is not shown itself, of which a recording has very many: what others may repeat. */
  learnBriefly(exchange: Exchange): void {
    const { request, response } = exchange;
    if (request.method === 'POST') this.learnFrom(exchange);
    if (request.url.includes('?')) this.#readOnce(request.url);
    for (const [name, value] of Object.entries({ ...response?.headers, ...request.headers }))
      if (secretName(name)) this.#readOnce(value, name);
  }

  /** Adds what a text shows to be a credential. */
  learnText(text: string): void {
    this.#readOnce(text);
  }

  #learn(): void {
    for (const exchange of this.#unread.splice(0)) {
      for (const secret of listedSecrets(exchange)) this.#sieve.remember(secret);
      mapTexts(exchange, (text, header) => this.#readOnce(text, header).text);
      const { request, response, entry } = exchange;
      // Identities that the suite makes up are none.
      if (entry) this.add(claimsIn(request));
      // A refusal's own words may have that form: `value_error.missing`.
      if (!response || response.status >= 400 || !request.url.endsWith(OPERATIONS.pat.path)) continue;
      for (const { value } of findStrings(jsonOf({ response })))
        if (isPatForm(value) && value.length >= MIN_CREDENTIAL) this.add([{ value, name: 'PAT' }]);
    }
  }

  #readOnce(text: string, header = ''): Read {
    const part = `${header}\n${text}`;
    const known = this.#read.get(part);
    if (known) return known;
    if (this.#sieve.size > MAX_SECRETS) return { text: '', marks: [], views: [] };
    this.#clean.clear();
    const read = finish(this.#sieve.read(text.slice(0, MAX_TEXT), header));
    this.#charactersKept += part.length;
    if (this.#charactersKept > MAX_CHARACTERS_KEPT) {
      this.#read.clear();
      this.#charactersKept = part.length;
    }
    this.#read.set(part, read);
    return read;
  }

  #markOf({ value, name, isNumber }: Secret): string {
    const label = (this.whose(value) ?? name).replace(/^actors\./, '');
    // A name may come from the target, and hold a secret itself.
    const clean = this.#sieve.isIn(label) ? 'secret' : label;
    const values = this.#named.get(clean) ?? [];
    this.#named.set(clean, values);
    const at = values.includes(value) ? values.indexOf(value) : values.push(value) - 1;
    const mark = `‹${clean}${at === 0 ? '' : ` ${at + 1}`}›`;
    return isNumber ? `"${mark}"` : mark;
  }

  /** The text without any secret, cut where it is longer than anybody reads. */
  scrub(text: string): string {
    return this.#once(text, '', (cut) => this.#sieve.scrub(cut));
  }

  /** An exchange without any secret, and without what has the place of one, however short it is. */
  scrubExchange<E extends Exchange>(exchange: E): E {
    const hide = (text: string, header = ''): string =>
      this.#once(text, `${header}\n`, (cut) => finish(this.#sieve.hide(this.#readOnce(cut, header))));
    return mapTexts(exchange, hide);
  }

  /** A report has most of its texts several times. */
  #once(text: string, place: string, scrub: (text: string) => string): string {
    this.#learn();
    if (this.#sieve.size > MAX_SECRETS) return WITHHELD;
    const known = this.#clean.get(place + text);
    if (known !== undefined) return known;
    const more = text.length > MAX_TEXT ? `… (${text.length - MAX_TEXT} more characters)` : '';
    const scrubbed = scrub(text.slice(0, MAX_TEXT)) + more;
    this.#clean.set(place + text, scrubbed);
    return scrubbed;
  }

  /** A deep copy of a JSON value with all text scrubbed, and numbers that are secrets replaced by text. */
  scrubJson<T>(value: T): T {
    const clean = (part: unknown): unknown => {
      const text = typeof part === 'string' || typeof part === 'number' ? this.scrub(asText(part)) : '';
      return text === '' || text === asText(part) ? part : text;
    };
    const scrubbed = mapJson(value, clean, (name) => this.scrub(name));
    return typeof scrubbed === 'object' && scrubbed !== null ? sieved(scrubbed) : scrubbed;
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

/** What a target file says of its resources, which no mark replaces. */
const openIn = ({ actors = {}, resources = {} }: SecretSource): string[] =>
  findStrings({ actors, resources }).flatMap(({ path, value }) =>
    path[0] === 'resources' || path.at(-1) === 'tenantId' ? [value] : [],
  );

export function secretsOf({ headers = {}, actors = {} }: SecretSource): Secret[] {
  const given = findStrings(actors, ['string', 'number']).flatMap(({ path, value }) => {
    if (/^(role|tenantId)$/.test(path.at(-1) ?? '')) return [];
    const isIdentity = !path.slice(1).some((name) => secretName(name) !== undefined);
    if (isIdentity && value.length < MIN_CREDENTIAL) return [];
    return [{ value, name: path.join('.'), isWhole: isIdentity }];
  });
  const secret = Object.entries(headers).filter(([name]) => secretName(name));
  return [...given, ...secret.map(([name, value]) => ({ value, name: `headers.${name}` }))];
}
