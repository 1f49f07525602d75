import { isSuccess } from '../wire/answers.ts';
import { type Probe, unexpected } from './probe.ts';
import { listOf, memberAtAdminArea } from './requests.ts';

/** Admin sees the list: member is of the same tenant. */
export const adminAccess: Probe = {
  gap: 'admin-access',
  sends: 'GET of the API keys as member, twice',
  writes: false,
  needs: ['actors.admin', 'actors.member', 'resources.tenantId'],
  async observe(session) {
    const answer = await memberAtAdminArea(session);
    if (isSuccess(answer)) return listOf('The list', answer) && 'members';
    if ([401, 403, 404].includes(answer.response.status)) return 'administrators';
    throw unexpected('The list', answer);
  },
};
