import type { components } from '../spec/api-types.ts';
import type { User } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { apiError } from './api-error.ts';
import { type OperationRequest, recordNonDefaultGap } from './operation.ts';
import { presentUser } from './present.ts';
import { issueAccessToken, issueRefreshToken } from './tokens.ts';

type Schemas = components['schemas'];

/** The access token's fields of every sign-in response. */
export function accessGrant(world: World, user: User): Omit<Schemas['TokenGrant'], 'refresh_token' | 'user'> {
  return {
    access_token: issueAccessToken(world, user),
    token_type: 'bearer',
    expires_in: world.answers.get('access-token-lifetime'),
  };
}

/** The five fields of the SSO login's response (4.1). */
export function fullGrant(
  world: World,
  user: User,
  request: Pick<OperationRequest, 'assume'>,
  refreshToken: string = issueRefreshToken(world, user),
): Schemas['TokenGrant'] {
  recordNonDefaultGap(world, request, 'timestamp-form', 'extra-fields');
  return { ...accessGrant(world, user), refresh_token: refreshToken, user: presentUser(user, world.answers) };
}

/**
 * Refuses unconfirmed users if the profile says so (gap unconfirmed-sign-in).
 * @throws ApiError forbidden
 */
export function refuseUnconfirmed(world: World, user: User, request: Pick<OperationRequest, 'assume'>): void {
  if (user.confirmed) return;
  if (request.assume('unconfirmed-sign-in') === 'allow') return;
  throw apiError(world.answers, 'forbidden', 'This user is not confirmed yet.', { gaps: ['unconfirmed-sign-in'] });
}
