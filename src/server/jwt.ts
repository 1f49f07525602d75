import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { JwtCodec } from '../core/jwt.ts';
import { isObject } from '../core/spec/document.ts';

const mostKeys = 1000;
const keys = new Map<string, KeyObject>();

/** As a key object: of a text the library would first try, at some length, whether it is a public key. */
function keyOf(text: string): KeyObject {
  const known = keys.get(text);
  if (known) return known;
  if (keys.size >= mostKeys) keys.clear();
  const made = createSecretKey(text, 'utf8');
  keys.set(text, made);
  return made;
}

/** JWTs by jsonwebtoken. */
export const nodeJwt: JwtCodec = {
  // As a text: of an object the library takes `iat: 0` for one that is missing, and puts the machine's time there.
  sign: (claims, key) =>
    jwt.sign(JSON.stringify(claims), keyOf(key), { algorithm: 'HS256', header: { alg: 'HS256', typ: 'JWT' } }),
  verify(token, key) {
    try {
      // Whether it has expired is the world's clock's affair.
      const options = { algorithms: ['HS256' as const], ignoreExpiration: true, ignoreNotBefore: true };
      const claims: unknown = jwt.verify(token, keyOf(key), options);
      return isObject(claims) ? claims : undefined;
    } catch {
      return undefined;
    }
  },
};
