import { equalInConstantTime, sha256Hex } from '../crypto.ts';
import type { Pat, User } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { apiError } from './api-error.ts';
import type { Caller } from './caller.ts';
import type { OperationRequest } from './operation.ts';
import { formsAround, readingsOf } from './token-spelling.ts';

let latest: { readonly authorization: string | undefined; readonly token: string | undefined } | undefined;

/** The token of an Authorization header, or `undefined` when it has no bearer token. Remembers the last one. */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (latest?.authorization !== authorization || !latest)
    latest = { authorization, token: /^Bearer +([^\s]+) *$/i.exec(authorization ?? '')?.[1] };
  return latest.token;
}

/** Authenticates by a JWT or a PAT: every protected operation accepts both (part 5). Throws ApiError for anything else. */
export function authenticate(
  world: World,
  authorization: string | undefined,
  assume: OperationRequest['assume'],
): Caller {
  if (authorization === undefined || authorization.trim() === '') {
    throw apiError(world.answers, 'missing-credentials', 'Send a token in the header Authorization: Bearer <token>.');
  }
  const token = bearerToken(authorization);
  if (token === undefined) {
    throw apiError(world.answers, 'invalid-credentials', 'The header Authorization must read Bearer <token>.');
  }
  const around = formsAround(authorization, token);
  for (const reading of readingsOf(token, world.answers.get('pat-prefix'))) {
    const caller = callerBy(world, reading.token);
    const forms = [...around, ...reading.forms];
    if (caller && (forms.length === 0 || forms.every((form) => assume('lax-tokens').includes(form)))) return caller;
    if (caller)
      throw apiError(world.answers, 'invalid-credentials', `The token is valid, but spelled as ${forms.join(', ')}.`);
  }
  const message = 'The token is not valid: it is unknown, altered or expired.';
  const gaps = (['concurrent-sessions', 'several-pats'] as const).filter((id) => world.answers.get(id) !== 'keep');
  throw apiError(world.answers, 'invalid-credentials', message, gaps.length > 0 ? { gaps } : {});
}

function callerBy(world: World, token: string): Caller | undefined {
  const via = token.startsWith(`${world.answers.get('pat-prefix')}_`) ? 'pat' : 'jwt';
  const user = via === 'pat' ? userOfPat(world, token) : userOfAccessToken(world, token);
  return user && { user, via };
}

/** Signs a JWT access token (HS256) for `user`, valid for `lifetime` seconds from the world's present time. */
export function issueAccessToken(world: World, user: User, lifetime = world.answers.get('access-token-lifetime')) {
  const issued = world.clock.nowSeconds();
  const claims = { sub: user.id, iat: issued, exp: issued + lifetime, jti: world.ids.next('jwt', user.id) };
  return world.services.jwt.sign(claims, world.signingKey);
}

/** At a sign-in, ends the user's access tokens but the latest one where the profile says so (gap concurrent-sessions). */
export function endEarlierTokens(
  { answers, ids, store }: World,
  user: User,
  request: Pick<OperationRequest, 'leanOn'>,
): void {
  request.leanOn('concurrent-sessions');
  if (answers.get('concurrent-sessions') === 'keep') return;
  for (const id of ids.before('jwt', user.id)) {
    if (store.endedTokens.get(id)) return;
    store.endedTokens.put({ id, user_id: user.id });
  }
}

interface Claims {
  readonly sub: string;
  readonly exp: number;
  readonly nbf: number;
  readonly jti: string | undefined;
}

const cacheLimit = 1000;
/** Verified claims by token, under one key: a client sends the same token with every request. */
const verified = new WeakMap<World, { readonly key: string; readonly claims: Map<string, Claims> }>();

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

/** As claimsOf, but only for a token that is valid at the world's present time. */
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

/** The user of a JWT access token; `undefined` if this world did not sign it, or it is altered, revoked or expired. */
export function userOfAccessToken(world: World, token: string): User | undefined {
  const claims = validClaims(world, token);
  if (!claims || (claims.jti !== undefined && world.store.endedTokens.get(claims.jti))) return undefined;
  return world.store.users.get(claims.sub);
}

