import type { User } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { callerOf } from './caller.ts';
import type { Operation } from './operation.ts';
import { writeBodyAs } from './present.ts';

/** Lists the caller's scopes and whether the caller is an administrator (4.4; path and shape are gaps). */
export const listTokenScopes: Operation<'listTokenScopes'> = (world, request) => {
  const { user } = callerOf(request);
  request.assume('scopes-path');
  request.assume('scope-values');
  request.assume('scopes-response');
  const scopes = scopesOf(world, user).map((scope) => ({
    scope,
    description: `Allows ${scope.split(':').reverse().join(' of ')}.`,
  }));
  return { body: writeBodyAs('scopes-response', world, { isAdmin: user.administrator }, scopes) };
};

/** The scopes available to a user (4.4): only administrators have those with the prefix `admin:` (gap scope-values). */
export const scopesOf = (world: World, user: User): string[] =>
  world.answers.get('scope-values').filter((scope) => user.administrator || !scope.startsWith('admin:'));
