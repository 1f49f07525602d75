import { isSuccess, jsonOf } from '../wire/answers.ts';
import { isObject } from '../wire/json.ts';
import { type Probe, twice, Undetermined, unexpected } from './probe.ts';
import { sendClaims } from './requests.ts';

function userIdIn(grant: unknown): unknown {
  return isObject(grant) && isObject(grant.user) ? grant.user.id : undefined;
}

/** The login with all claims succeeds: a claim without which it is refused is required. */
export const ssoRequiredClaims: Probe = {
  gap: 'sso-required-claims',
  sends: 'POST /v1/auth/sso with the claims of admin, less one of them, twice each',
  writes: false,
  needs: ['actors.admin.sso'],
  async observe(session) {
    const claims = session.credentials('admin').sso ?? {};
    const whole = await session.signIn.ssoGrant('admin');
    const required: string[] = [];
    for (const claim of ['oid', 'tid', 'upn']) {
      if (claims[claim] === undefined) throw new Undetermined(`actors.admin.sso has no ${claim}`);
      const { [claim]: _, ...others } = claims;
      const answer = await twice(() => sendClaims(session, others));
      if (!isSuccess(answer)) {
        if (answer.response.status >= 500) throw unexpected(`The login without ${claim}`, answer);
        required.push(claim);
      } else if (userIdIn(jsonOf(answer)) !== userIdIn(whole)) {
        session.leftovers.add(`a user that the SSO login without ${claim} may have made`);
      }
    }
    return required;
  },
};
