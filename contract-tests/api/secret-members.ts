import type { JsonObject } from '../values/json.ts';
import { asNumber } from '../values/json.ts';
import {
  holdsKnownKey,
  isWholeKey,
  isWordy,
  lettersOf,
  looksRandom,
  mayBeRandom,
  wordsOf,
} from '../values/secret-looks.ts';

const OUTRIGHT =
  /^(secret|secretkey|keysecret|apisecret|clientsecret|secretvalue|password|passwd|plainkey|rawkey|fullkey|privatekey)$|plaintext|decrypted/;
/** Names that speak of a secret, but perhaps only of its store or its kind: the value must look like one too. */
const LIKELY =
  /secret|password|private|authorization|(api|auth|access)(key|token)|^(keys?|apikeyvalue|keyvalue|value|tokens?|apitokens?|bearertoken|credentials?|providerkeys?)$/;
/** Names of what shows a part of a secret, by words; a preview may be one of something else. */
const PART = /(^|_)(hint|masked|redacted|obfuscated|truncated)(_|$)|(key|secret|token|credential)_preview/;
/** Names of what is known about a secret, by words: has_secret, secret_rotated_at, key_last4. */
const ABOUT =
  /^(has|is|hashed|encrypted|last)_|_(at|by|on|ids?|refs?|reference|name|arn|type|path|uri|url|version|status|length|encrypted|algorithm)$|last_?(4|four)|prefix|suffix/;
const DIGEST = /hash|digest|fingerprint|checksum/;
/** Names under which even what looks like the key of a provider is but a sign of it. */
const SIGN_OF_KEY = /hint|id$|prefix|last/;
/** Where a secret is kept, its digest, and the identifier of an access key, which are not the secret. */
const NO_SECRET =
  /^(arn|vault|projects|secrets?|https?|kms|env|ref)[:/]|^(sha-?\d+|md5|hmac|blake\w*|crc\d*|\$2[aby]?|\$argon\w*)[:=$-]|^(AKIA|ASIA)[A-Z0-9]{16}$|^(none|null|unset|set|true|false|yes|no|present|absent|missing|stored|configured|encrypted)$|redacted|hidden|masked/i;
/** How keys of providers start, even those that are invented for a test. */
const START_OF_KEY = /^(sk|gsk|hf|xai|pplx|tvly|r8)[-_]\S{8,}$/;
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

const withoutMasks = (value: string): string => value.replace(/(.)\1{3,}|[*•…]+|\.{3,}|#{3,}/gu, ' ');

const isByte = (value: unknown): boolean => Number.isInteger(value) && asNumber(value) >= 0 && asNumber(value) <= 255;

/** What may be a secret in a JSON value: texts, long numbers, and bytes in a list, as Node writes a Buffer, too. */
function findValues(value: unknown, path: string[] = []): FoundValue[] {
  if (typeof value === 'string') return [{ path, value, shown: value }];
  if (typeof value === 'number') {
    const digits = String(value);
    return [{ path, value: digits, shown: `a number of ${digits.length} digits`, isNumber: true }];
  }
  if (Array.isArray(value) && value.length >= 8 && value.every(isByte))
    return [{ path, value: Buffer.from(value).toString('latin1'), shown: `${value.length} bytes` }];
  return Object.entries(Object(value)).flatMap(([name, inside]) => findValues(inside, [...path, name]));
}

const isOutright = (words: string): boolean =>
  OUTRIGHT.test(lettersOf(words)) && !ABOUT.test(words) && !DIGEST.test(words) && !PART.test(words);

/** The words of the name of a value: the nearest one that is no position in a list, and says something. */
function nameOf(path: string[]): string {
  const [name = '', above = ''] = path.filter((each) => !/^\d+$/.test(each)).reverse();
  return wordsOf(CONTAINER.test(name) && isOutright(wordsOf(above)) ? above : name);
}

function isSecretByName(words: string, value: string): boolean {
  const rest = withoutMasks(value);
  if (NO_SECRET.test(value)) return false;
  if (isOutright(words)) return value.length >= 4 && (rest === value || mayBeRandom(rest));
  if (ABOUT.test(words) || /\s/.test(value)) return false;
  if (PART.test(words)) return looksRandom(rest);
  if (!LIKELY.test(lettersOf(words))) return false;
  return (mayBeRandom(rest) && !isWordy(rest)) || (rest === value && START_OF_KEY.test(value));
}

function isSecret({ path, value, isNumber }: FoundValue): boolean {
  const words = nameOf(path);
  if (isNumber) return value.length >= 6 && isOutright(words);
  if (DIGEST.test(words)) return false;
  const bare = value.replace(SCHEME, '');
  if (isSecretByName(words, bare) || isWholeKey(value)) return true;
  const isSign = SIGN_OF_KEY.test(lettersOf(words)) || (path.length === 1 && DOCUMENTED.has(words));
  return !isSign && holdsKnownKey(bare);
}

/** The values in a listed API key that are its secret by name or looks (part 2); masks, hints, hashes, references are none. */
export const secretsIn = (key: JsonObject): FoundValue[] => findValues(key).filter(isSecret);
