import { equalInConstantTime, fromBase64url, hmacBase64url, toBase64url } from './crypto.ts';
import { isObject, type JsonObject, jsonOrText } from './spec/json.ts';

/** Signs and verifies JWTs with HS256: jsonwebtoken in Node (server/jwt.ts), `portableJwt` elsewhere. */
export interface JwtCodec {
  sign(claims: object, key: string): string;
  /** The claims of a token signed with `key`, expired or not; `undefined` for any other token. */
  verify(token: string, key: string): JsonObject | undefined;
}

/** Header and claims of a JWT, unverified; `undefined` if it is not a JWT. */
export function decodeJwt(token: string): { readonly header: JsonObject; readonly claims: JsonObject } | undefined {
  const [header, claims] = token.split('.').slice(0, 2).map(jsonOf);
  return header && claims && token.split('.').length === 3 ? { header, claims } : undefined;
}

function jsonOf(part: string): JsonObject | undefined {
  const value = jsonOrText(fromBase64url(part) ?? '');
  return isObject(value) ? value : undefined;
}

/** A JWT with any header, always signed with HS256. */
export function signedJwt(header: object, claims: object, key: string): string {
  const signed = `${toBase64url(JSON.stringify(header))}.${toBase64url(JSON.stringify(claims))}`;
  return `${signed}.${hmacBase64url(key, signed)}`;
}

export const portableJwt: JwtCodec = {
  sign: (claims, key) => signedJwt({ alg: 'HS256', typ: 'JWT' }, claims, key),
  verify(token, key) {
    const decoded = decodeJwt(token);
    // Pinned: a token must not choose its algorithm.
    if (decoded?.header.alg !== 'HS256') return undefined;
    const end = token.lastIndexOf('.');
    const genuine = hmacBase64url(key, token.slice(0, end));
    return equalInConstantTime(token.slice(end + 1), genuine) ? decoded.claims : undefined;
  },
};
