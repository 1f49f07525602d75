/** Tokens of a stated kind that are refused, or of an unstated kind that are accepted. */
import type { Caller, Pat } from '../model.ts';
import { defect } from './row.ts';
import * as says from './statements.ts';

export const tokenKindDefects = [
  defect(
    'sso-token-refused-at-keys',
    'conditional',
    says.JWT_SOURCES,
    'The administration area refuses access tokens that came from SSO',
    {
      caller: (caller, { operation, claims }) =>
        operation === 'listKeys' && claims?.amr === 'sso' ? undefined : caller,
    },
  ),
  defect(
    'login-token-refused-at-update',
    'conditional',
    says.JWT_SOURCES,
    'Updating a recording refuses access tokens that came from password login',
    {
      caller: (caller, { operation, claims }) =>
        operation === 'updateRecording' && claims?.amr === 'pwd' ? undefined : caller,
    },
  ),
  defect(
    'pat-single-use-at-update',
    'stateful',
    says.EITHER_TOKEN_UPDATE,
    'A PAT updates recordings once; its later updates are refused',
    {
      caller: (caller, { world, operation }) =>
        operation === 'updateRecording' && caller?.via === 'pat' && world.memory.count(`uses:${caller.tokenId}`) > 1
          ? undefined
          : caller,
    },
  ),
  defect('second-pat-refused', 'stateful', says.PAT_FORM, 'Only the oldest PAT of a user works', {
    caller(caller, { world }) {
      const oldest = [...world.store.pats.values()].find((pat) => pat.userId === caller?.user.id);
      return caller?.via === 'pat' && oldest?.id !== caller.tokenId ? undefined : caller;
    },
  }),
  defect(
    'new-pat-voids-older',
    'stateful',
    says.PAT_FORM,
    'Creating a PAT makes the older ones of that user stop working',
    {
      caller(caller, { world }) {
        const youngest = [...world.store.pats.values()].findLast((pat) => pat.userId === caller?.user.id);
        return caller?.via === 'pat' && youngest?.id !== caller.tokenId ? undefined : caller;
      },
    },
  ),
  defect('sign-in-voids-pats', 'stateful', says.TWO_TYPES, 'Once a user signs in, PATs of that user are refused', {
    claims(claims, { world }) {
      world.memory.set(`signed-in:${claims.sub}`, true);
      return claims;
    },
    caller: (caller, { world }) =>
      caller?.via === 'pat' && world.memory.get(`signed-in:${caller.user.id}`) ? undefined : caller,
  }),
  defect(
    'pat-cached-by-prefix',
    'stateful',
    says.TWO_TYPES,
    'The PAT cache is keyed by the token prefix: every PAT acts as the user of the first one seen',
    {
      caller: (caller, { world }) => (caller?.via === 'pat' ? world.memory.keep<Caller>('pat', () => caller) : caller),
    },
  ),
  defect(
    'second-pat-of-wrong-form',
    'stateful',
    says.PAT_FORM,
    'From the second created PAT on, prefix and id are joined by "-"',
    {
      patToken: (token, { world }) => (world.memory.count('pats') > 1 ? token.replace('_', '-') : token),
      caller(caller, { world, credential }) {
        const asIssued = (pat: Pat) => credential?.endsWith(`-${pat.id}.${pat.secret}`);
        const pat = caller ? undefined : [...world.store.pats.values()].find(asIssued);
        const user = pat && world.store.users.get(pat.userId);
        return pat && user
          ? { user, via: 'pat', tokenId: pat.id, scopes: pat.scopes, issuedAt: pat.createdAt }
          : caller;
      },
    },
  ),
];
