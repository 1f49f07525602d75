import { blocked } from '../failure.ts';
import { decodeJwt, type JsonObject, type Jwt } from './formats.ts';

export interface ForgedToken {
  what: string;
  token: string;
}

/** Tokens of no form that the document knows. */
export const GARBAGE_TOKENS = ['not-a-token', 'bm90LWEtaGVhZGVy.bm90LWEtcGF5bG9hZA.bm90LWEtc2lnbmF0dXJl'] as const;

function decoded(token: string, source: string): Jwt {
  const jwt = decodeJwt(token);
  if (!jwt) throw blocked('sso-access-token-jwt', `The access token of ${source} is no JWT`);
  return jwt;
}

const encode = (part: JsonObject): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Another character of the base64url alphabet, that differs in the bits that count whatever the position. */
function otherCharacter(character: string | undefined): string {
  return character === 'A' ? 'Q' : 'A';
}

/** `text` with the character at `index` replaced. */
function replaceAt(text: string, index: number): string {
  return text.slice(0, index) + otherCharacter(text[index]) + text.slice(index + 1);
}

/** The token with its claims changed under the old signature, and with its signature changed. */
export function tamperedJwts(token: string, source: string): ForgedToken[] {
  const { payload, parts } = decoded(token, source);
  const [header, body, signature] = parts;
  return [
    {
      what: 'a JWT with a claim added under the old signature',
      token: `${header}.${encode({ ...payload, tampered: true })}.${signature}`,
    },
    // Wherever it differs: a comparison that ends early would not see every place.
    ...(
      [
        ['start', 0],
        ['middle', Math.floor(signature.length / 2)],
        ['end', signature.length - 1],
      ] as const
    ).map(([where, at]) => ({
      what: `a JWT whose signature differs at its ${where}`,
      token: `${header}.${body}.${replaceAt(signature, at)}`,
    })),
  ];
}

/** The token's claims without a signature: by its own header, and as `alg: none`. */
export function emptiedJwts(token: string, source: string): ForgedToken[] {
  const { header, parts } = decoded(token, source);
  return [
    { what: 'a JWT with alg none and an empty signature', token: `${encode({ ...header, alg: 'none' })}.${parts[1]}.` },
    // RFC 7515 has the name in lower case; a list of forbidden names may overlook others.
    { what: 'a JWT with alg nOnE and an empty signature', token: `${encode({ ...header, alg: 'nOnE' })}.${parts[1]}.` },
    { what: 'a JWT whose signature was taken off', token: `${parts[0]}.${parts[1]}.` },
  ];
}

/** The PAT with a secret that is wrong at its start, in its middle and at its end, cut short, and left out. */
export function wrongSecretPats(pat: string): ForgedToken[] {
  const start = pat.indexOf('.') + 1;
  const secret = pat.slice(start);
  const half = Math.floor(secret.length / 2);
  const head = pat.slice(0, start);
  return [
    { what: 'a PAT whose secret starts with another character', token: head + replaceAt(secret, 0) },
    { what: 'a PAT whose secret differs in its middle', token: head + replaceAt(secret, half) },
    { what: 'a PAT whose secret ends with another character', token: head + replaceAt(secret, secret.length - 1) },
    { what: 'a PAT without its secret', token: head },
    ...(half > 0 ? [{ what: 'a PAT with half of its secret', token: head + secret.slice(0, half) }] : []),
  ];
}
