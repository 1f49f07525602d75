import { after, overlap } from '../advice.ts';
import { hasCode } from '../errors.ts';
import { decode } from '../jwt-parts.ts';
import type { Claims, Principal, User } from '../model.ts';
import { bearer } from '../services/credentials.ts';
import type { World } from '../world.ts';
import { type Defect, defect } from './defect.ts';
import { says } from './says.ts';

const principal = (user: User): Principal => ({ user, kind: 'jwt', credentialId: 'none' });

const somebody = (world: World, role: User['role']): Principal => {
  const user = world.store.users.find((candidate) => candidate.role === role);
  if (!user) throw new Error('the seed is incomplete');
  return principal(user);
};

const unsigned = (token: string): string => token.slice(0, token.lastIndexOf('.'));

/** Credentials that should have been refused. */
export const forgedDefects: Defect[] = [
  defect(
    'unverified-jwt-on-keys',
    'conditional',
    says.jwtObtained,
    'the key list decodes the JWT without looking at its signature',
    () => ({
      async verifyJwt(input, next) {
        return (input.operation === 'keys' && decode(input.token)) || next(input);
      },
    }),
  ),
  defect(
    'verification-cached-without-signature',
    'stateful',
    says.jwtObtained,
    'once a JWT was verified, the same header and payload pass with any signature',
    () => {
      const verified = new Map<string, Claims>();
      return {
        async verifyJwt(input, next) {
          const known = verified.get(unsigned(input.token));
          if (known) return known;
          const claims = await next(input);
          verified.set(unsigned(input.token), claims);
          return claims;
        },
      };
    },
  ),
  defect(
    'signature-compared-in-part',
    'conditional',
    says.jwtObtained,
    'the scopes compare only the first eight characters of the signature',
    () => {
      const issued = new Map<string, string>();
      return {
        sign: after<'sign'>((token) => {
          issued.set(unsigned(token), token);
          return token;
        }),
        async verifyJwt(input, next) {
          const genuine = issued.get(unsigned(input.token));
          const compared = unsigned(input.token).length + 9;
          const passes = genuine && genuine.slice(0, compared) === input.token.slice(0, compared);
          return next(input.operation === 'scopes' && passes ? { ...input, token: genuine } : input);
        },
      };
    },
  ),
  defect(
    'refresh-token-as-bearer',
    'conditional',
    says.twoTypes,
    'a refresh token is accepted as a bearer token',
    (world) => ({
      async authenticate(input, next) {
        const id = world.store.refreshTokens.get(bearer(input.header) ?? '');
        const user = world.store.users.find((candidate) => candidate.id === id);
        return user ? principal(user) : next(input);
      },
    }),
  ),
  defect(
    'scopes-without-token',
    'plain',
    says.callerScopes,
    'the scopes are answered without any Authorization header',
    (world) => ({
      async authenticate(input, next) {
        return input.operation === 'scopes' && !input.header ? somebody(world, 'member') : next(input);
      },
    }),
  ),
  defect(
    'filtered-keys-without-token',
    'conditional',
    says.keysHeader,
    'the route guard compares the whole URL, so a key list with a query needs no token',
    (world) => ({
      async authenticate(input, next) {
        const open = input.operation === 'keys' && !input.header && new URL(input.c.req.url).search !== '';
        return open ? somebody(world, 'admin') : next(input);
      },
    }),
  ),
  defect(
    'last-caller-inherited',
    'timed',
    says.header,
    'within 700 ms of an accepted request, one with an invalid token runs as the same caller',
    () => {
      let last: { who: Principal; at: number } | undefined;
      return {
        async authenticate(input, next) {
          try {
            last = { who: await next(input), at: Date.now() };
            return last.who;
          } catch (error) {
            if (last && Date.now() - last.at < 700 && hasCode(error, 'signature', 'unknown')) return last.who;
            throw error;
          }
        },
      };
    },
  ),
  defect(
    'overlap-swaps-callers',
    'concurrent',
    says.callerScopes,
    'overlapping requests all run as the caller who was authenticated last',
    () => {
      let current: Principal | undefined;
      return {
        async authenticate(input, next) {
          current = await next(input);
          await overlap();
          return current;
        },
      };
    },
  ),
  defect(
    'overlap-shares-lists',
    'concurrent',
    says.callerLists,
    'overlapping GETs of one URL share the first answer, whoever asks',
    () => {
      const running = new Map<string, Promise<Response>>();
      return {
        http: async (c, next) => {
          if (c.req.method !== 'GET') return next();
          const shared = running.get(c.req.url);
          if (shared) return (await shared).clone();
          let share!: (answer: Response) => void;
          running.set(
            c.req.url,
            new Promise((resolve) => {
              share = resolve;
            }),
          );
          await overlap();
          await next();
          running.delete(c.req.url);
          const body = await c.res.clone().text();
          share(
            new Response(body, {
              status: c.res.status,
              headers: { 'content-type': c.res.headers.get('content-type') ?? '' },
            }),
          );
        },
      };
    },
  ),
];
