import { sign } from 'hono/jwt';
import { Refusal, unauthorized } from '../errors.ts';
import type { Services } from '../hooks.ts';
import type { Claims } from '../model.ts';
import type { World } from '../world.ts';

type SignIn = Pick<Services, 'identify' | 'checkPassword' | 'grant' | 'sign' | 'refresh' | 'showUser'>;

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** From an identity to an access token and a refresh token. */
export const signIn = (world: World, services: Services): SignIn => ({
  async identify({ claims }) {
    const user = world.store.users.find((u) => same(u.tid, claims.tid) && same(u.oid, claims.oid));
    if (!user || !same(user.upn, claims.upn)) {
      throw new Refusal(403, 'unknown', 'This identity is not linked to an account');
    }
    return user;
  },

  async checkPassword({ identifier, password }) {
    const user = world.store.users.find((u) => same(u.email, identifier) || same(u.username, identifier));
    if (!user || user.password !== password) throw unauthorized('unknown', 'Invalid identifier or password');
    return user;
  },

  async grant({ user, via }) {
    const lifetime = world.settings.accessTokenSeconds;
    const refreshToken = `rt.${world.ids.secret('refresh')}`;
    world.store.refreshTokens.set(refreshToken, user.id);
    return {
      access_token: await services.sign({ user, via, lifetime }),
      refresh_token: refreshToken,
      token_type: 'bearer',
      expires_in: lifetime,
      user: await services.showUser({ user, via }),
    };
  },

  async sign({ user, via, lifetime }) {
    const iat = Math.floor(Date.now() / 1000);
    const claims: Claims = { sub: user.id, jti: world.ids.next('jwt'), via, iat, exp: iat + lifetime };
    return sign({ ...claims }, world.keys.sign, world.settings.signing);
  },

  async refresh({ c, refreshToken }) {
    const user = world.store.users.find((u) => u.id === world.store.refreshTokens.get(refreshToken));
    if (!user) throw unauthorized('unknown', 'Invalid refresh token');
    world.store.refreshTokens.delete(refreshToken);
    return services.grant({ c, user, via: 'refresh' });
  },

  async showUser({ user }) {
    return {
      id: user.id,
      email: user.email,
      username: user.username,
      confirmed: user.confirmed,
      created_at: world.settings.timestamp(user.createdAt),
    };
  },
});
