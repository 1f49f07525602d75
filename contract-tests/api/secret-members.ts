import { isObject, type JsonObject } from '../values/json.ts';
import {
  holdsKnownKey,
  isMasked,
  isWholeKey,
  leavesSecretReadable,
  lettersOf,
  looksRandom,
  mayBeRandom,
  wordsOf,
} from '../values/secret-looks.ts';

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
const DIGEST = /hash|digest|fingerprint|checksum/;
/** Names of what shows a part of a secret, by words; a preview may be one of something else. */
const PART_OF_SECRET = /(^|_)(hint|masked|redacted|obfuscated|truncated)(_|$)|(key|secret|token|credential)_preview/;
const ABOUT_PART = /_(at|by|on|ids?|refs?|reference|name|arn|type|path|uri|url|version|status|length|algorithm)$/;
/** Where a secret is kept, which is not the secret. */
const REFERENCE = /^(arn|vault|projects|secret|secrets|https?|kms|env|ref)[:/]/i;
const NO_SECRET = /^(none|null|unset|set|true|false|yes|no|present|absent|missing|stored|configured|encrypted)$/i;
const SCHEME = /^(bearer|basic|token|apikey)\s+/i;
/** Fields of part 2, which hold no secret even if they look like one. */
const DOCUMENTED = new Set(['id', 'provider', 'status', 'created_at']);

/** Names that say nothing about their value: the name above them does. */
const CONTAINER = /^(value|raw|plain|bytes|data)$/i;

interface FoundValue {
  path: string[];
  value: string;
  /** What a report says of it: only texts are known as credentials, and scrubbed. */
  shown: string;
  isNumber?: boolean;
}

const isByte = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;

/** What may be a secret in a JSON value: texts, long numbers, and bytes in a list, as Node writes a Buffer, too. */
function findValues(value: unknown, path: string[] = []): FoundValue[] {
  if (typeof value === 'string') return [{ path, value, shown: value }];
  if (typeof value === 'number') {
    const digits = String(value);
    return [{ path, value: digits, shown: `a number of ${digits.length} digits`, isNumber: true }];
  }
  if (Array.isArray(value) && value.length >= 8 && value.every(isByte))
    return [{ path, value: Buffer.from(value).toString('latin1'), shown: `${value.length} bytes` }];
  if (!Array.isArray(value) && !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inside]) => findValues(inside, [...path, name]));
}

const isOutright = (words: string): boolean => !ABOUT_SECRET.test(words) && SECRET_NAME.test(lettersOf(words));

/** The words of the name of a value: the nearest one that is no position in a list, and says something. */
function nameOf(path: string[]): string {
  const [name = '', above = ''] = path.filter((each) => !/^\d+$/.test(each)).reverse();
  return wordsOf(CONTAINER.test(name) && isOutright(wordsOf(above)) ? above : name);
}

function isSecretByName(words: string, value: string): boolean {
  if (isOutright(words)) return value.length >= 4 && !NO_SECRET.test(value);
  const bare = value.replace(SCHEME, '');
  if (ABOUT_SECRET.test(words) || /\s/.test(bare)) return false;
  if (POSSIBLE_NAME.test(lettersOf(words))) return bare.length >= 12 && looksRandom(bare);
  return SECRET_WORD.test(lettersOf(words)) && mayBeRandom(bare);
}

function isSecret({ path, value, isNumber }: FoundValue): boolean {
  const words = nameOf(path);
  if (isNumber) return value.length >= 6 && isOutright(words);
  const isReference = REFERENCE.test(value);
  const isPart = PART_OF_SECRET.test(words) && !ABOUT_PART.test(words) && !DIGEST.test(words);
  if (isPart && !isReference && leavesSecretReadable(value)) return true;
  if (isMasked(value)) return false;
  if (!isReference && isSecretByName(words, value)) return true;
  if (DIGEST.test(words)) return false;
  if (isWholeKey(value)) return true;
  if (path.length === 1 && DOCUMENTED.has(words)) return false;
  return holdsKnownKey(value.replace(SCHEME, '')) && !SIGN_OF_KEY.test(lettersOf(words));
}

/** The values in a listed API key that are its secret by name or looks (part 2); masks, hints, hashes, references are none. */
export const secretsIn = (key: JsonObject): FoundValue[] => findValues(key).filter(isSecret);
