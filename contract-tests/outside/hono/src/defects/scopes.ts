import { after, overlap } from '../advice.ts';
import { Refusal } from '../errors.ts';
import type { Json, User } from '../model.ts';
import { type Defect, defect } from './defect.ts';
import { says } from './says.ts';

/** The list of scopes, and who overlaps with whom while signing in. */
export const scopesDefects: Defect[] = [
  defect(
    'scopes-no-admin-by-pat',
    'conditional',
    says.scopesPurpose,
    'an administrator with a PAT is told not to be one',
    () => ({
      scopes: after<'scopes'>((answer, { principal }) =>
        principal.kind === 'pat' ? { ...answer, is_admin: false } : answer,
      ),
    }),
  ),
  defect(
    'scopes-refused-to-members',
    'conditional',
    says.callerScopes,
    'the scopes are refused to everybody who is not an administrator',
    () => ({
      async scopes(input, next) {
        if (input.principal.user.role !== 'admin') throw new Refusal(403, 'forbidden', 'Forbidden');
        return next(input);
      },
    }),
  ),
  defect(
    'scopes-cached-for-everybody',
    'timed',
    says.scopesPurpose,
    'the answer is cached for 1 s, whoever asks',
    () => {
      let cached: { answer: Json; until: number } | undefined;
      return {
        async scopes(input, next) {
          if (!cached || Date.now() >= cached.until) cached = { answer: await next(input), until: Date.now() + 1000 };
          return cached.answer;
        },
      };
    },
  ),
  defect(
    'overlap-swaps-sign-ins',
    'concurrent',
    says.ssoClaims,
    'overlapping single sign-ons all end as the user identified last',
    () => {
      let latest: User | undefined;
      return {
        async identify(input, next) {
          latest = await next(input);
          await overlap();
          return latest;
        },
      };
    },
  ),
];