/** Issues an opaque refresh token, valid for `lifetime` seconds. Only its hash is stored. */
export function issueRefreshToken(world: World, user: User, lifetime: number = world.answers.get('refresh-lifetime')) {
  const token = world.ids.nextSecret('refresh-token', user.id);
  const expires = new Date(world.clock.now() + lifetime * 1000).toISOString();
  world.store.refreshTokens.put({ id: sha256Hex(token), user_id: user.id, expires_at: expires });
  return token;
}

/** The user of a refresh token; `undefined` if it is unknown, spent or expired. */
export function userOfRefreshToken(world: World, token: string): User | undefined {
  const found = world.store.refreshTokens.get(sha256Hex(token));
  if (!found || found.expires_at <= world.clock.nowIso()) return undefined;
  return world.store.users.get(found.user_id);
}

/** Issues a PAT `<token_prefix>_<tokenId>.<secret>` (part 5), stored as a hash. With a `lifetime` of 0 s it never expires. */
export function issuePat(
  world: World,
  user: User,
  name: string,
  scopes: readonly string[],
  lifetime = world.answers.get('pat-lifetime'),
): { pat: Pat; token: string } {
  const id = world.ids.next('pat', user.id).replaceAll('-', '');
  const secret = world.ids.nextSecret('pat-secret', user.id);
  const pat: Pat = {
    id,
    user_id: user.id,
    name,
    scopes,
    secret_hash: sha256Hex(secret),
    created_at: world.clock.nowIso(),
    ...(lifetime !== 0 && { expires_at: new Date(world.clock.now() + lifetime * 1000).toISOString() }),
  };
  world.store.pats.put(pat);
  return { pat, token: `${world.answers.get('pat-prefix')}_${id}.${secret}` };
}

/** Ends the PATs that the user had before this one (gap several-pats). */
export function endEarlierPats({ store }: World, { id, user_id }: Pat): void {
  const own = [...store.pats.all()].filter((pat) => pat.user_id === user_id && pat.id !== id);
  for (const pat of own) store.pats.delete(pat.id);
}

/** The user of a PAT; `undefined` if it is unknown or expired, or its secret is wrong. */
export function userOfPat(world: World, token: string): User | undefined {
  const pat = patOf(world, token);
  if (!pat || (pat.expires_at !== undefined && pat.expires_at <= world.clock.nowIso())) return undefined;
  return world.store.users.get(pat.user_id);
}

/** The PAT, expired or not; `undefined` if it is unknown or its secret is wrong. */
function patOf(world: World, token: string): Pat | undefined {
  const prefix = `${world.answers.get('pat-prefix')}_`;
  const [, id, secret] = /^([^.]+)\.(.+)$/.exec(token.startsWith(prefix) ? token.slice(prefix.length) : '') ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const pat = world.store.pats.get(id);
  return pat && equalInConstantTime(sha256Hex(secret), pat.secret_hash) ? pat : undefined;
}

const longAgo = new Date(0).toISOString();

/** Revokes a token; `undefined` if this world did not issue it. */
export function revokeToken(
  world: World,
  token: string,
): { kind: 'access' | 'refresh' | 'pat'; user: string } | undefined {
  const refresh = world.store.refreshTokens.get(sha256Hex(token));
  if (refresh) {
    world.store.refreshTokens.put({ ...refresh, expires_at: longAgo });
    return { kind: 'refresh', user: refresh.user_id };
  }
  const pat = patOf(world, token);
  if (pat) {
    world.store.pats.put({ ...pat, expires_at: longAgo });
    return { kind: 'pat', user: pat.user_id };
  }
  const claims = claimsOf(world, token);
  if (claims?.jti === undefined) return undefined;
  world.store.endedTokens.put({ id: claims.jti, user_id: claims.sub });
  return { kind: 'access', user: claims.sub };
}
