import { createHash } from 'node:crypto';
import { isSuccess } from '../wire/answers.ts';
import { type Probe, twice, unexpected } from './probe.ts';
import { sendClaims } from './requests.ts';

/** An identifier in the form of a UUID, the same for a directory at every run. */
function identifierFor(tid: string): string {
  const hex = createHash('sha256').update(`platform-mock probe ${tid}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** The directory is the one of admin, so that only the user is unknown. */
export const ssoUnknownIdentity: Probe = {
  gap: 'sso-unknown-identity',
  sends:
    'POST /v1/auth/sso with claims of nobody in the directory of admin, twice: always the same ones, so that at most one user is ever made',
  writes: true,
  needs: ['actors.admin.sso'],
  async observe(session) {
    const { tid = '', upn = '' } = session.credentials('admin').sso ?? {};
    await session.signIn.ssoGrant('admin');
    const domain = upn.split('@')[1] ?? 'example.invalid';
    const claims = { oid: identifierFor(tid), tid, upn: `platform-mock-probe@${domain}` };
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
