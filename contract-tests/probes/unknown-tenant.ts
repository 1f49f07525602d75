import { randomUUID } from 'node:crypto';
import { isSuccess } from '../wire/answers.ts';
import { type Probe, Undetermined, unexpected } from './probe.ts';
import { forbiddenStatus, keysAs, listedKeys, listOf } from './requests.ts';

/** A 404 is what the ledger calls not-found, even where what is not permitted has that status, too. */
export const unknownTenant: Probe = {
  gap: 'unknown-tenant',
  sends: 'GET of the API keys of a tenant with a made-up id, twice',
  writes: false,
  needs: ['actors.admin', 'resources.tenantId'],
  async observe(session) {
    await listedKeys(session);
    const answer = await keysAs(session, 'admin', randomUUID());
    const { status } = answer.response;
    if (isSuccess(answer)) {
      const count = listOf('The list', answer).length;
      if (count > 0) throw new Undetermined(`it lists ${count} API keys`);
      return 'empty';
    }
    if (status === 404) return 'not-found';
    if (status === 403 || status === (await forbiddenStatus(session))) return 'forbidden';
    throw unexpected('It', answer);
  },
};
