import { type FoundString, findStrings, type JsonObject } from './formats.ts';

/** Names that say outright that their value is secret. */
const SECRET_NAME =
  /^(secret|secretkey|keysecret|apisecret|clientsecret|secretvalue|password|passwd|plaintext|plaintextkey|plainkey|rawkey|fullkey|decryptedkey|privatekey)$/;
/** Names that often hold a secret, and sometimes something harmless: the value must look like one too. */
const POSSIBLE_NAME =
  /^(key|apikey|apikeyvalue|keyvalue|value|token|accesstoken|apitoken|bearertoken|credential|credentials|providerkey)$/;
/** How keys of well-known providers start. */
const KNOWN_KEY = /\b(sk|pk|rk|gsk|hf|xai|pplx|tvly|r8|key|api)[-_][A-Za-z0-9_-]{12,}|\bAIza[A-Za-z0-9_-]{20,}/;
/** Signs of a value that was masked before it was listed. */
const MASKED = /\*|•|…|\.\.\.|x{4,}|#{3,}|redacted|hidden|masked/i;
/** Fields of part 2, which hold no secret whatever they look like. */
const DOCUMENTED = new Set(['id', 'provider', 'name', 'status', 'created_at']);

/**
 * The first value in a listed API key that is its secret by name or looks (part 2: the secret is not part of it).
 * Masked values, hints such as the last four characters, hashes and references are let through.
 */
export function secretIn(key: JsonObject): FoundString | undefined {
  return findStrings(key).find(({ path, value }) => {
    if (MASKED.test(value)) return false;
    const name = (path.at(-1) ?? '').replace(/[^A-Za-z]/g, '').toLowerCase();
    if (SECRET_NAME.test(name)) return value.length >= 4;
    if (POSSIBLE_NAME.test(name)) return value.length >= 12 && !/\s/.test(value);
    if (path.length === 1 && DOCUMENTED.has(path[0] ?? '') && path[0] !== 'name') return false;
    return KNOWN_KEY.test(value) && !/hash|fingerprint|hint|id$|prefix|last/.test(name);
  });
}
