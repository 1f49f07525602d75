import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { JwtCodec } from '../core/jwt.ts';
import { isObject } from '../core/spec/document.ts';

const cacheLimit = 1000;
const keys = new Map<string, KeyObject>();

/** The key as a key object: the library first parses a text as a public key. */
function keyOf(text: string): KeyObject {
  const cached = keys.get(text);
  if (cached) return cached;
  if (keys.size >= cacheLimit) keys.clear();
  const key = createSecretKey(text, 'utf8');
  keys.set(text, key);
  return key;
}

export const nodeJwt: JwtCodec = {
  // As text: for an object, the library replaces `iat: 0` by the machine's time.
  sign: (claims, key) =>
    jwt.sign(JSON.stringify(claims), keyOf(key), { algorithm: 'HS256', header: { alg: 'HS256', typ: 'JWT' } }),
  verify(token, key) {
    try {
      // Expiry follows the world's clock.
      const options = { algorithms: ['HS256' as const], ignoreExpiration: true, ignoreNotBefore: true };
      const claims: unknown = jwt.verify(token, keyOf(key), options);
      return isObject(claims) ? claims : undefined;
    } catch {
      return undefined;
    }
  },
};
