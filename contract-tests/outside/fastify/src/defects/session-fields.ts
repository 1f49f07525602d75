/** Sign-in answers whose fields are wrong. */
import { randomBytes } from 'node:crypto';
import { callerOf } from '../authenticate.ts';
import type { Context, Hooks } from '../hooks.ts';
import type { Json } from '../model.ts';
import { defect } from './row.ts';
import * as says from './statements.ts';

/** the how-manieth SSO sign-in of this user it is, counted once per request by the caller */
function nth({ world, user }: Context, what: string): number {
  return world.memory.count(`${what}:${user?.id}`);
}

function withUser(body: Json, change: Json): Json {
  return { ...body, user: { ...(body.user as Json), ...change } };
}

/** Replaces some JWTs by opaque handles that work all the same. */
function opaque(when: (context: Context) => boolean): Hooks {
  const handles = ({ world }: Context) => world.memory.keep('handles', () => new Map<string, string>());
  return {
    accessToken(token, context) {
      if (!when(context)) return token;
      const handle = randomBytes(32).toString('hex');
      handles(context).set(handle, token);
      return handle;
    },
    caller(caller, context) {
      const token = handles(context).get(context.credential ?? '');
      return caller ?? (token ? callerOf(context.world.signer.verify(token), context.world) : undefined);
    },
  };
}

export const sessionFieldDefects = [
  defect(
    'token-type-capital-second',
    'stateful',
    says.TOKEN_TYPE,
    'From the second SSO sign-in of a user on, token_type is "Bearer"',
    {
      session: (body, context) =>
        context.operation === 'sso' && nth(context, 'sso') > 1 ? { ...body, token_type: 'Bearer' } : body,
    },
  ),
  defect(
    'login-token-opaque',
    'conditional',
    says.JWT_SOURCES,
    'Password login hands out a (working) opaque handle, not a JWT',
    opaque((context) => context.operation === 'login'),
  ),
  defect(
    'access-token-with-scheme',
    'conditional',
    says.ACCESS_TOKEN,
    'Ordinary users get the access token with "Bearer " in front of it',
    {
      accessToken: (token, { user }) => (user?.admin ? token : `Bearer ${token}`),
    },
  ),
  defect(
    'expires-in-epoch-for-members',
    'conditional',
    says.EXPIRES_IN,
    'For ordinary users expires_in is the moment of expiry, not a lifetime',
    {
      session: (body, { user, claims }) => (user?.admin ? body : { ...body, expires_in: claims?.exp }),
    },
  ),
  defect(
    'expires-in-fraction-on-reuse',
    'stateful',
    says.EXPIRES_IN,
    'A repeated sign-in hands out the session in hand, with the remaining seconds as a fraction',
    {
      session(body, { world, user, claims }) {
        const first = world.memory.keep(`session:${user?.id}`, () => ({ body, exp: claims?.exp ?? 0 }));
        const left = first.exp - Date.now() / 1000;
        return first.body === body || left < 1 ? body : { ...first.body, expires_in: Math.floor(left) + 0.25 };
      },
    },
  ),
  defect(
    'expires-in-full-on-reuse',
    'timed',
    says.EXPIRES_IN,
    'A repeated sign-in hands out the token in hand, yet announces the full lifetime (4 s here)',
    {
      session(body, { world, user, claims }) {
        const now = Date.now() / 1000;
        const kept = world.memory.get<{ body: Json; exp: number }>(`session:${user?.id}`);
        if (kept && kept.exp > now) return kept.body;
        world.memory.set(`session:${user?.id}`, { body, exp: claims?.exp ?? 0 });
        return body;
      },
    },
    { tokenSeconds: 4 },
  ),
  defect(
    'refresh-token-first-only',
    'stateful',
    says.REFRESH_TOKEN,
    'Only the first SSO sign-in of a user comes with a refresh token, later ones with null',
    {
      session: (body, context) =>
        context.operation === 'sso' && nth(context, 'sso') > 1 ? { ...body, refresh_token: null } : body,
    },
  ),
  defect(
    'refresh-yields-dead-token',
    'stateful',
    says.REFRESH_TOKEN,
    'The access token obtained for a refresh token is refused everywhere',
    {
      claims(claims, { world, operation }) {
        if (operation === 'refresh') world.memory.set(`dead:${claims.jti}`, true);
        return claims;
      },
      caller: (caller, { world }) => (caller && world.memory.get(`dead:${caller.tokenId}`) ? undefined : caller),
    },
  ),
  defect(
    'user-created-epoch-second',
    'stateful',
    says.USER_CREATED,
    'From the second sign-in on (user from the cache), created_at is a number',
    {
      session: (body, context) =>
        nth(context, 'any') > 1 ? withUser(body, { created_at: context.user?.createdAt }) : body,
    },
  ),
];
