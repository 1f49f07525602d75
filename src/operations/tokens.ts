import { createHash, timingSafeEqual } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Pat, User } from '../world/records.ts';
import type { World } from '../world/world.ts';

const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Compares without telling by its duration where two texts differ. */
export function equalSecrets(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(hash(left)), Buffer.from(hash(right)));
}

/** Signs a JWT access token (HS256) for `user`, valid for `lifetime` seconds from the world's present time. */
export function issueAccessToken(
  world: World,
  user: User,
  lifetime = world.answers.get('access-token-lifetime'),
): string {
  const issued = world.clock.nowSeconds();
  const claims = { sub: user.id, iat: issued, exp: issued + lifetime, jti: world.ids.next('jwt', user.id) };
  return jwt.sign(claims, world.signingKey, { algorithm: 'HS256' });
}

/** The user whom a JWT access token names; `undefined` when it is not ours, was changed, or is over. */
export function userOfAccessToken(world: World, token: string): User | undefined {
  try {
    const claims = jwt.verify(token, world.signingKey, {
      // Pinned: a token must not choose how it is checked.
      algorithms: ['HS256'],
      clockTimestamp: world.clock.nowSeconds(),
    });
    if (typeof claims === 'string' || typeof claims.exp !== 'number' || typeof claims.sub !== 'string')
      return undefined;
    return world.store.users.get(claims.sub);
  } catch {
    return undefined;
  }
}

/** Makes a refresh token: opaque, kept as its hash only. */
export function issueRefreshToken(world: World, user: User): string {
  const token = world.ids.nextSecret('refresh-token', user.id);
  const expires = new Date(world.clock.now() + world.answers.get('refresh-lifetime') * 1000).toISOString();
  world.store.refreshTokens.put({ id: hash(token), user_id: user.id, expires_at: expires });
  return token;
}

/** The user to whom a refresh token was given; `undefined` when it is unknown, spent or over. */
export function userOfRefreshToken(world: World, token: string): User | undefined {
  const found = world.store.refreshTokens.get(hash(token));
  if (!found || found.expires_at <= world.clock.nowIso()) return undefined;
  return world.store.users.get(found.user_id);
}

/** Refuses the refresh token from now on. */
export const spendRefreshToken = (world: World, token: string): void => world.store.refreshTokens.delete(hash(token));

/** Makes a personal access token of the form `<token_prefix>_<tokenId>.<secret>` (part 5). Its secret is kept as a hash. */
export function issuePat(
  world: World,
  user: User,
  name: string,
  scopes: readonly string[],
): { pat: Pat; token: string } {
  const id = world.ids.next('pat', user.id).replaceAll('-', '');
  const secret = world.ids.nextSecret('pat-secret', user.id);
  const lifetime = world.answers.get('pat-lifetime');
  const pat: Pat = {
    id,
    user_id: user.id,
    name,
    scopes,
    secret_hash: hash(secret),
    created_at: world.clock.nowIso(),
    ...(lifetime > 0 && { expires_at: new Date(world.clock.now() + lifetime * 1000).toISOString() }),
  };
  world.store.pats.put(pat);
  return { pat, token: `${world.answers.get('pat-prefix')}_${id}.${secret}` };
}

/** The user whom a PAT names; `undefined` when it is unknown, its secret is wrong, or it is over. */
export function userOfPat(world: World, token: string): User | undefined {
  const [, prefix, id, secret] = /^([A-Za-z][A-Za-z0-9]*)_([^.]+)\.(.+)$/.exec(token) ?? [];
  if (prefix !== world.answers.get('pat-prefix') || id === undefined || secret === undefined) return undefined;
  const pat = world.store.pats.get(id);
  if (!pat || !timingSafeEqual(Buffer.from(hash(secret)), Buffer.from(pat.secret_hash))) return undefined;
  if (pat.expires_at !== undefined && pat.expires_at <= world.clock.nowIso()) return undefined;
  return world.store.users.get(pat.user_id);
}
