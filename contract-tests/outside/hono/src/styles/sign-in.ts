import { after } from '../advice.ts';
import { hasCode } from '../errors.ts';
import type { Hooks } from '../hooks.ts';
import { isKnown, provision } from '../services/provision.ts';
import type { World } from '../world.ts';
import type { Style } from './style.ts';

const provisioning = (world: World): Hooks => ({
  async identify(input, next) {
    try {
      return await next(input);
    } catch (error) {
      if (hasCode(error, 'unknown') && !isKnown(world, input.claims)) return provision(world, input.claims);
      throw error;
    }
  },
});

/** One access token per user while at least half of its life is left; `expires_in` tells what is left. */
const sharedTokens = (world: World): Hooks => {
  const live = new Map<string, { token: string; dies: number }>();
  const whole = world.settings.accessTokenSeconds;
  return {
    grant: after<'grant'>((grant, { user }) => {
      const now = Date.now();
      const known = live.get(user.id);
      if (!known || known.dies - now < whole * 500) {
        live.set(user.id, { token: grant.access_token, dies: now + whole * 1000 });
        return grant;
      }
      return { ...grant, access_token: known.token, expires_in: Math.floor((known.dies - now) / 1000) };
    }),
  };
};

export const signInStyles: Style[] = [
  { id: 'short-lived', description: 'access tokens live 3 seconds', settings: { accessTokenSeconds: 3 } },
  { id: 'es256', description: 'access tokens are signed with ES256', settings: { signing: 'ES256' } },
  {
    id: 'shared-tokens',
    description: 'signing in again answers the same access token with the remaining lifetime',
    hooks: sharedTokens,
  },
  {
    id: 'provisioning',
    description: 'unknown identities are provisioned at their first single sign-on',
    hooks: provisioning,
  },
  {
    id: 'other-paths',
    description: 'another refresh path, another scopes path and shape',
    settings: { refreshPath: '/v1/auth/token', scopesPath: '/v1/api-tokens/available-scopes' },
    hooks: () => ({
      scopes: after<'scopes'>((answer) => ({
        data: answer.scopes.map((row: { scope: string }) => row.scope),
        meta: { admin: answer.is_admin },
      })),
    }),
  },
  {
    id: 'long-pat-prefix',
    description: 'the PAT prefix has an underscore itself',
    settings: { patPrefix: 'acme_live' },
  },
  {
    id: 'pat-only-member',
    description: 'the member comes with a PAT alone, the administrator without login',
    settings: {
      describe: (target) => {
        const { sso } = target.actors.admin;
        const pat = target.actors.member?.pat;
        return { ...target, actors: { admin: sso ? { sso } : {}, member: pat ? { pat } : {} } };
      },
    },
  },
];
