import type { User } from '../world/records.ts';
import type { World } from '../world/world.ts';

/** Prefix of the scopes that only administrators have (gap scope-values). */
const administratorPrefix = 'admin:';

/** The scopes available to a user (4.4). */
export const scopesOf = (world: World, user: User): string[] =>
  world.answers.get('scope-values').filter((scope) => user.administrator || !scope.startsWith(administratorPrefix));
