import { randomUUID } from 'node:crypto';
import { isSuccess } from '../checks/answers.ts';
import { type Probe, twice, unexpected } from './probe.ts';
import { sendClaims } from './requests.ts';

/** The directory is the one of admin, so that only the user is unknown. */
export const ssoUnknownIdentity: Probe = {
  gap: 'sso-unknown-identity',
  sends: 'POST /v1/auth/sso with claims of nobody in the directory of admin, twice: at most one user is made',
  writes: true,
  needs: ['actors.admin.sso'],
  async observe(session) {
    const { tid = '', upn = '' } = session.credentials('admin').sso ?? {};
    await session.ssoGrant('admin');
    const domain = upn.split('@')[1] ?? 'example.invalid';
    const claims = { oid: randomUUID(), tid, upn: `platform-mock-probe-${Date.now()}@${domain}` };
    const answer = await twice(() => sendClaims(session, claims));
    const { status } = answer.response;
    if (isSuccess(answer)) {
      session.leftovers.add(`the user ${claims.upn}, made by the SSO login of somebody whom nobody knows`);
      return 'provision';
    }
    if (status >= 400 && status < 500) return 'refuse';
    throw unexpected('The login', answer);
  },
};
