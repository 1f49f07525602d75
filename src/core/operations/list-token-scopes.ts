import { callerOf } from './caller.ts';
import type { Operation } from './operation.ts';
import { writeBodyAs } from './present.ts';
import { scopesOf } from './scopes.ts';

/** Lists the caller's scopes and whether the caller is an administrator (4.4; path and shape are gaps). */
export const listTokenScopes: Operation<'listTokenScopes'> = (world, request) => {
  const { user } = callerOf(request);
  request.assume('scopes-path');
  request.assume('scope-values');
  request.assume('scopes-response');
  const scopes = scopesOf(world, user).map((scope) => ({ scope, description: describe(scope) }));
  return { body: writeBodyAs('scopes-response', world, { isAdmin: user.administrator }, scopes) };
};

const describe = (scope: string): string => `Allows ${scope.split(':').reverse().join(' of ')}.`;
