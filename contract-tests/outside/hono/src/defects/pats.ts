import { after, before, counter, overlap } from '../advice.ts';
import { unauthorized } from '../errors.ts';
import type { Hooks } from '../hooks.ts';
import type { Pat } from '../model.ts';
import { bearer, parsePat } from '../services/credentials.ts';
import type { World } from '../world.ts';
import { type Defect, defect } from './defect.ts';
import { says } from './says.ts';

/** A PAT check that compares the secrets in its own way. */
const comparing =
  (matches: (given: string, stored: string) => boolean) =>
  (world: World): Hooks => ({
    async verifyPat(input, next) {
      const pat = world.store.pats.find((candidate) => candidate.id === input.id);
      return pat && matches(input.secret, pat.secret) ? pat : next(input);
    },
  });

const remove = (world: World, doomed: (pat: Pat) => boolean): void => {
  world.store.pats = world.store.pats.filter((pat) => !doomed(pat));
};

/** Personal access tokens. */
export const patDefects: Defect[] = [
  defect(
    'pat-truncated-secret',
    'conditional',
    says.patForm,
    'a PAT with the first eight or more characters of its secret is accepted',
    comparing((given, stored) => given.length >= 8 && stored.startsWith(given)),
  ),
  defect(
    'pat-prolonged-secret',
    'conditional',
    says.patForm,
    'a PAT with something behind its secret is accepted',
    comparing((given, stored) => given.startsWith(stored)),
  ),
  defect(
    'pat-secret-any-case',
    'conditional',
    says.patForm,
    'the secret is compared without regard to case',
    comparing((given, stored) => given.toLowerCase() === stored.toLowerCase()),
  ),
  defect(
    'pat-cached-by-id',
    'stateful',
    says.patForm,
    'once a PAT was used, its token id passes with any secret',
    () => {
      const cache = new Map<string, Pat>();
      return {
        async verifyPat(input, next) {
          const pat = cache.get(input.id) ?? (await next(input));
          cache.set(input.id, pat);
          return pat;
        },
      };
    },
  ),
  defect('second-pat-dead', 'stateful', says.patForm, 'the second PAT a user creates is never stored', (world) => {
    const count = counter();
    return {
      createPat: after<'createPat'>((pat, { principal }) => {
        if (count(principal.user.id) === 2) remove(world, ({ id }) => id === pat.id);
        return pat;
      }),
    };
  }),
  defect(
    'second-pat-ends-first',
    'stateful',
    says.twoTypes,
    'creating a PAT deletes every earlier one of the user',
    (world) => ({
      createPat: after<'createPat'>((pat, { principal }) => {
        remove(world, ({ id, userId }) => userId === principal.user.id && id !== pat.id);
        return pat;
      }),
    }),
  ),
  defect('pat-dies-early', 'timed', says.twoTypes, 'a created PAT stops working after 1.5 seconds', (world) => ({
    verifyPat: after<'verifyPat'>((pat) => {
      if (pat.createdAt >= world.startedAt && Date.now() - pat.createdAt > 1500) throw unauthorized('expired');
      return pat;
    }),
  })),
  defect('pat-worn-out', 'stateful', says.twoTypes, 'a PAT is refused from its fifth request on', () => {
    const uses = counter();
    return {
      verifyPat: after<'verifyPat'>((pat) => {
        if (uses(pat.id) > 4) throw unauthorized('expired');
        return pat;
      }),
    };
  }),
  defect(
    'second-pat-other-form',
    'stateful',
    says.patForm,
    'from the second PAT of a user on the secret follows an underscore instead of a dot; it works',
    (world) => {
      const count = counter();
      const written = new Map<string, string>();
      return {
        createPat: after<'createPat'>((pat, { principal }) => {
          if (count(principal.user.id) < 2) return pat;
          const token = pat.token.replace('.', '_');
          written.set(token, pat.token);
          return { ...pat, token };
        }),
        authenticate: before<'authenticate'>((input) => {
          const token = written.get(bearer(input.header) ?? '');
          return token && parsePat(token, world.settings.patPrefix) ? { ...input, header: `Bearer ${token}` } : input;
        }),
      };
    },
  ),
  defect(
    'pat-refused-on-keys',
    'conditional',
    says.keysHeader,
    'the administration area takes access tokens only',
    () => ({
      async verifyPat(input, next) {
        if (input.operation === 'keys') throw unauthorized('unknown');
        return next(input);
      },
    }),
  ),
  defect(
    'pat-runs-as-admin',
    'conditional',
    says.scopesPurpose,
    'PATs of members run with the rights of the administrator',
    (world) => ({
      authenticate: after<'authenticate'>((principal) => {
        const admin = world.store.users[0];
        return principal.kind === 'pat' && principal.user.role === 'member' && admin
          ? { ...principal, user: admin }
          : principal;
      }),
    }),
  ),
  defect(
    'overlap-loses-pat',
    'concurrent',
    says.patForm,
    'of PATs created at the same time only the last one is stored',
    (world) => {
      let running: string[] = [];
      return {
        async createPat(input, next) {
          const pat = await next(input);
          running.push(pat.id);
          await overlap();
          const last = running.at(-1);
          if (last !== pat.id) remove(world, ({ id }) => id === pat.id);
          else running = [];
          return pat;
        },
      };
    },
  ),
];
