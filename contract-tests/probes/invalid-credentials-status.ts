import { GARBAGE_TOKENS } from '../session/token-forms.ts';
import type { Probe } from './probe.ts';
import { refusedAs } from './refused-credentials.ts';

/** Both protected reads have to agree. */
export const invalidCredentialsStatus: Probe = {
  gap: 'invalid-credentials-status',
  sends: 'GET of the API keys and of the token scopes with a token that means nothing, twice each',
  writes: false,
  needs: ['resources.tenantId'],
  async observe(session) {
    return refusedAs('invalid-credentials-status', session, { Authorization: `Bearer ${GARBAGE_TOKENS[0]}` });
  },
};
