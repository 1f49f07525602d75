/** Failures, in the shape Fastify gives them: { statusCode, code, error, message }. */
import createError from '@fastify/error';

export const Unauthenticated = createError(
  'PLT_UNAUTHENTICATED',
  'A valid access token or personal access token is required',
  401,
);
export const UnknownIdentity = createError('PLT_UNKNOWN_IDENTITY', 'The identity is not known to this service', 401);
export const BadLogin = createError('PLT_BAD_LOGIN', 'Username or password is wrong', 401);
export const BadRefreshToken = createError('PLT_BAD_REFRESH_TOKEN', 'The refresh token is not valid', 401);
export const Forbidden = createError('PLT_FORBIDDEN', 'The caller may not do this', 403);
export const RecordingNotFound = createError('PLT_RECORDING_NOT_FOUND', 'No recording %s', 404);
export const TenantNotFound = createError('PLT_TENANT_NOT_FOUND', 'No tenant %s', 404);
export const BadRequest = createError('PLT_BAD_REQUEST', '%s', 400);
