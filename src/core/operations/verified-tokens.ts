import type { World } from '../world/world.ts';

/** The claims of a verified access token. */
export interface Claims {
  readonly sub: string;
  readonly exp: number;
  readonly nbf: number;
  readonly jti: string | undefined;
}

/** Verified claims by token, under one key: a client sends the same token with every request. */
interface VerifiedTokens {
  readonly key: string;
  readonly claims: Map<string, Claims>;
}

const cacheLimit = 1000;
const verified = new WeakMap<World, VerifiedTokens>();

/** The claims of an access token that this world signed, expired or not; `undefined` for any other token. */
export function claimsOf(world: World, token: string): Claims | undefined {
  const cached = verifiedClaims(world);
  const known = cached.get(token);
  if (known) return known;
  const { sub, exp, nbf = 0, jti } = world.services.jwt.verify(token, world.signingKey) ?? {};
  if (typeof exp !== 'number' || typeof sub !== 'string' || typeof nbf !== 'number') return undefined;
  const claims = { sub, exp, nbf, jti: typeof jti === 'string' ? jti : undefined };
  const [oldest] = cached.keys();
  if (cached.size >= cacheLimit && oldest !== undefined) cached.delete(oldest);
  cached.set(token, claims);
  return claims;
}

/** As claimsOf, only for a token that is valid at the world's present time. */
export function validClaims(world: World, token: string): Claims | undefined {
  const claims = claimsOf(world, token);
  const now = world.clock.nowSeconds();
  return claims && claims.nbf <= now && now < claims.exp ? claims : undefined;
}

function verifiedClaims(world: World): Map<string, Claims> {
  const known = verified.get(world);
  if (known?.key === world.signingKey) return known.claims;
  const made = { key: world.signingKey, claims: new Map<string, Claims>() };
  verified.set(world, made);
  return made.claims;
}
