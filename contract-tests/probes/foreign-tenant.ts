import { isSuccess } from '../wire/answers.ts';
import { type Probe, unexpected } from './probe.ts';
import { forbiddenStatus, keysAs, listedKeys } from './requests.ts';

/** A 404 is what the ledger calls not-found, even where what is not permitted has that status, too. */
export const foreignTenant: Probe = {
  gap: 'foreign-tenant',
  sends: 'GET of the API keys of resources.otherTenantId, twice',
  writes: false,
  needs: ['actors.admin', 'resources.tenantId', 'resources.otherTenantId'],
  async observe(session) {
    await listedKeys(session);
    const answer = await keysAs(session, 'admin', session.resource('otherTenantId'));
    const { status } = answer.response;
    if (status === 404) return 'not-found';
    if (status === 403 || (!isSuccess(answer) && status === (await forbiddenStatus(session)))) return 'forbidden';
    throw unexpected('The list of the other tenant', answer);
  },
};
