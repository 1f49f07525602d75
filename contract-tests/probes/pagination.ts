import { type Probe, Undetermined } from './probe.ts';
import { isRefusedAsInvalid, keysAs, listedKeys, listOf } from './requests.ts';

/** Parameters that are refused like any unknown one divide nothing. */
export const pagination: Probe = {
  gap: 'pagination',
  sends: 'GET of the API keys with limit=1 and offset 0 and 1, and with a made-up parameter',
  writes: false,
  needs: ['actors.admin', 'resources.tenantId'],
  async observe(session) {
    const all = await listedKeys(session);
    if (all.length < 2) throw new Undetermined(`it takes two API keys to see pages; there are ${all.length}`);
    const tenant = session.resource('tenantId');
    const pages = [];
    for (const offset of ['0', '1']) pages.push(await keysAs(session, 'admin', tenant, { limit: '1', offset }));
    if (pages.every(isRefusedAsInvalid)) {
      const madeUp = await keysAs(session, 'admin', tenant, { no_such_parameter_probe: '1' });
      if (isRefusedAsInvalid(madeUp)) return 'none';
      throw new Undetermined('limit and offset are refused, though parameters that nobody knows are not');
    }
    const sizes = pages.map((page) => listOf('A page', page).length);
    if (sizes.every((size) => size === all.length)) return 'none';
    if (sizes.every((size) => size === 1)) return 'limit-offset';
    throw new Undetermined(`of ${all.length} API keys the pages have ${sizes.join(' and ')}`);
  },
};
