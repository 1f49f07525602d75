import { allowedStatus, type Probe, twice } from './probe.ts';
import { sendText } from './requests.ts';

/** As application/json the same body succeeds. */
export const mediaTypeStatus: Probe = {
  gap: 'media-type-status',
  sends: 'SSO with the claims of admin as text/plain, twice',
  writes: false,
  needs: ['actors.admin.sso'],
  async observe(session) {
    await session.signIn.ssoGrant('admin');
    const claims = JSON.stringify(session.credentials('admin').sso);
    return allowedStatus('media-type-status', await twice(() => sendText(session, claims, 'text/plain')));
  },
};
