import { type FoundString, isObject, type JsonObject } from './formats.ts';

/** Names that say outright that their value is secret. */
const SECRET_NAME =
  /^(secret|secretkey|keysecret|apisecret|clientsecret|secretvalue|password|passwd|plainkey|rawkey|fullkey|privatekey)$|plaintext|decrypted/;
/** Names that speak of a secret, but perhaps only of its store or its kind: the value must look like one too. */
const SECRET_WORD = /secret|password|private|authorization|(api|auth|access)(key|token)/;
/** Names that often hold a secret, and sometimes something harmless: the value must look like one too. */
const POSSIBLE_NAME =
  /^(keys?|apikeys?|apikeyvalue|keyvalue|value|tokens?|accesstokens?|apitokens?|bearertoken|credentials?|providerkeys?)$/;
/** Names of what is known about a secret, by words: has_secret, secret_rotated_at, secretHint, key_last4. */
const ABOUT_SECRET =
  /^(has|is|masked|hashed|encrypted|last)_|_(at|by|on|id|ids|ref|reference|name|arn|hint|type|path|uri|url|version|status|length|preview|masked|encrypted|algorithm)$|hash|fingerprint|hint|last_?(4|four)|prefix|suffix/;
/** Names under which even what looks like the key of a provider is but a sign of it. */
const SIGN_OF_KEY = /hash|fingerprint|hint|id$|prefix|last/;
/** How keys of well-known providers start. */
const KNOWN_KEY = /\b(?:sk|pk|rk|gsk|hf|xai|pplx|tvly|r8)[-_]([A-Za-z0-9_-]{12,})/g;
const GOOGLE_KEY = /\bAIza[A-Za-z0-9_-]{20,}/;
/** Where a secret is kept, which is not the secret. */
const REFERENCE = /^(arn|vault|projects|secret|secrets|https?|kms|env|ref)[:/]/i;
/** Words in place of a secret. */
const NO_SECRET = /^(none|null|unset|set|true|false|yes|no|present|absent|missing|stored|configured|encrypted)$/i;
const SCHEME = /^(bearer|basic|token|apikey)\s+/i;
/** Fields of part 2, which hold no secret whatever they look like. */
const DOCUMENTED = new Set(['id', 'provider', 'name', 'status', 'created_at']);

/**
 * Whether a value was masked before it was listed: what is left of it is a hint, such as its start and last characters.
 * Letters may stand in a secret by chance, so they must be most of it.
 */
