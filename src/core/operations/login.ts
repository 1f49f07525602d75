import { equalInConstantTime, sha256Hex } from '../crypto.ts';
import type { User } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { apiError } from './api-error.ts';
import { grantAs, refuseUnconfirmed } from './grant.ts';
import type { Operation } from './operation.ts';
import { asTexts, readBodyAs } from './present.ts';
import { endEarlierTokens } from './tokens.ts';

/** Fields that may identify a user, depending on the profile's login (gap login-request). */
interface Credentials {
  readonly email?: string;
  readonly username?: string;
  readonly password?: string;
}

/** POST /v1/auth/login: signs in with a password (part 5; request and answer are gaps). */
export const login: Operation<'login'> = (world, request) => {
  request.assume('login-request');
  const credentials: Credentials = asTexts(readBodyAs('login-request', world, request.body), request);
  const by = credentials.email === undefined ? 'username' : 'email';
  const user = findUser(world, by, credentials);
  if (!user) {
    throw apiError(world.answers, 'invalid-credentials', `${by} or password is wrong.`, { gaps: ['login-request'] });
  }
  refuseUnconfirmed(world, user, request);
  request.assume('login-response');
  const body = grantAs('login-response', world, user, request);
  endEarlierTokens(world, user, request);
  return { body };
};

function findUser(world: World, by: 'email' | 'username', credentials: Credentials): User | undefined {
  const key = credentials[by] ?? '';
  const [user] = world.store.users.lookup(by, by === 'email' ? key.toLowerCase() : key);
  // Users provisioned by SSO have no password. Hashes are of equal length.
  const hashes = [user?.password, credentials.password].map((password = '') => sha256Hex(password)) as [string, string];
  return user?.password !== undefined && equalInConstantTime(...hashes) ? user : undefined;
}
