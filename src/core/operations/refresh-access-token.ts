import { apiError } from './api-error.ts';
import { accessGrant, fullGrant } from './grant.ts';
import type { Operation } from './operation.ts';
import { issueRefreshToken, spendRefreshToken, userOfRefreshToken } from './tokens.ts';

/** Fields of the body under the answers to the gap refresh-request that have a body. */
interface Body {
  readonly refresh_token?: string;
  readonly refreshToken?: string;
}

/** Exchanges a refresh token for a new access token (part 5; path, request and answer are gaps). */
export const refreshAccessToken: Operation<'refreshAccessToken'> = (world, request) => {
  request.assume('refresh-path');
  const body: Body = request.body ?? {};
  const sent = { 'snake-body': body.refresh_token, 'camel-body': body.refreshToken, 'bearer-header': request.bearer };
  const token = sent[request.assume('refresh-request')] ?? '';

  const user = userOfRefreshToken(world, token);
  if (!user) {
    const message = 'The refresh token is not valid: it is unknown, spent or expired.';
    throw apiError(world.answers, 'invalid-credentials', message, { gaps: ['refresh-request'] });
  }
  const rotates = request.assume('refresh-rotation') === 'rotate';
  if (rotates) spendRefreshToken(world, token);
  const next = rotates ? issueRefreshToken(world, user) : token;

  return request.assume('refresh-response') === 'as-sso'
    ? { body: fullGrant(world, user, request, next) }
    : { body: { ...accessGrant(world, user), refresh_token: next } };
};
