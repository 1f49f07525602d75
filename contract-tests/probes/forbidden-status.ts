import { isSuccess } from '../checks/answers.ts';
import { allowedStatus, type Probe, Undetermined } from './probe.ts';
import { memberAtAdminArea } from './requests.ts';

/** What a member gets at the administration area, where that is for administrators. */
export const forbiddenStatus: Probe = {
  gap: 'forbidden-status',
  sends: 'GET of the API keys as member, twice',
  writes: false,
  needs: ['actors.admin', 'actors.member', 'resources.tenantId'],
  async observe(session) {
    const answer = await memberAtAdminArea(session);
    if (isSuccess(answer)) throw new Undetermined('member may list the API keys, so nothing known is forbidden');
    return allowedStatus('forbidden-status', answer);
  },
};
