import type { Context } from '../hooks.ts';
import type { Caller } from '../model.ts';
import { parsePat } from '../pat.ts';
import { pause } from '../pause.ts';
import { scopeNamesOf } from '../scopes.ts';
import { defect } from './row.ts';
import * as says from './statements.ts';

function someAdmin({ world }: Context): Caller | undefined {
  const user = [...world.store.users.values()].find((candidate) => candidate.admin);
  return user && { user, via: 'jwt', tokenId: 'none', scopes: scopeNamesOf(user), issuedAt: 0 };
}

export const trustDefects = [
  defect(
    'pat-secret-unchecked-at-scopes',
    'conditional',
    says.PAT_FORM,
    'Listing scopes looks at the id of a PAT only',
    {
      patMatches: (matches, { operation }) => matches || operation === 'scopes',
    },
  ),
  defect(
    'anonymous-is-last-caller-at-scopes',
    'stateful',
    says.PROTECTED,
    'Listing scopes without an Authorization header is answered for the caller before',
    {
      caller(caller, { world, operation, authorization }) {
        if (caller) return world.memory.set('last', caller);
        return operation === 'scopes' && authorization === undefined ? world.memory.get<Caller>('last') : caller;
      },
    },
  ),
  defect(
    'filtered-keys-open',
    'conditional',
    says.PROTECTED,
    'With a provider filter the key list needs no Authorization header',
    {
      caller: (caller, context) =>
        caller ??
        (context.operation === 'listKeys' && context.authorization === undefined && context.rawQuery.provider
          ? someAdmin(context)
          : undefined),
    },
  ),
  defect(
    'unknown-pat-id-is-admin-at-keys',
    'conditional',
    says.LISTS_KEYS,
    'In the administration area a well-formed PAT with an unknown id counts as valid',
    {
      caller(caller, context) {
        const parsed = parsePat(context.credential ?? '');
        const unknown = parsed !== undefined && !context.world.store.pats.has(parsed.id);
        return caller ?? (unknown && context.operation === 'listKeys' ? someAdmin(context) : undefined);
      },
    },
  ),
  defect(
    'overlap-mixes-callers-at-scopes',
    'concurrent',
    says.SCOPES_PURPOSE,
    'Overlapping scope listings are all answered for the caller that came last',
    {
      async caller(caller, { world, operation }) {
        if (operation !== 'scopes' || !caller) return caller;
        world.memory.set('current', caller);
        await pause(60);
        return world.memory.get<Caller>('current');
      },
    },
  ),
];
