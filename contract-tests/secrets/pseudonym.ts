import { partsOfPat } from '../api/token-forms.ts';
import { memberOf, objectOf, parseJson } from '../values/json.ts';
import { decodeJwt } from '../values/jwt.ts';
import { UUID } from '../values/secret-looks.ts';
import type { Secret } from './known.ts';
import { bytesOf } from './views.ts';

/** Claims that say when a token lives, and nothing of whom. */
const TIMES = ['iat', 'exp', 'nbf'];
/** How a credential starts: masked, or as those of a provider (`sk-`). It is too short to be a secret by itself. */
const START = /^(?:[a-z]{2,6}[-_]|\*{1,7})/;
/** The prefix of a PAT, which is no secret; what is longer, or has other characters, may be one of another form. */
const PREFIX = /^[A-Za-z0-9-]{1,16}_/;
const SHORTEST = 20;
const LONGEST = 512;

/** Whether a value is an address of a person, which a user principal name is as well. */
const ADDRESS = /^([^@\s]+)@([^@\s]+)$/;
/** A claim of fewer characters is the same as other values by chance. */
const MIN_CLAIM = 8;

/** Whom the claims of an SSO login identify (4.1): nothing else is asked for there. */
export function claimsIn({ url, body }: { url: string; body?: string }): Secret[] {
  if (!/\/v1\/auth\/sso(?:[?#]|$)/.test(url)) return [];
  const sent = objectOf(parseJson(body ?? ''));
  return ['oid', 'upn'].flatMap((name) => {
    const value = memberOf(sent, name);
    return typeof value === 'string' && value.length >= MIN_CLAIM ? [{ value, name, isWhole: true }] : [];
  });
}

/** What replaces secrets of one recording. An oid is replaced by its public salt: by it, who has the oid finds out who signed in. */
export const pseudonymizer =
  (key: string, salt: string, hmac: (key: string, text: string) => string) =>
  (secret: Secret): string =>
    pseudonymOf(secret, (text) => hmac(secret.name === 'oid' && UUID.test(secret.value) ? salt : key, text));

/** What replaces a secret, in its form: rules judge a recording like traffic. `hmac` is a keyed digest in hexadecimal digits. */
function pseudonymOf({ value, isPassword, isNumber, isWhole }: Secret, hmac: (text: string) => string): string {
  /** So many characters that stand for a text, and for no other. */
  const digest = (text: string, length: number): string => {
    const wanted = Math.min(length, LONGEST);
    let found = '';
    for (let part = 0; found.length < wanted; part += 1) found += hmac(`${part} ${text}`);
    return found.slice(0, wanted);
  };
  if (isWhole && UUID.test(value))
    return digest(value.toLowerCase(), 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const [, local, domain] = (isWhole && ADDRESS.exec(value.toLowerCase())) || [];
  if (local && domain) return `${digest(local, SHORTEST)}@${digest(domain, SHORTEST)}.example`;
  if (isNumber || /^\d+$/.test(value)) {
    // So many digits as the number has, of which the first one is not 0.
    const digits = BigInt(`0x1${digest(value, 60)}`).toString();
    return digits.slice(0, /^\d+/.exec(value)?.[0].length ?? 1);
  }
  if (isPassword) return digest(value, Math.max(SHORTEST, value.length));
  // One without a signature is no JWT to the suite, and must stay what it is.
  const parts = value.split('.');
  const jwt = decodeJwt(parts.length === 3 && parts[2] === '' ? `${value}x` : value);
  if (jwt) {
    const { alg, typ } = jwt.header;
    const times = Object.fromEntries(Object.entries(jwt.payload).filter(([name]) => TIMES.includes(name)));
    const [header = '', payload = '', signature = ''] = parts;
    const signed = [
      { alg, typ, kid: digest(header, SHORTEST) },
      { ...times, jti: digest(payload, SHORTEST) },
    ];
    return [...signed.map(encoded), signature && digest(signature, Math.max(SHORTEST, signature.length))].join('.');
  }
  const pat = partsOfPat(value);
  const prefix = PREFIX.exec(pat?.head ?? '')?.[0];
  if (pat && prefix)
    return `${prefix}${digest(pat.head, SHORTEST)}.${digest(pat.secret, Math.max(SHORTEST, pat.secret.length))}`;
  const start = START.exec(value)?.[0] ?? '';
  return start + digest(value, Math.max(SHORTEST, value.length - start.length));
}

const encoded = (value: object): string =>
  btoa(bytesOf(JSON.stringify(value)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
