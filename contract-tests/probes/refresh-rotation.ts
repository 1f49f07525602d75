import { isSuccess } from '../wire/answers.ts';
import { refreshTokenIn } from './grants.ts';
import { type Probe, Undetermined, unexpected } from './probe.ts';
import { exchanged, REFRESH_FORMS } from './refresh.ts';

/** The token is of a login made for this, so nobody else loses it. */
export const refreshRotation: Probe = {
  gap: 'refresh-rotation',
  sends: 'POST of the refresh token that was exchanged already',
  writes: false,
  needs: ['actors.admin.sso'],
  async observe(session) {
    const { path, form, token, answer } = await exchanged(session);
    const again = await session.refresh(path, REFRESH_FORMS[form](token));
    if (isSuccess(again)) return 'reuse';
    const next = refreshTokenIn(answer);
    if (again.response.status >= 500) throw unexpected('The second exchange', again);
    if (next === undefined || next === token) {
      throw new Undetermined('the token is refused the second time, but the first answer carried no new one');
    }
    return 'rotate';
  },
};
