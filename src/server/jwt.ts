import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { JwtCodec } from '../core/jwt.ts';
import { isObject } from '../core/spec/document.ts';

const cacheLimit = 1000;
const keys = new Map<string, KeyObject>();

/** The key as a key object: given a text, the library would first try to parse it as a public key. */
function keyOf(text: string): KeyObject {
  const cached = keys.get(text);
  if (cached) return cached;
  if (keys.size >= cacheLimit) keys.clear();
  const key = createSecretKey(text, 'utf8');
  keys.set(text, key);
  return key;
}

/** JWTs with jsonwebtoken. */
export const nodeJwt: JwtCodec = {
  // As a text: of an object the library takes `iat: 0` for one that is missing, and puts the machine's time there.
  sign: (claims, key) =>
    jwt.sign(JSON.stringify(claims), keyOf(key), { algorithm: 'HS256', header: { alg: 'HS256', typ: 'JWT' } }),
  verify(token, key) {
    try {
      // Expiry is checked by the world's clock.
      const options = { algorithms: ['HS256' as const], ignoreExpiration: true, ignoreNotBefore: true };
      const claims: unknown = jwt.verify(token, keyOf(key), options);
      return isObject(claims) ? claims : undefined;
    } catch {
      return undefined;
    }
  },
};
