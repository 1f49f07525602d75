import { type FoundString, isObject, type JsonObject } from '../values/json.ts';
import {
  holdsKnownKey,
  isMasked,
  isWholeKey,
  leavesSecretReadable,
  looksRandom,
  mayBeRandom,
} from '../values/secret-looks.ts';

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
/** Names of a digest, which may look like anything. */
const DIGEST = /hash|digest|fingerprint|checksum/;
/** Names of what shows a part of a secret, by words; a preview may be one of something else. */
const PART_OF_SECRET = /(^|_)(hint|masked|redacted|obfuscated|truncated)(_|$)|(key|secret|token|credential)_preview/;
/** Names of what is known about that part. */
const ABOUT_PART = /_(at|by|on|ids?|refs?|reference|name|arn|type|path|uri|url|version|status|length|algorithm)$/;
/** Where a secret is kept, which is not the secret. */
const REFERENCE = /^(arn|vault|projects|secret|secrets|https?|kms|env|ref)[:/]/i;
/** Words in place of a secret. */
const NO_SECRET = /^(none|null|unset|set|true|false|yes|no|present|absent|missing|stored|configured|encrypted)$/i;
const SCHEME = /^(bearer|basic|token|apikey)\s+/i;
/** Fields of part 2, which hold no secret even if they look like one. */
const DOCUMENTED = new Set(['id', 'provider', 'name', 'status', 'created_at']);

/** Names that say nothing about their value: the name above them does. */
const CONTAINER = /^(value|raw|plain|bytes)$/i;

/** The name of a value: the nearest one that is no position in a list, and says something. */
function nameOf(path: string[]): string {
  const [name = '', above = ''] = path.filter((each) => !/^\d+$/.test(each)).reverse();
  return CONTAINER.test(name) && isOutright(above) ? above : name;
}

interface FoundValue extends FoundString {
  /** What a report says of it, where that is not the value itself: only texts are known as credentials, and scrubbed. */
  shown?: string;
  /** A number, or bytes that are not text: only the name can say whether it is a secret. */
  isOpaque: boolean;
}

/** A shorter number counts or orders something. */
const MIN_DIGITS = 6;
/** Minimum bytes in a list that may be a secret. */
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

/** Whether a value says by its name that it shows a part of the secret, and shows so much that it is no hint. */
function isPartThatTells(name: string, value: string): boolean {
  const words = wordsOf(name);
  if (!PART_OF_SECRET.test(words) || ABOUT_PART.test(words) || DIGEST.test(words)) return false;
  return !REFERENCE.test(value) && leavesSecretReadable(value);
}

function isSecret({ path, value, isOpaque }: FoundValue): boolean {
  const name = nameOf(path);
  if (isOpaque) return isOutright(name);
  if (isPartThatTells(name, value)) return true;
  if (isMasked(value)) return false;
  if (isSecretByName(name, value)) return true;
  const plain = name.replace(/[^A-Za-z]/g, '').toLowerCase();
  if (DIGEST.test(plain)) return false;
  if (isWholeKey(value)) return true;
  if (path.length === 1 && DOCUMENTED.has(name) && name !== 'name') return false;
  return holdsKnownKey(value.replace(SCHEME, '')) && !SIGN_OF_KEY.test(plain);
}

/**
 * The values in a listed API key that are its secret by name or looks (part 2), and what a report says of each; masks, hints,
 * hashes, references are none.
 */
export const secretsIn = (key: JsonObject) =>
  findValues(key)
    .filter(isSecret)
    .map(({ path, value, shown }) => ({ path, value, shown: shown ?? value }));

export const secretIn = (key: JsonObject) => secretsIn(key)[0];
