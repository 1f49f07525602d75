import { allowedStatus, type Probe, twice } from './probe.ts';
import { sendText } from './requests.ts';

/** The media type is right, so only the body is wrong. */
export const malformedJsonStatus: Probe = {
  gap: 'malformed-json-status',
  sends: 'SSO with a body that breaks off, twice',
  writes: false,
  needs: [],
  async observe(session) {
    const answer = await twice(() => sendText(session, '{"oid": "', 'application/json'));
    return allowedStatus('malformed-json-status', answer);
  },
};
