import { callerOf, type Operation } from './operation.ts';
import { scopesOf } from './scopes.ts';

/** Lists the caller's scopes and whether the caller is an administrator (4.4; path and shape are gaps). */
export const listTokenScopes: Operation<'listTokenScopes'> = (world, request) => {
  const { user } = callerOf(request);
  request.assume('scopes-path');
  request.assume('scope-values');
  const scopes = scopesOf(world, user);
  switch (request.assume('scopes-response')) {
    case 'names':
      return { body: { scopes, is_admin: user.administrator } };
    case 'records':
      return {
        body: { scopes: scopes.map((name) => ({ name, description: describe(name) })), is_admin: user.administrator },
      };
    case 'camel':
      return { body: { availableScopes: scopes, isAdmin: user.administrator } };
  }
};

const describe = (scope: string): string => `Allows ${scope.split(':').reverse().join(' of ')}.`;
