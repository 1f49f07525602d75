import type { User } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { apiError } from './api-error.ts';
import { accessGrant, fullGrant, refuseUnconfirmed } from './grant.ts';
import type { Operation } from './operation.ts';
import { equalSecrets } from './tokens.ts';

/** Fields of the body under either answer to the gap login-request. */
interface Credentials {
  readonly email?: string;
  readonly username?: string;
  readonly password: string;
}

/** POST /v1/auth/login: signs in with a password (part 5; request and answer are gaps). */
export const login: Operation<'login'> = (world, request) => {
  const credentials: Credentials = request.body;
  const by = request.assume('login-request') === 'email-password' ? 'email' : 'username';
  const user = findUser(world, by, credentials);
  if (!user) {
    throw apiError(world.answers, 'invalid-credentials', `${by} or password is wrong.`, { gaps: ['login-request'] });
  }
  refuseUnconfirmed(world, user, request);
  return request.assume('login-response') === 'as-sso'
    ? { body: fullGrant(world, user, request) }
    : { body: accessGrant(world, user) };
};

function findUser(world: World, by: 'email' | 'username', credentials: Credentials): User | undefined {
  const key = credentials[by] ?? '';
  const [user] = world.store.users.lookup(by, by === 'email' ? key.toLowerCase() : key);
  // Users provisioned by SSO have no password.
  return user?.password !== undefined && equalSecrets(user.password, credentials.password) ? user : undefined;
}
