import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { JwtCodec } from '../core/jwt.ts';
import { memoized } from '../core/memoized.ts';
import { isObject } from '../core/spec/document.ts';

/** The key as a key object: the library first parses a text as a public key. */
const keyOf = memoized(1000, (text) => createSecretKey(text, 'utf8'));

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
