import type { User } from '../world/records.ts';
import type { World } from '../world/world.ts';

/** Scopes that start so are available to administrators only (gap scope-values). */
const administratorPrefix = 'admin:';

/** The scopes that are available to a user (4.4). */
export const scopesOf = (world: World, user: User): string[] =>
  world.answers.get('scope-values').filter((scope) => user.administrator || !scope.startsWith(administratorPrefix));
