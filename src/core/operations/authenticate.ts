import type { World } from '../world/world.ts';
import { apiError } from './api-error.ts';
import type { Caller } from './operation.ts';
import { userOfAccessToken, userOfPat } from './tokens.ts';

/** Identifies the caller by the value of the Authorization header. */
export type Authenticate = (world: World, authorization: string | undefined) => Caller;

/** The token of an Authorization header, or `undefined` when it is not `Bearer <token>`. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  /^Bearer +([^\s]+) *$/i.exec(authorization ?? '')?.[1];

/**
 * Authenticates by a JWT access token or a personal access token; every protected operation accepts both (part 5).
 * @throws ApiError missing-credentials, invalid-credentials
 */
export const authenticate: Authenticate = (world, authorization) => {
  if (authorization === undefined || authorization.trim() === '') {
    throw apiError(world.answers, 'missing-credentials', 'Send a token in the header Authorization: Bearer <token>.');
  }
  const token = bearerToken(authorization);
  if (token === undefined) {
    throw apiError(world.answers, 'invalid-credentials', 'The header Authorization must read Bearer <token>.');
  }
  const isPat = token.startsWith(`${world.answers.get('pat-prefix')}_`);
  const user = isPat ? userOfPat(world, token) : userOfAccessToken(world, token);
  if (!user) {
    throw apiError(world.answers, 'invalid-credentials', 'The token is not valid: it is unknown, altered or expired.');
  }
  return { user, via: isPat ? 'pat' : 'jwt' };
};
