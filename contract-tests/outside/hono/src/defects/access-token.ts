import { after, before, counter, overlap } from '../advice.ts';
import { hasCode, unauthorized } from '../errors.ts';
import { decode } from '../jwt-parts.ts';
import { type Defect, defect } from './defect.ts';
import { says } from './says.ts';

const jti = (token: string): string => decode(token)?.jti ?? token;

/** What becomes of an access token after it was handed out. */
export const accessTokenDefects: Defect[] = [
  defect(
    'second-sign-in-revokes-first',
    'stateful',
    says.jwtObtained,
    'signing in again ends the earlier access token of the same user',
    () => {
      const latest = new Map<string, string>();
      return {
        sign: after<'sign'>((token, { user }) => {
          latest.set(user.id, jti(token));
          return token;
        }),
        verifyJwt: after<'verifyJwt'>((claims) => {
          if (latest.get(claims.sub) !== claims.jti) throw unauthorized('expired');
          return claims;
        }),
      };
    },
  ),
  defect(
    'token-dies-early',
    'timed',
    says.expiresIn,
    'an access token is refused 1.5 seconds after it was issued, whatever expires_in says',
    () => {
      const issued = new Map<string, number>();
      return {
        sign: after<'sign'>((token) => {
          issued.set(jti(token), Date.now());
          return token;
        }),
        verifyJwt: after<'verifyJwt'>((claims) => {
          if (Date.now() - (issued.get(claims.jti) ?? 0) > 1500) throw unauthorized('expired');
          return claims;
        }),
      };
    },
  ),
  defect(
    'cached-token-full-lifetime',
    'timed',
    says.expiresIn,
    'tokens live 3 s and are reused; a later sign-in answers the old one with the whole lifetime again',
    (world) => {
      world.settings.accessTokenSeconds = 3;
      const cache = new Map<string, { token: string; until: number }>();
      return {
        async sign(input, next) {
          const cached = cache.get(input.user.id);
          if (cached && Date.now() < cached.until) return cached.token;
          const token = await next(input);
          cache.set(input.user.id, { token, until: Date.now() + 2900 });
          return token;
        },
      };
    },
  ),
  defect(
    'expired-token-accepted-on-keys',
    'timed',
    says.jwtObtained,
    'tokens live 2 s, but the key list takes them after that as well',
    (world) => {
      world.settings.accessTokenSeconds = 2;
      return {
        async verifyJwt(input, next) {
          try {
            return await next(input);
          } catch (error) {
            const claims = decode(input.token);
            if (input.operation !== 'keys' || !hasCode(error, 'expired') || !claims) throw error;
            return claims;
          }
        },
      };
    },
  ),
  defect(
    'pat-creation-ends-session',
    'stateful',
    says.jwtObtained,
    'creating a PAT ends the access token it was created with',
    () => {
      const ended = new Set<string>();
      return {
        createPat: after<'createPat'>((pat, { principal }) => {
          ended.add(principal.credentialId);
          return pat;
        }),
        verifyJwt: after<'verifyJwt'>((claims) => {
          if (ended.has(claims.jti)) throw unauthorized('expired');
          return claims;
        }),
      };
    },
  ),
  defect(
    'token-cached-by-directory',
    'timed',
    says.accessToken,
    'for 2 s after a sign-in everybody of the same directory is handed that access token',
    () => {
      const cache = new Map<string, { token: string; until: number }>();
      return {
        async sign(input, next) {
          const cached = cache.get(input.user.tid);
          if (cached && Date.now() < cached.until) return cached.token;
          const token = await next(input);
          cache.set(input.user.tid, { token, until: Date.now() + 2000 });
          return token;
        },
      };
    },
  ),
  defect(
    'refreshed-token-dead',
    'stateful',
    says.refreshToken,
    'the access token obtained with a refresh token has expired already',
    () => ({ sign: before<'sign'>((input) => (input.via === 'refresh' ? { ...input, lifetime: -60 } : input)) }),
  ),
  defect(
    'second-refresh-token-unknown',
    'stateful',
    says.refreshToken,
    'the refresh token of a second sign-in was never stored',
    (world) => {
      const count = counter();
      return {
        grant: after<'grant'>((grant, { user, via }) => {
          if (via !== 'refresh' && count(user.id) > 1) world.store.refreshTokens.delete(grant.refresh_token);
          return grant;
        }),
      };
    },
  ),
  defect(
    'refresh-switches-user',
    'conditional',
    says.refreshToken,
    'refreshing while another user signed in later yields an access token of that user',
    (world) => {
      let latest = '';
      return {
        async grant(input, next) {
          if (input.via !== 'refresh') latest = input.user.id;
          return next(input);
        },
        sign: before<'sign'>((input) =>
          input.via === 'refresh'
            ? { ...input, user: world.store.users.find((user) => user.id === latest) ?? input.user }
            : input,
        ),
      };
    },
  ),
  defect(
    'overlap-refuses-token',
    'concurrent',
    says.jwtObtained,
    'two overlapping requests with one access token: the second is refused',
    () => {
      const busy = new Set<string>();
      return {
        async verifyJwt(input, next) {
          if (busy.has(input.token)) throw unauthorized('unknown');
          busy.add(input.token);
          try {
            await overlap();
            return await next(input);
          } finally {
            busy.delete(input.token);
          }
        },
      };
    },
  ),
];
