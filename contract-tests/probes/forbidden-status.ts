import { isSuccess } from '../wire/answers.ts';
import { allowedStatus, type Probe, Undetermined } from './probe.ts';
import { keysAs, memberAtAdminArea } from './requests.ts';

/** What a member gets at the administration area; where that is for everybody, an administrator at another tenant. */
export const forbiddenStatus: Probe = {
  gap: 'forbidden-status',
  sends: 'GET of the API keys as member, twice; where they are listed, of resources.otherTenantId as admin, twice',
  writes: false,
  needs: ['actors.admin', 'actors.member', 'resources.tenantId'],
  async observe(session) {
    const member = await memberAtAdminArea(session);
    if (!isSuccess(member)) return allowedStatus('forbidden-status', member);
    const other = session.target.resources?.otherTenantId;
    const foreign = other === undefined ? undefined : await keysAs(session, 'admin', other);
    // A 404 may be about the tenant rather than about what the caller may do.
    if (foreign && [401, 403].includes(foreign.response.status)) return foreign.response.status;
    throw new Undetermined('member may list the API keys, so nothing is known that is forbidden');
  },
};
