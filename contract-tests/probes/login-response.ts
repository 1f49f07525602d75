import { hasAll, hasAny, objectIn } from './grants.ts';
import { type Probe, Undetermined } from './probe.ts';

/** Members beyond the known ones do not count. */
export const loginResponse: Probe = {
  gap: 'login-response',
  sends: 'POST /v1/auth/login with the fields of actors.admin.login',
  writes: false,
  needs: ['actors.admin.login'],
  async observe(session) {
    const grant = objectIn('The login', await session.signIn.login('admin'));
    if (hasAll(grant, ['access_token', 'refresh_token', 'token_type', 'expires_in', 'user'])) return 'as-sso';
    const isShort =
      hasAll(grant, ['access_token', 'token_type', 'expires_in']) && !hasAny(grant, ['refresh_token', 'user']);
    if (isShort) return 'token-only';
    throw new Undetermined(`the login answers ${Object.keys(grant).join(', ')}`);
  },
};
