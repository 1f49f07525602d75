import type { components } from '../spec/api-types.ts';
import type { User } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { apiError } from './api-error.ts';
import type { OperationRequest } from './operation.ts';
import { presentUser, timestamp, withExtras, writeBodyAs } from './present.ts';
import { issueAccessToken, issueRefreshToken } from './tokens.ts';

type Schemas = components['schemas'];
type Assuming = Pick<OperationRequest, 'assume' | 'leanOn'>;

/** The five fields of the SSO login's response (4.1). */
export function fullGrant(world: World, user: User, request: Assuming): Schemas['TokenGrant'] {
  request.leanOn('access-token-lifetime', 'timestamp-form', 'extra-fields');
  const grant: Schemas['TokenGrant'] = {
    access_token: issueAccessToken(world, user),
    refresh_token: issueRefreshToken(world, user),
    token_type: 'bearer',
    expires_in: world.answers.get('access-token-lifetime'),
    user: presentUser(user, world.answers),
  };
  return withExtras('TokenGrant', grant, {}, timestamp(world.clock.nowIso(), world.answers), world.answers);
}

/** The answer to another way of signing in, in the profile's shape. */
export function grantAs(
  gap: 'login-response' | 'refresh-response',
  world: World,
  user: User,
  request: Assuming,
  refreshToken?: string,
): unknown {
  const lifetime = world.answers.get('access-token-lifetime');
  // Only what the shape has a place for is created.
  const values = {
    get accessToken() {
      return issueAccessToken(world, user);
    },
    get refreshToken() {
      return refreshToken ?? issueRefreshToken(world, user);
    },
    get expiresIn() {
      request.leanOn('access-token-lifetime');
      return lifetime;
    },
    get expiresAt() {
      request.leanOn('access-token-lifetime', 'timestamp-form');
      return timestamp(new Date(world.clock.now() + lifetime * 1000).toISOString(), world.answers);
    },
    get user() {
      request.leanOn('timestamp-form', 'extra-fields');
      return presentUser(user, world.answers);
    },
  };
  return writeBodyAs(gap, world, values);
}

/** Refuses unconfirmed users as forbidden, if the profile says so (gap unconfirmed-sign-in). */
export function refuseUnconfirmed(world: World, user: User, request: Assuming): void {
  if (user.confirmed) return;
  if (request.assume('unconfirmed-sign-in') === 'allow') return;
  throw apiError(world.answers, 'forbidden', 'This user is not confirmed yet.', { gaps: ['unconfirmed-sign-in'] });
}
