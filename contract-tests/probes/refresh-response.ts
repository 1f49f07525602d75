import { hasAll, hasAny, objectIn } from './grants.ts';
import { type Probe, Undetermined } from './probe.ts';
import { exchanged } from './refresh.ts';

/** Members beyond the known ones do not count. */
export const refreshResponse: Probe = {
  gap: 'refresh-response',
  sends: 'POST of a fresh refresh token, shared with refresh-path',
  writes: false,
  needs: ['actors.admin.sso'],
  async observe(session) {
    const grant = objectIn('The exchange', (await exchanged(session)).answer);
    if (hasAll(grant, ['access_token', 'refresh_token', 'token_type', 'expires_in'])) {
      return hasAny(grant, ['user']) ? 'as-sso' : 'tokens';
    }
    throw new Undetermined(`the exchange answers ${Object.keys(grant).join(', ')}`);
  },
};
