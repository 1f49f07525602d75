/** Who is calling? Both token types of section 5. */
import { Unauthenticated } from './errors.ts';
import { type Context, pipe } from './hooks.ts';
import type { AccessClaims, Caller } from './model.ts';
import { parsePat } from './pat.ts';
import { scopeNamesOf } from './scopes.ts';
import type { World } from './world.ts';

/** The caller that checked (or believed) claims stand for. */
export function callerOf(claims: AccessClaims | undefined, world: World): Caller | undefined {
  const user = claims && world.store.users.get(claims.sub);
  if (!claims || !user) return undefined;
  const issuedAt = world.store.issued.get(claims.jti) ?? 0;
  return { user, via: 'jwt', tokenId: claims.jti, scopes: scopeNamesOf(user), issuedAt };
}

async function byPat(token: string, context: Context): Promise<Caller | undefined> {
  const { store } = context.world;
  const parsed = parsePat(token);
  const pat = parsed && store.pats.get(parsed.id);
  const user = pat && store.users.get(pat.userId);
  if (!parsed || !pat || !user) return undefined;
  if (pat.expiresAt !== null && pat.expiresAt <= Date.now()) return undefined;
  context.pat = pat;
  context.presentedSecret = parsed.secret;
  const matches = await pipe('patMatches', parsed.secret === pat.secret, context);
  return matches ? { user, via: 'pat', tokenId: pat.id, scopes: pat.scopes, issuedAt: pat.createdAt } : undefined;
}

async function find(context: Context): Promise<Caller | undefined> {
  const { world, credential, replica } = context;
  if (!credential) return undefined;
  const claims = world.signer.verify(credential);
  context.claims = claims;
  const caller = claims ? callerOf(claims, world) : await byPat(credential, context);
  const tooFresh = caller && replica > 0 && Date.now() - caller.issuedAt < world.settings.lagMs;
  return tooFresh ? undefined : caller;
}

export async function authenticate(context: Context): Promise<Caller> {
  const caller = await pipe('caller', await find(context), context);
  if (!caller) throw new Unauthenticated();
  return caller;
}
