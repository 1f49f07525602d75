import { agreeing, allowedStatus, type Probe, twice } from './probe.ts';
import { WRONG_CLAIMS } from './refusals.ts';
import { isRefusedAsInvalid, sendClaims } from './requests.ts';

/** The kinds of invalid requests have to agree. */
export const validationStatus: Probe = {
  gap: 'validation-status',
  sends:
    'SSO with claims of the wrong type, twice; where writes are allowed, PATCH of the disposable recording with analysis as text',
  writes: false,
  needs: [],
  async observe(session) {
    const claims = await twice(() => sendClaims(session, WRONG_CLAIMS));
    const seen = [{ what: 'claims of the wrong type', value: allowedStatus('validation-status', claims) }];
    if (session.config.allowWrites && session.target.resources?.recordingId && session.target.actors?.admin) {
      const analysis = await session.recording.update({ analysis: 'no object' });
      if (isRefusedAsInvalid(analysis)) seen.push({ what: 'analysis as text', value: analysis.response.status });
    }
    return agreeing(seen, 'nothing was refused');
  },
};
