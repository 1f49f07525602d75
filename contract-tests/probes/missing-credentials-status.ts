import type { Probe } from './probe.ts';
import { refusedAs } from './refused-credentials.ts';

/** Both protected reads have to agree. */
export const missingCredentialsStatus: Probe = {
  gap: 'missing-credentials-status',
  sends: 'GET of the API keys and of the token scopes without credentials, twice each',
  writes: false,
  needs: ['resources.tenantId'],
  async observe(session) {
    return refusedAs('missing-credentials-status', session, {});
  },
};
