import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { World } from '../world/world.ts';

/** What a signed access token of ours says. */
export interface Claims {
  readonly sub: string;
  readonly exp: number;
  readonly nbf: number;
  readonly jti: string | undefined;
}

/** Tokens whose signature was verified under one key: a client sends the same one with every request. */
interface Verified {
  readonly text: string;
  readonly key: KeyObject;
  readonly claims: Map<string, Claims>;
}

const mostKept = 1000;
const verified = new WeakMap<World, Verified>();

/**
 * The claims of an access token that is ours and valid now, on the world's clock; `undefined` for any other. The
 * signature of a token is verified once for each key; whether its time is over is asked each time.
 */
export function validClaims(world: World, token: string): Claims | undefined {
  const { key, claims: kept } = verifiedUnder(world);
  const now = world.clock.nowSeconds();
  const known = kept.get(token);
  if (known) return known.nbf <= now && now < known.exp ? known : undefined;
  const claims = verify(token, key, now);
  if (!claims) return undefined;
  const [oldest] = kept.keys();
  if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
  kept.set(token, claims);
  return claims;
}

function verifiedUnder(world: World): Verified {
  const known = verified.get(world);
  if (known?.text === world.signingKey) return known;
  const text = world.signingKey;
  // As a key object: of a text the library would first try, at some length, whether it is a public key.
  const made = { text, key: createSecretKey(text, 'utf8'), claims: new Map<string, Claims>() };
  verified.set(world, made);
  return made;
}

function verify(token: string, key: KeyObject, now: number): Claims | undefined {
  try {
    // Pinned: a token must not choose how it is checked.
    const claims = jwt.verify(token, key, { algorithms: ['HS256'], clockTimestamp: now });
    if (typeof claims === 'string') return undefined;
    const { sub, exp, nbf = 0, jti } = claims;
    return typeof exp === 'number' && typeof sub === 'string' ? { sub, exp, nbf, jti } : undefined;
  } catch {
    return undefined;
  }
}
