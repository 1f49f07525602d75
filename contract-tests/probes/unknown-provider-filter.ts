import { type Probe, Undetermined } from './probe.ts';
import { keysAs, listedKeys, listOf, NO_SUCH_VALUE, takenOrRefused } from './requests.ts';

/** The list without the filter succeeds. */
export const unknownProviderFilter: Probe = {
  gap: 'unknown-provider-filter',
  sends: 'GET of the API keys with a made-up provider, twice',
  writes: false,
  needs: ['actors.admin', 'resources.tenantId'],
  async observe(session) {
    await listedKeys(session);
    const answer = await keysAs(session, 'admin', session.resource('tenantId'), { provider: NO_SUCH_VALUE });
    if (takenOrRefused('The filter', answer) === 'refused') return 'refuse';
    const count = listOf('The filter', answer).length;
    if (count > 0) throw new Undetermined(`the filter lists ${count} API keys`);
    return 'empty';
  },
};
