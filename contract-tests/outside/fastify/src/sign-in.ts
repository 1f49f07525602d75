/** What every kind of sign-in ends with: tokens for a user. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type Context, pipe } from './hooks.ts';
import type { AccessClaims, Json, User } from './model.ts';
import { userBody } from './present.ts';

export async function issueSession(user: User, amr: AccessClaims['amr'], context: Context): Promise<Json> {
  const { world } = context;
  context.user = user;
  const now = Date.now();
  const iat = Math.floor(now / 1000);
  const claims: AccessClaims = { sub: user.id, jti: randomUUID(), amr, iat, exp: iat + world.settings.tokenSeconds };
  context.claims = await pipe('claims', claims, context);
  world.store.issued.set(context.claims.jti, now);
  const refreshToken = randomBytes(32).toString('base64url');
  world.store.refreshTokens.set(refreshToken, { userId: user.id, used: false });
  const session = {
    access_token: await pipe('accessToken', world.signer.sign(context.claims), context),
    refresh_token: refreshToken,
    token_type: 'bearer',
    expires_in: world.settings.tokenSeconds,
    user: userBody(user, world),
  };
  return pipe('session', session, context);
}
