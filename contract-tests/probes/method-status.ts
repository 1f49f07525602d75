import { SSO_PATH } from '../session/operations.ts';
import { allowedStatus, type Probe, twice } from './probe.ts';

/** A read of a path that has only POST changes nothing. */
export const methodStatus: Probe = {
  gap: 'method-status',
  sends: 'GET /v1/auth/sso, twice',
  writes: false,
  needs: [],
  async observe(session) {
    return allowedStatus('method-status', await twice(() => session.send({ method: 'GET', path: SSO_PATH })));
  },
};
