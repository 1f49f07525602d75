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
  readonly key: string;
  readonly claims: Map<string, Claims>;
}

const mostKept = 1000;
const verified = new WeakMap<World, Verified>();

/** The claims of an access token that this world signed, expired or not; `undefined` for any other. */
export function claimsOf(world: World, token: string): Claims | undefined {
  const kept = verifiedUnder(world);
  const known = kept.get(token);
  if (known) return known;
  const { sub, exp, nbf = 0, jti } = world.services.jwt.verify(token, world.signingKey) ?? {};
  if (typeof exp !== 'number' || typeof sub !== 'string' || typeof nbf !== 'number') return undefined;
  const claims = { sub, exp, nbf, jti: typeof jti === 'string' ? jti : undefined };
  const [oldest] = kept.keys();
  if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
  kept.set(token, claims);
  return claims;
}

/** As claimsOf, for a token that is valid now, on the world's clock. */
export function validClaims(world: World, token: string): Claims | undefined {
  const claims = claimsOf(world, token);
  const now = world.clock.nowSeconds();
  return claims && claims.nbf <= now && now < claims.exp ? claims : undefined;
}

function verifiedUnder(world: World): Map<string, Claims> {
  const known = verified.get(world);
  if (known?.key === world.signingKey) return known.claims;
  const made = { key: world.signingKey, claims: new Map<string, Claims>() };
  verified.set(world, made);
  return made.claims;
}