function isMasked(value: string): boolean {
  const rest = value.replace(/[*•…]+|\.{3,}|#{3,}/g, '');
  if (rest !== value && (rest.length <= 16 || rest.length * 2 <= value.length)) return true;
  const left = value.replace(/x{4,}|redacted|hidden|masked/gi, '').replace(/^[a-z0-9]{2,4}[-_]([a-z]{3,5}[-_])?/i, '');
  return /x{4,}|redacted|hidden|masked/i.test(value) && left.length * 2 <= value.length;
}

/** The runs of letters and digits; a secret has a long one, words joined by - _ / . : have short ones. */
const runsOf = (value: string): string[] => value.match(/[A-Za-z0-9]+/g) ?? [];

/** How often letters, capitals and digits take turns in a run; a capital that starts a word counts once. */
function turns(run: string): number {
  return run.match(/[a-z](?=[A-Z0-9])|[A-Z](?=\d)|\d(?=[A-Za-z])|[A-Z](?=[A-Z][a-z])/g)?.length ?? 0;
}

const hasBoth = (run: string): boolean => /\d/.test(run) && /[A-Za-z]/.test(run);
/** A word, or words in camel case, that end in a number at most. */
const isWords = (run: string): boolean => /^([A-Z]?[a-z]{2,}|[A-Z]{2,5}(?![a-z]))*\d{0,4}$/.test(run);
const isMixedCase = (run: string): boolean => run.length >= 16 && turns(run) >= 3 && !isWords(run);

/** Whether text looks random, where nothing but an ambiguous name speaks for a secret. */
function looksRandom(value: string): boolean {
  return runsOf(value).some((run) => (run.length >= 16 && hasBoth(run) && !isWords(run)) || isMixedCase(run));
}

/** The same, where the name or the start of the value speaks for a secret already: shorter runs will do. */
function mayBeRandom(value: string): boolean {
  return looksRandom(value) || runsOf(value).some((run) => run.length >= 10 && hasBoth(run) && turns(run) >= 3);
}

function holdsKnownKey(value: string): boolean {
  return GOOGLE_KEY.test(value) || [...value.matchAll(KNOWN_KEY)].some(([, key = '']) => mayBeRandom(key));
}

/** Names that say nothing of what they hold: what it is stands above them. */
const CONTAINER = /^(value|raw|plain|bytes)$/i;

/** The name of a value: the nearest one that is no position in a list, and says something. */
function nameOf(path: string[]): string {
  const [name = '', above = ''] = path.filter((each) => !/^\d+$/.test(each)).reverse();
  return CONTAINER.test(name) && isOutright(above) ? above : name;
}

interface FoundValue extends FoundString {
  /** What a report says of it, where that is not the value itself: only texts are known as credentials, and scrubbed. */
  shown?: string;
  /** A number, or bytes that are no text: nothing in it looks like a secret or not, so that only its name tells. */
  isOpaque: boolean;
}

/** A shorter number counts or orders something. */
const MIN_DIGITS = 6;
/** As many bytes in a list may be a secret. */
const MIN_BYTES = 8;

const isBytes = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length >= MIN_BYTES &&
  value.every((each) => Number.isInteger(each) && each >= 0 && each <= 255);

/** The text that bytes spell, else their hexadecimal digits. */
function textOf(bytes: number[], path: string[]): FoundValue {
  const isText = bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
  const value = Buffer.from(bytes).toString(isText ? 'latin1' : 'hex');
  return { path, value, shown: `${bytes.length} bytes`, isOpaque: !isText };
}

/** What may be a secret in a JSON value: texts, long numbers, and bytes in a list, as Node writes a Buffer, too. */
function findValues(value: unknown, path: string[] = []): FoundValue[] {
  if (typeof value === 'string') return [{ path, value, isOpaque: false }];
  if (typeof value === 'number') {
    const digits = String(value);
    return digits.length >= MIN_DIGITS
      ? [{ path, value: digits, shown: `a number of ${digits.length} digits`, isOpaque: true }]
      : [];
  }
  if (isBytes(value)) return [textOf(value, path)];
  if (isObject(value) && value.type === 'Buffer' && isBytes(value.data)) return [textOf(value.data, path)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => findValues(inside, [...path, name]));
}

/** The words of a name, in lower case with _ between them. */
const wordsOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();

/** Whether a name says outright that its value is secret. */
function isOutright(name: string): boolean {
  const words = wordsOf(name);
  return !ABOUT_SECRET.test(words) && SECRET_NAME.test(words.replace(/[^a-z]/g, ''));
}

function isSecretByName(name: string, value: string): boolean {
  const words = wordsOf(name);
  if (ABOUT_SECRET.test(words) || REFERENCE.test(value)) return false;
  const plain = words.replace(/[^a-z]/g, '');
  if (isOutright(name)) return value.length >= 4 && !NO_SECRET.test(value);
  const bare = value.replace(SCHEME, '');
  if (/\s/.test(bare)) return false;
  if (POSSIBLE_NAME.test(plain)) return bare.length >= 12 && looksRandom(bare);
  return SECRET_WORD.test(plain) && mayBeRandom(bare);
}

/**
 * The first value in a listed API key that is its secret by name or looks (part 2: the secret is not part of it).
 * Masked values, hints such as the last four characters, hashes and references are let through.
 */
export function secretIn(key: JsonObject): { path: string[]; shown: string } | undefined {
  const found = findValues(key).find(({ path, value, isOpaque }) => {
    const name = nameOf(path);
    if (isOpaque) return isOutright(name);
    if (isMasked(value)) return false;
    if (isSecretByName(name, value)) return true;
    if (path.length === 1 && DOCUMENTED.has(name) && name !== 'name') return false;
    return holdsKnownKey(value) && !SIGN_OF_KEY.test(name.replace(/[^A-Za-z]/g, '').toLowerCase());
  });
  return found && { path: found.path, shown: found.shown ?? found.value };
}
