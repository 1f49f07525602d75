import { asText } from '../../../contract-tests/values/json.ts';
import { sha256Hex } from '../crypto.ts';
import { apiError } from './api-error.ts';
import { grantAs } from './grant.ts';
import type { Operation } from './operation.ts';
import { readBodyAs } from './present.ts';
import { issueRefreshToken, userOfRefreshToken } from './tokens.ts';

/** Exchanges a refresh token for a new access token (part 5; path, request and answer are gaps). */
export const refreshAccessToken: Operation<'refreshAccessToken'> = (world, request) => {
  request.assume('refresh-path');
  const isInHeader = request.assume('refresh-request') === 'bearer-header';
  const sent = isInHeader ? request.bearer : readBodyAs('refresh-request', world, request.body).refreshToken;
  const token = asText(sent ?? '');

  const user = userOfRefreshToken(world, token);
  if (!user) {
    const message = 'The refresh token is not valid: it is unknown, spent or expired.';
    throw apiError(world.answers, 'invalid-credentials', message, { gaps: ['refresh-request'] });
  }
  const rotation = request.assume('refresh-rotation');
  if (rotation === 'rotate') world.store.refreshTokens.delete(sha256Hex(token));
  const next = rotation === 'reuse' ? token : issueRefreshToken(world, user);

  request.assume('refresh-response');
  return { body: grantAs('refresh-response', world, user, request, next) };
};
