/** Scope lists that tell a caller something untrue. */
import { scopesOf } from '../scopes.ts';
import { defect } from './row.ts';
import * as says from './statements.ts';

const FORGETS_MS = 1500;

export const scopesDefects = [
  defect(
    'administrator-flag-fades',
    'timed',
    says.SCOPES_PURPOSE,
    '1.5 s after the token was issued, is_admin of an administrator is false',
    {
      scopesBody: (body, { caller }) =>
        caller?.via === 'jwt' && Date.now() - caller.issuedAt > FORGETS_MS ? { ...body, is_admin: false } : body,
    },
  ),
  defect(
    'member-update-makes-administrator',
    'stateful',
    says.SCOPES_PURPOSE,
    'An ordinary user who updated a recording is told to be an administrator',
    {
      changes(changes, { world, caller }) {
        world.memory.set(`updated:${caller?.user.id}`, true);
        return changes;
      },
      scopesBody: (body, { world, caller }) =>
        world.memory.get(`updated:${caller?.user.id}`) ? { ...body, is_admin: true } : body,
    },
  ),
  defect(
    'scopes-of-last-sign-in',
    'stateful',
    says.LISTS_SCOPES,
    'Scopes and is_admin are those of the user who signed in last',
    {
      claims(claims, { world }) {
        world.memory.set('latest', claims.sub);
        return claims;
      },
      scopesBody(body, { world }) {
        const user = world.store.users.get(world.memory.get<string>('latest') ?? '');
        return user ? { scopes: scopesOf(user), is_admin: user.admin } : body;
      },
    },
  ),
];
